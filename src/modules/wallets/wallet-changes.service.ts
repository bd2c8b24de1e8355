import { Injectable } from '@nestjs/common';
import { DomainError, found } from '../../core/errors/domain-error';
import { Env } from '../../core/config/env';
import { rows } from '../../core/database/rows';
import { requireRoom } from '../../core/database/quota';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import { encodeId, newId } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Currency } from '../../core/money/money';
import type { EventType } from '../../vocabulary/event-types';
import { type EventOrigin, eventWrite, NO_ORIGIN } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { type AccountRecord, AccountsService } from '../accounts/accounts.service';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { type NewWallet, type WalletChanges, WalletDto } from './wallet.dto';
import { Wallet } from './wallet.entity';
import {
  SELECT_WALLETS_BY_ID,
  toWalletRecord,
  type WalletRecord,
  type WalletRow,
  WalletsService,
  type WalletStatus,
} from './wallets.service';

class InvalidWalletTransition extends DomainError {
  constructor(walletId: string, from: WalletStatus, to: WalletStatus) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      detail: `${encodeId('wal', walletId)} is ${from} and cannot become ${to}.`,
      resourceId: encodeId('wal', walletId),
    });
  }
}

class WalletNotEmpty extends DomainError {
  constructor(walletId: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Wallet not empty',
      detail:
        `${encodeId('wal', walletId)} is not empty: before closing, move its money out, pay back its credit, or let ` +
        'its holds end.',
      recovery: 'account_must_act',
      resourceId: encodeId('wal', walletId),
    });
  }
}

class WalletIsClosed extends DomainError {
  constructor(walletId: string) {
    super({
      code: 'wallet_closed',
      kind: 'conflict',
      title: 'Wallet closed',
      detail: `${encodeId('wal', walletId)} is closed: it has no credit line.`,
      resourceId: encodeId('wal', walletId),
    });
  }
}

/** What every account starts with, in each mode. */
const FIRST_CURRENCY: Currency = 'NGN';

/** A frozen wallet receives but does not pay. A closed one is empty and stays closed. */
const WALLET_TRANSITIONS: Readonly<Record<WalletStatus, readonly WalletStatus[]>> = {
  active: ['frozen', 'closed'],
  frozen: ['active', 'closed'],
  closed: [],
};

const EVENT_OF_STATUS: Record<WalletStatus, EventType> = {
  active: 'wallet.unfrozen',
  frozen: 'wallet.frozen',
  closed: 'wallet.closed',
};

const walletWrite = rows(Wallet).insert({ except: ['version', 'updatedAt'] });

/** Keeps what is said of a wallet, which is about to change: account, mode, id. */
const KEEP_VERSION = `
  WITH w AS (
    UPDATE wallets SET version = version + 1, updated_at = now()
     WHERE account_id = $1 AND livemode = $2 AND id = $3 RETURNING *)
  INSERT INTO wallet_versions (account_id, livemode, wallet_id, version, label, metadata)
  SELECT account_id, livemode, id, version - 1, label, metadata FROM w`;

/** Opens wallets and changes what is not their balance. */
@Injectable()
export class WalletChangesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly accounts: AccountsService,
    private readonly ledgerAccounts: LedgerAccountsService,
    private readonly wallets: WalletsService,
    private readonly env: Env,
  ) {}

  /** Opens an account with its first wallet in test and in live mode. */
  async openAccount(name: string): Promise<AccountRecord> {
    const id = newId();
    await this.unitOfWork.run(async (tx) => {
      await this.accounts.create(tx, id, name);
      for (const livemode of [false, true]) {
        const blank = {
          currency: FIRST_CURRENCY,
          label: null,
          reference: null,
          lowBalanceThreshold: null,
          metadata: {},
        };
        await this.open(tx, { ...blank, accountId: id, livemode, id: newId() }, NO_ORIGIN);
      }
    });
    return this.accounts.require(id);
  }

  /** Throws `LimitExceeded`, `IdempotencyKeyReused`, `DuplicateReference`. */
  async create(caller: Caller, wallet: NewWallet, request: RequestClaim): Promise<Made<WalletRecord>> {
    const id = newId();
    const { accountId, livemode } = caller;
    const claim = {
      accountId,
      livemode,
      ...request,
      reference: wallet.reference,
      resource: 'wal',
      resourceId: id,
    } as const;
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    const replay = await this.idempotency.once(claim, async (tx) => {
      await requireRoom(tx, { table: 'wallets', of: 'wallets', max: this.env.WALLETS_MAX }, caller);
      await this.open(tx, { ...wallet, accountId, livemode, id }, origin);
    });
    return { made: await this.wallets.require(caller, replay?.resourceId ?? id), replayedBy: replay?.by ?? null };
  }

  async update(
    caller: Caller,
    id: string | null,
    { lowBalanceThreshold, ...own }: WalletChanges,
    request: RequestClaim,
  ): Promise<Made<WalletRecord>> {
    const { accountId, livemode } = caller;
    return this.change(caller, id, request, async (tx, wallet) => {
      const changes = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
      await tx.update(Wallet, { accountId, livemode, id: wallet.id }, { ...changes, updatedAt: new Date() });
      if (lowBalanceThreshold !== undefined) await this.ledgerAccounts.setAlert(tx, wallet, lowBalanceThreshold);
      return 'wallet.updated';
    });
  }

  /** Throws `InvalidWalletTransition`; closing also `WalletNotEmpty`. */
  async setStatus(
    caller: Caller,
    id: string | null,
    status: WalletStatus,
    request: RequestClaim,
  ): Promise<Made<WalletRecord>> {
    return this.change(caller, id, request, async (tx, wallet) => {
      const account = found(await this.ledgerAccounts.lock(tx, wallet.id), 'wallet');
      if (!WALLET_TRANSITIONS[account.status].includes(status))
        throw new InvalidWalletTransition(wallet.id, account.status, status);
      if (status === 'closed' && (account.available !== 0n || account.held !== 0n)) throw new WalletNotEmpty(wallet.id);
      await this.ledgerAccounts.setStatus(tx, account, status);
      return EVENT_OF_STATUS[status];
    });
  }

  /**
   * As the owner of the database. Minor units; what is used beyond it stays used, and no debit passes until it is back.
   * Gives the limit before. Throws `WalletIsClosed`.
   */
  async setCreditLimit(tx: Tx, wallet: WalletRecord, limit: bigint): Promise<bigint> {
    const { accountId, livemode, id } = wallet;
    await tx.query(KEEP_VERSION, [accountId, livemode, id]);
    const account = found(await this.ledgerAccounts.lock(tx, id), 'wallet');
    if (account.status === 'closed') throw new WalletIsClosed(id);
    await this.ledgerAccounts.setCreditLimit(tx, account, limit);
    await this.writeEvent(tx, wallet, { type: 'wallet.updated', previous: account.status, origin: NO_ORIGIN });
    return account.creditLimit;
  }

  private async change(
    caller: Caller,
    walletId: string | null,
    request: RequestClaim,
    effect: (tx: Tx, wallet: WalletRecord) => Promise<EventType>,
  ): Promise<Made<WalletRecord>> {
    const wallet = await this.wallets.require(caller, walletId);
    const { id } = wallet;
    const claim = {
      accountId: caller.accountId,
      livemode: caller.livemode,
      ...request,
      reference: null,
      resource: 'wal',
      resourceId: id,
    } as const;
    const replay = await this.idempotency.once(claim, async (tx) => {
      await tx.query(KEEP_VERSION, [wallet.accountId, wallet.livemode, id]);
      const type = await effect(tx, wallet);
      const origin = { requestId: caller.requestId, idempotencyKey: request.key };
      await this.writeEvent(tx, wallet, { type, previous: wallet.status, origin });
    });
    return { made: await this.wallets.require(caller, id), replayedBy: replay?.by ?? null };
  }

  private async open(tx: Tx, wallet: NewWallet & Viewer & { id: string }, origin: EventOrigin): Promise<void> {
    await this.unitOfWork.write(tx, [
      this.ledgerAccounts.open({ ...wallet, name: 'wallet', alertBelow: wallet.lowBalanceThreshold }),
      walletWrite(wallet),
    ]);
    await this.writeEvent(tx, wallet, { type: 'wallet.created', previous: null, origin });
  }

  /** Something happened to a wallet, which is kept as it stands now; `previous`: its status before. */
  private async writeEvent(tx: Tx, { id }: { id: string }, { type, previous, origin }: WalletChange): Promise<void> {
    const [row]: [WalletRow] = await tx.query(SELECT_WALLETS_BY_ID.text, [[id]]);
    const wallet = toWalletRecord(row);
    const { accountId, livemode } = wallet;
    const { id: _id, object: _object, livemode: _livemode, created_at: _createdAt, ...shown } = WalletDto.of(wallet);
    const snapshot = { ...shown, previous_status: previous };
    await this.unitOfWork.write(tx, [
      eventWrite({ accountId, livemode, type, objectType: 'wal', objectId: id, snapshot, origin }),
    ]);
  }
}

interface WalletChange {
  readonly type: EventType;
  readonly previous: WalletStatus | null;
  readonly origin: EventOrigin;
}
