import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { rows } from '../../core/database/rows';
import { retryAway, retryChanged, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError, found, NotFound } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, lowestIdAt, newIdOf } from '../../core/http/ids';
import type { Claim, Made, Replay, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { Resources, type Viewer } from '../../core/resources/resources';
import { ABANDONED_AFTER_MS } from '../../providers/client';
import { ProviderUnavailable, Routes } from '../../providers/routes';
import { AccountsService } from '../accounts/accounts.service';
import { WalletsService } from '../wallets/wallets.service';
import type { NewVirtualAccount, VirtualAccountFilters } from './virtual-account.dto';
import { VirtualAccount } from './virtual-account.entity';
import { accountStep, endOf, VirtualAccountRun } from './virtual-account-run';
import type { VirtualAccountProvider, VirtualAccountSettings } from './virtual-accounts.provider';

const PRODUCT = 'virtual_accounts';

const accountWrite = rows(VirtualAccount).insert();

class ClosedWallet extends DomainError {
  constructor(walletId: string) {
    super({
      code: 'wallet_closed',
      kind: 'conflict',
      title: 'Wallet closed',
      param: '/wallet_id',
      recovery: 'none',
      detail: `${walletId} is closed.`,
    });
  }
}

/** The account is in a state in which this cannot be done. */
class NotClosable extends DomainError {
  constructor({ id, status }: Readonly<VirtualAccount>) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('vac', id)} is ${status} and cannot be closed.`,
      resourceId: encodeId('vac', id),
    });
  }
}

/** Opens and closes the numbers that payers pay into. */
@Injectable()
export class VirtualAccountsService {
  constructor(
    @InjectRepository(VirtualAccount) private readonly virtualAccounts: Repository<VirtualAccount>,
    private readonly accounts: AccountsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly wallets: WalletsService,
    private readonly routes: Routes,
    private readonly resources: Resources,
    private readonly run: VirtualAccountRun,
  ) {}

  /**
   * Asks a provider for a number. One that does not answer leaves the account `pending`: it is asked again. Throws
   * `NotFound`, `ClosedWallet`, `ProviderUnavailable`, `IdempotencyKeyReused`, `DuplicateReference`,
   * `IdempotencyKeyRequired`.
   */
  async create(caller: Caller, order: NewVirtualAccount, request: RequestClaim): Promise<Made<VirtualAccount>> {
    // It moves no money: a second one is not stopped, but where accounts demand a key.
    const known = { key: request.key, reference: order.reference, allowDuplicate: true };
    await this.accounts.likenessOf(caller, known, () => '');
    const { accountId, livemode } = caller;
    const claim = { accountId, livemode, ...request, reference: order.reference, resource: 'vac' } as const;
    const seen = await this.idempotency.replayOf({ ...claim, resourceId: '' });
    if (seen !== null) return this.replayed(caller, seen);
    const account = await this.draft(caller, order);
    const replay = await this.idempotency.once({ ...claim, resourceId: account.id }, (tx) =>
      this.unitOfWork.write(tx, [accountWrite(account)]),
    );
    if (replay !== null) return this.replayed(caller, replay);
    return { made: await this.run.look(account), replayedBy: null };
  }

  /** What `create` would record now; writes nothing, and asks nobody. */
  preview(caller: Caller, order: NewVirtualAccount): Promise<VirtualAccount> {
    return this.draft(caller, order);
  }

  /** By public id. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, publicId: string): Promise<VirtualAccount> {
    const id = decodeId('vac', publicId);
    return found(id === null ? null : await this.run.find({ accountId, livemode, id }), 'virtual account');
  }

  /** Newest first, below the uuid `before`. */
  async list(
    { accountId, livemode }: Viewer,
    filters: VirtualAccountFilters,
    before: string | null,
    take: number,
  ): Promise<VirtualAccount[]> {
    const query = this.virtualAccounts
      .createQueryBuilder('v')
      .where('v.account_id = :accountId AND v.livemode = :livemode', { accountId, livemode })
      .orderBy('v.id', 'DESC')
      .take(take);
    if (before) query.andWhere('v.id < :before', { before });
    return narrow(query, filters) ? query.getMany() : [];
  }

  /** What arrives from now on is held for a person. Throws `NotFound`, `NotClosable`, `IdempotencyKeyReused`. */
  close(viewer: Viewer, publicId: string, request: RequestClaim): Promise<Made<VirtualAccount>> {
    return retryChanged(async () => {
      const account = await this.require(viewer, publicId);
      const { accountId, livemode, id: resourceId, status } = account;
      const claim: Claim = { accountId, livemode, ...request, reference: null, resource: 'vac', resourceId };
      const { write } = accountStep(account, endOf('closed', await this.run.now(account)));
      const replay = await this.idempotency.once(claim, async (tx) => {
        if (status !== 'active' && status !== 'closed') throw new NotClosable(account);
        if (status === 'active') await this.unitOfWork.write(tx, [write]);
      });
      const isClosedNow = replay === null && status === 'active';
      const made = isClosedNow ? await this.run.look(account) : await this.require(viewer, publicId);
      return { made, replayedBy: replay?.by ?? null };
    });
  }

  private async replayed(
    { accountId, livemode }: Viewer,
    { resourceId: id, by }: Replay,
  ): Promise<Made<VirtualAccount>> {
    const account = await retryAway(() => this.run.find({ accountId, livemode, id }));
    return { made: found(account, 'virtual account'), replayedBy: by };
  }

  private async draft(caller: Caller, order: NewVirtualAccount): Promise<VirtualAccount> {
    const { accountId, livemode } = caller;
    const wallet = await this.wallets.require(caller, decodeId('wal', order.walletId), '/wallet_id');
    if (wallet.status === 'closed') throw new ClosedWallet(order.walletId);
    const customerId = order.customerId === null ? null : await this.customerOf(caller, order.customerId);
    const wanted = { product: PRODUCT, network: wallet.currency, livemode, accountId } as const;
    const [provider] = (await this.routes.inOrder<VirtualAccountProvider, VirtualAccountSettings>(wanted)).filter(
      ({ currencies }) => !currencies?.length || currencies.includes(wallet.currency),
    );
    if (provider === undefined) throw new ProviderUnavailable(`No bank opens accounts in ${wallet.currency}`);
    const now = await this.run.now(caller);
    const { kind, amount, onUnderpaid, onOverpaid, label, reference, expiresIn } = order;
    return {
      accountId,
      livemode,
      id: newIdOf(accountId),
      kind,
      status: 'pending',
      walletId: wallet.id,
      currency: wallet.currency,
      amount,
      onUnderpaid,
      onOverpaid,
      customerId,
      label,
      reference,
      provider: provider.name,
      providerReference: null,
      bank: null,
      accountNumber: null,
      accountName: null,
      isOpenThere: false,
      failure: null,
      expiresAt: expiresIn === null ? null : new Date(now.getTime() + expiresIn * 1_000),
      // Whoever dies while it asks leaves the account to whoever looks then.
      nextCheckAt: new Date(now.getTime() + ABANDONED_AFTER_MS),
      checks: 0,
      version: 1,
      updatedAt: new Date(),
    };
  }

  /** Throws `NotFound`. */
  private async customerOf({ accountId, livemode }: Viewer, publicId: string): Promise<string> {
    const id = found(decodeId('cus', publicId), 'customer', '/customer_id');
    try {
      await this.resources.present({ accountId, livemode }, 'cus', id);
      return id;
    } catch (error) {
      throw error instanceof NotFound ? new NotFound('customer', '/customer_id') : error;
    }
  }
}

const EXACT = ['kind', 'reference', 'account_number'] as const;

/** False: nothing can match. */
function narrow(query: SelectQueryBuilder<VirtualAccount>, filters: VirtualAccountFilters): boolean {
  for (const field of EXACT) {
    if (filters[field] !== undefined) query.andWhere(`v.${field} = :${field}`, { [field]: filters[field] });
  }
  if (filters.status !== undefined) query.andWhere('v.status IN (:...status)', { status: filters.status });
  // Ids carry the time of creation: a bound on time is a bound on the primary key.
  if (filters.created_gte) query.andWhere('v.id >= :from', { from: lowestIdAt(filters.created_gte) });
  if (filters.created_lt) query.andWhere('v.id < :to', { to: lowestIdAt(filters.created_lt) });
  for (const [field, prefix] of [
    ['wallet_id', 'wal'],
    ['customer_id', 'cus'],
  ] as const) {
    const publicId = filters[field];
    if (publicId === undefined) continue;
    const id = decodeId(prefix, publicId);
    if (id === null) return false;
    query.andWhere(`v.${field} = :${field}`, { [field]: id });
  }
  return true;
}
