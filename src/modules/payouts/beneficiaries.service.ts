import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { requireRoom } from '../../core/database/quota';
import { found } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import { newId } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { Presents, type Viewer } from '../../core/resources/resources';
import { BanksService, isSameName, NameMismatch } from './banks.service';
import { BeneficiaryDto } from './beneficiary.dto';
import { Beneficiary } from './beneficiary.entity';
import type { BankAccount } from './payouts.provider';

const MAX = 10_000;

export interface NewBeneficiary {
  /** Null: the name that the bank says. */
  readonly label: string | null;
  readonly bank: BankAccount;
  /** As the caller knows it; null: whatever the bank says. */
  readonly accountName: string | null;
  readonly metadata: Record<string, string>;
}

/** Whom accounts pay again and again. */
@Injectable()
export class BeneficiariesService {
  constructor(
    @InjectRepository(Beneficiary) private readonly beneficiaries: Repository<Beneficiary>,
    private readonly banks: BanksService,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Asks the bank whose account it is, and keeps that. Throws `NotFound`, `InvalidAccountNumber`, `AccountNotFound`,
   * `NameMismatch`, `ProviderUnavailable`, `LimitExceeded`, `IdempotencyKeyReused`.
   */
  async create(caller: Caller, wanted: NewBeneficiary, request: RequestClaim): Promise<Made<Beneficiary>> {
    const { accountId, livemode } = caller;
    const claim = { accountId, livemode, ...request, reference: null, resource: 'ben', resourceId: newId() } as const;
    // The bank is asked outside of the transaction that claims the key: a repetition must not ask it again.
    const seen = await this.idempotency.replayOf(claim);
    if (seen) return { made: await this.require(caller, seen.resourceId), replayedBy: seen.by };
    const { bank: account, accountName, label, metadata } = wanted;
    const bank = await this.banks.requireFor(caller, account, '/bank');
    const verifiedName = await this.banks.nameOf(caller, bank, account, true);
    if (accountName !== null && !isSameName(accountName, verifiedName)) throw new NameMismatch();
    const made: Beneficiary = {
      accountId,
      livemode,
      id: claim.resourceId,
      label: label ?? verifiedName,
      ...account,
      verifiedName,
      metadata,
      lastUsedAt: null,
      deletedAt: null,
      version: 1,
    };
    const replay = await this.idempotency.once(claim, async (tx) => {
      await requireRoom(
        tx,
        { table: 'beneficiaries', of: 'beneficiaries', max: MAX, where: 'deleted_at IS NULL' },
        caller,
      );
      await tx.insert(Beneficiary, made);
    });
    return { made: replay ? await this.require(caller, replay.resourceId) : made, replayedBy: replay?.by ?? null };
  }

  /** Throws `NotFound`, `IdempotencyKeyReused`. */
  update(
    caller: Caller,
    id: string | null,
    changes: Partial<Pick<Beneficiary, 'label' | 'metadata'>>,
    request: RequestClaim,
  ): Promise<Made<Beneficiary>> {
    return this.change(caller, id, changes, request);
  }

  /** It is paid no longer, and stands in no list. Throws `NotFound`, `IdempotencyKeyReused`. */
  delete(caller: Caller, id: string | null, request: RequestClaim): Promise<Made<Beneficiary>> {
    return this.change(caller, id, { deletedAt: new Date() }, request);
  }

  /** The caller's, deleted ones too. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null, param: string | null = null): Promise<Beneficiary> {
    const known = id === null ? null : await this.beneficiaries.findOneBy({ accountId, livemode, id });
    return found(known, 'beneficiary', param);
  }

  /** One that can be paid. Throws `NotFound`. */
  async requirePayable(viewer: Viewer, id: string | null): Promise<Beneficiary> {
    const beneficiary = await this.require(viewer, id, '/beneficiary_id');
    return found(beneficiary.deletedAt === null ? beneficiary : null, 'beneficiary', '/beneficiary_id');
  }

  /** Newest first, below `before`; `q`: part of the label, of the verified name or of the account number. */
  list(
    { accountId, livemode }: Viewer,
    { q }: { readonly q?: string },
    before: string | null,
    take: number,
  ): Promise<Beneficiary[]> {
    const query = this.beneficiaries
      .createQueryBuilder('b')
      .where({ accountId, livemode, deletedAt: IsNull() })
      .orderBy('b.id', 'DESC')
      .take(take);
    if (before) query.andWhere('b.id < :before', { before });
    if (q)
      query.andWhere(`strpos(lower(concat_ws(E'\\n', b.label, b.verified_name, b.account_number)), lower(:q)) > 0`, {
        q,
      });
    return query.getMany();
  }

  /** A payout was ordered. Told, not promised: who dies before it leaves the time of the one before. */
  async noteUse({ accountId, livemode, id }: Beneficiary): Promise<void> {
    await this.beneficiaries.update({ accountId, livemode, id }, { lastUsedAt: new Date() });
  }

  @Presents('ben', 'payouts:read')
  async present(viewer: Viewer, id: string): Promise<BeneficiaryDto> {
    return BeneficiaryDto.of(await this.require(viewer, id));
  }

  private async change(
    caller: Caller,
    beneficiaryId: string | null,
    changes: Partial<Beneficiary>,
    request: RequestClaim,
  ): Promise<Made<Beneficiary>> {
    const { accountId, livemode, id } = await this.require(caller, beneficiaryId);
    const claim = { accountId, livemode, ...request, reference: null, resource: 'ben', resourceId: id } as const;
    const replay = await this.idempotency.once(claim, async (tx) => {
      const change = { ...changes, version: () => 'version + 1' };
      const { affected } = await tx.update(Beneficiary, { accountId, livemode, id, deletedAt: IsNull() }, change);
      found(affected === 0 ? null : id, 'beneficiary');
    });
    return { made: await this.require(caller, id), replayedBy: replay?.by ?? null };
  }
}
