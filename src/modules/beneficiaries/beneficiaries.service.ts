import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { requireRoom } from '../../core/database/quota';
import { DomainError, FieldRefused, found, NotFound } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { Presents, type Viewer } from '../../core/resources/resources';
import { BeneficiaryDto, type NewBeneficiary } from './beneficiary.dto';
import { Beneficiary, type BeneficiaryDetails, type BeneficiaryKind } from './beneficiary.entity';
import { isSameName, NameMismatch } from './is-same-name';

const MAX = 10_000;
const PARAM = '/beneficiary_id';

/** Who would be paid. */
interface Checked<Kind extends BeneficiaryKind> {
  /** As they are kept. */
  readonly details: BeneficiaryDetails[Kind];
  readonly number: string;
  /** Null: nobody says a name. */
  readonly verifiedName: string | null;
}

/** A kind of beneficiaries, as the module knows it that pays them. */
interface Payable<Kind extends BeneficiaryKind> {
  readonly kind: Kind;
  /** Whether an order could pay it, and whose it is; may ask outside. Refusals point into the request that adds it. */
  readonly check: (caller: Caller, details: BeneficiaryDetails[Kind]) => Promise<Checked<Kind>>;
}

/** Whom accounts pay again and again. */
@Injectable()
export class BeneficiariesService {
  private readonly log = new Logger('beneficiaries');
  private readonly kinds = new Map<BeneficiaryKind, Payable<BeneficiaryKind>>();

  constructor(
    @InjectRepository(Beneficiary) private readonly beneficiaries: Repository<Beneficiary>,
    private readonly idempotency: Idempotency,
  ) {}

  /** Called once for each kind, by the module that pays it. */
  include<Kind extends BeneficiaryKind>(payable: Payable<Kind>): void {
    this.kinds.set(payable.kind, payable as unknown as Payable<BeneficiaryKind>);
  }

  /**
   * Asks whose it is, where somebody can say that, and keeps it. Throws `NameMismatch`, `FieldRefused`,
   * `LimitExceeded`, `IdempotencyKeyReused` and what the order of its kind throws of a recipient.
   */
  async create(caller: Caller, wanted: NewBeneficiary, request: RequestClaim): Promise<Made<Beneficiary>> {
    const { accountId, livemode } = caller;
    const claim = {
      accountId,
      livemode,
      ...request,
      reference: null,
      resource: 'ben',
      resourceId: newIdOf(accountId),
    } as const;
    // Who knows the name is asked outside of the transaction that claims the key: a repetition must not ask again.
    const seen = await this.idempotency.replayOf(claim);
    if (seen) return { made: await this.require(caller, seen.resourceId), replayedBy: seen.by };
    const { kind, label, metadata } = wanted;
    const checked = await this.check(caller, wanted);
    const made: Beneficiary = {
      accountId,
      livemode,
      id: claim.resourceId,
      kind,
      label: label ?? checked.verifiedName ?? checked.number,
      ...checked,
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

  /**
   * The one that an order names, if it is of one of these kinds; null, and nothing is asked, where it names none.
   * Throws `NotFound`, `BeneficiaryKindMismatch`.
   */
  async requirePayable<Kind extends BeneficiaryKind>(
    viewer: Viewer,
    publicId: string | null,
    ...kinds: readonly Kind[]
  ): Promise<Beneficiary<Kind> | null> {
    if (publicId === null) return null;
    const beneficiary = await this.require(viewer, decodeId('ben', publicId), PARAM);
    if (beneficiary.deletedAt !== null) throw new NotFound('beneficiary', PARAM);
    if (!(kinds as readonly BeneficiaryKind[]).includes(beneficiary.kind))
      throw new BeneficiaryKindMismatch(beneficiary, kinds);
    return beneficiary as Beneficiary<Kind>;
  }

  /** Newest first, below `before`; `q`: part of the label, of the verified name or of the number. */
  list(
    { accountId, livemode }: Viewer,
    { kind, q }: { readonly kind?: BeneficiaryKind; readonly q?: string },
    before: string | null,
    take: number,
  ): Promise<Beneficiary[]> {
    const query = this.beneficiaries
      .createQueryBuilder('b')
      .where({ accountId, livemode, deletedAt: IsNull(), ...(kind && { kind }) })
      .orderBy('b.id', 'DESC')
      .take(take);
    if (before) query.andWhere('b.id < :before', { before });
    if (q) query.andWhere(`strpos(lower(concat_ws(E'\\n', b.label, b.verified_name, b.number)), lower(:q)) > 0`, { q });
    return query.getMany();
  }

  /**
   * What an order made, after noting that it named a beneficiary, unless it is a replay. Told, not promised: who dies
   * before it leaves the time of the order before.
   */
  async noteUse<T>({ accountId, livemode }: Viewer, publicId: string | null, made: Made<T>): Promise<Made<T>> {
    const id = publicId === null || made.replayedBy !== null ? null : decodeId('ben', publicId);
    if (id === null) return made;
    try {
      await this.beneficiaries.update({ accountId, livemode, id }, { lastUsedAt: new Date() });
    } catch (error) {
      this.log.warn({ message: 'the use of a beneficiary was not noted', err: error });
    }
    return made;
  }

  @Presents('ben', 'beneficiaries:read')
  async present(viewer: Viewer, id: string): Promise<BeneficiaryDto> {
    return BeneficiaryDto.of(await this.require(viewer, id));
  }

  /** Throws `FieldRefused`, `NameMismatch` and what the check of the kind throws. */
  private async check(
    caller: Caller,
    { kind, details, accountName }: NewBeneficiary,
  ): Promise<Checked<BeneficiaryKind>> {
    const payable = this.kinds.get(kind);
    if (payable === undefined) throw new Error(`nobody pays beneficiaries of the kind ${kind}`);
    const checked = await payable.check(caller, details);
    if (accountName === null) return checked;
    if (checked.verifiedName === null)
      throw new FieldRefused('/account_name', '/account_name must be left out: nobody says the name of this one.');
    if (!isSameName(accountName, checked.verifiedName)) throw new NameMismatch('/account_name');
    return checked;
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

/** It is paid by orders of another kind. */
class BeneficiaryKindMismatch extends DomainError {
  constructor({ id, kind }: Beneficiary, kinds: readonly BeneficiaryKind[]) {
    super({
      code: 'beneficiary_kind_mismatch',
      kind: 'unprocessable',
      title: 'Another kind of beneficiary',
      param: PARAM,
      detail: `This beneficiary is of the kind ${kind}; what was ordered goes to a ${kinds.join(' or a ')}.`,
      resourceId: encodeId('ben', id),
    });
  }
}
