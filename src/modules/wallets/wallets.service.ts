import { Injectable } from '@nestjs/common';
import { Batcher } from '../../core/database/batcher';
import { ReadPipeline } from '../../core/database/database.module';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import { newId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import type { Replay } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Currency } from '../../core/money/currencies';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { EventType } from '../../core/outbox/event-types';
import type { Viewer } from '../../core/resources/resources';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { Wallet } from './wallet.entity';
import { InvalidWalletTransition, WalletNotEmpty } from './wallets.errors';
import { SELECT_WALLET_PAGE, SELECT_WALLETS_BY_ID, toWalletRecord, type WalletRecord, type WalletRow, walletWrite } from './wallets.queries';
import { WALLET_TRANSITIONS, type WalletStatus } from './wallets.states';

export interface NewWallet {
  readonly currency: Currency;
  readonly label: string | null;
  readonly reference: string | null;
  /** Minor units. */
  readonly lowBalanceThreshold: bigint | null;
  readonly metadata: Record<string, string>;
}

/** Undefined leaves a field as it is. */
export type WalletChanges = Partial<Pick<NewWallet, 'label' | 'lowBalanceThreshold' | 'metadata'>>;

export interface WalletFilters {
  readonly currency?: Currency;
  readonly status?: WalletStatus;
}

/** A wallet after a request, and whether that request had been carried out before. */
export interface WalletResult {
  readonly wallet: WalletRecord;
  readonly replayedBy: Replay['by'] | null;
}

@Injectable()
export class WalletsService {
  private readonly byId: Batcher<string, WalletRecord | null>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly accounts: LedgerAccountsService,
    private readonly reads: ReadPipeline,
  ) {
    this.byId = new Batcher(
      async (ids) => {
        const { rows } = await reads.query<WalletRow>(SELECT_WALLETS_BY_ID, [ids]);
        const records = new Map(rows.map((row) => [row.id, toWalletRecord(row)]));
        return ids.map((id) => records.get(id) ?? null);
      },
      { batchMax: 500, parallel: 2, queueMax: 100_000, overflow: () => new Error('too many wallet reads are waiting') },
    );
  }

  /** Any wallet of the platform; null when there is none. */
  findAny(id: string): Promise<WalletRecord | null> {
    return this.byId.add(id);
  }

  /** The caller's wallet. Throws `NotFound`. */
  async require(owner: Viewer, id: string | null): Promise<WalletRecord> {
    const wallet = id === null ? null : await this.findAny(id);
    return found(wallet && wallet.accountId === owner.accountId && wallet.livemode === owner.livemode ? wallet : null, 'wallet');
  }

  /** Newest first, below the uuid `before`. */
  async list(owner: Viewer, { currency, status }: WalletFilters, before: string | null, take: number): Promise<WalletRecord[]> {
    const values = [owner.accountId, owner.livemode, before ?? HIGHEST_ID, take, currency ?? null, status ?? null];
    const { rows } = await this.reads.query<WalletRow>(SELECT_WALLET_PAGE, values);
    return rows.map(toWalletRecord);
  }

  async create(caller: Caller, wallet: NewWallet, request: RequestClaim): Promise<WalletResult> {
    const id = newId();
    const claim = { ...ownerOf(caller), ...request, reference: wallet.reference, resource: 'wal', resourceId: id } as const;
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    const replay = await this.idempotency.once(claim, (tx) => this.open(tx, caller, id, wallet, origin));
    return this.result(caller, replay?.resourceId ?? id, replay);
  }

  /** Opens a wallet inside a transaction of the caller's. */
  async open(tx: Tx, owner: Viewer, id: string, wallet: NewWallet, origin: EventOrigin): Promise<void> {
    const { lowBalanceThreshold, ...own } = wallet;
    await this.unitOfWork.write(tx, [
      this.accounts.open({ ...ownerOf(owner), id, name: 'wallet', currency: wallet.currency, alertBelow: lowBalanceThreshold }),
      walletWrite({ ...ownerOf(owner), id, ...own }),
      walletEvent(owner, id, 'wallet.created', origin),
    ]);
  }

  async update(caller: Caller, id: string | null, { lowBalanceThreshold, ...own }: WalletChanges, request: RequestClaim): Promise<WalletResult> {
    return this.change(caller, id, request, async (tx, wallet) => {
      const changes = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
      await tx.update(Wallet, { ...ownerOf(wallet), id: wallet.id }, { ...changes, updatedAt: new Date() });
      if (lowBalanceThreshold !== undefined) await this.accounts.setAlert(tx, wallet, lowBalanceThreshold);
      return 'wallet.updated';
    });
  }

  /** Throws `InvalidWalletTransition`; closing also `WalletNotEmpty`. */
  async setStatus(caller: Caller, id: string | null, status: WalletStatus, request: RequestClaim): Promise<WalletResult> {
    return this.change(caller, id, request, async (tx, wallet) => {
      const account = found(await this.accounts.lock(tx, wallet.id), 'wallet');
      if (!WALLET_TRANSITIONS[account.status].includes(status)) throw new InvalidWalletTransition(wallet.id, account.status, status);
      if (status === 'closed' && account.available + account.held !== 0n) throw new WalletNotEmpty(wallet.id);
      await this.accounts.setStatus(tx, account, status);
      return EVENT_OF_STATUS[status];
    });
  }

  private async change(
    caller: Caller,
    walletId: string | null,
    request: RequestClaim,
    effect: (tx: Tx, wallet: WalletRecord) => Promise<EventType>,
  ): Promise<WalletResult> {
    const wallet = await this.require(caller, walletId);
    const { id } = wallet;
    const claim = { ...ownerOf(caller), ...request, reference: null, resource: 'wal', resourceId: id } as const;
    const replay = await this.idempotency.once(claim, async (tx) => {
      const type = await effect(tx, wallet);
      await this.unitOfWork.write(tx, [walletEvent(caller, id, type, { requestId: caller.requestId, idempotencyKey: request.key })]);
    });
    return this.result(caller, id, replay);
  }

  private async result(owner: Viewer, id: string, replay: Replay | null): Promise<WalletResult> {
    return { wallet: await this.require(owner, id), replayedBy: replay?.by ?? null };
  }
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const EVENT_OF_STATUS: Record<WalletStatus, EventType> = { active: 'wallet.unfrozen', frozen: 'wallet.frozen', closed: 'wallet.closed' };

const ownerOf = ({ accountId, livemode }: Viewer): Viewer => ({ accountId, livemode });

const walletEvent = (owner: Viewer, id: string, type: EventType, origin: EventOrigin) =>
  eventWrite({ ...ownerOf(owner), type, objectType: 'wal', objectId: id, origin });
