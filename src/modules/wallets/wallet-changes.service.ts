import { Injectable } from '@nestjs/common';
import { DomainError, FieldRefused, found } from '../../core/errors/domain-error';
import { Cells } from '../../core/cells/cells';
import { Clock } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { Env } from '../../core/config/env';
import { rows } from '../../core/database/rows';
import { requireRoom } from '../../core/database/quota';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import { encodeId, newIdOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Currency } from '../../core/money/money';
import type { EventType } from '../../vocabulary/event-types';
import { type EventOrigin, eventWrite, NO_ORIGIN } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { type AccountRecord, AccountsService } from '../accounts/accounts.service';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { type AccountState, type FreezeOfAccount, isInForce } from '../ledger/posting';
import { type NewFreeze, type NewWallet, type WalletChanges, WalletDto } from './wallet.dto';
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

class FrozenByOperator extends DomainError {
  constructor(walletId: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Frozen by an operator',
      detail: `${encodeId('wal', walletId)} is frozen with its account: an operator has done so, and ends it.`,
      recovery: 'none',
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

/** What the owner does to a wallet. A closed wallet is empty and stays closed. */
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

/** A ledger account as its owner left it: what an operator froze is another matter. */
interface Own {
  readonly account: AccountState;
  readonly status: WalletStatus;
  readonly freeze: FreezeOfAccount | null;
}

const ownFreezeOf = ({ freezes }: AccountState): FreezeOfAccount | null =>
  freezes.find(({ by }) => by === 'owner') ?? null;

const isSame = (a: Omit<NewFreeze, 'isReplacing'>, b: FreezeOfAccount): boolean =>
  a.direction === b.direction && a.reason === b.reason && a.until?.getTime() === b.until?.getTime();

const walletWrite = rows(Wallet).insert({ except: ['version', 'updatedAt'] });

/**
 * Keeps what is said of a wallet, which is about to change: account, mode, id. No money moves in it until then: each of
 * its versions is one state.
 */
export const KEEP_VERSION = `
  WITH w AS (
    UPDATE wallets SET version = version + 1, updated_at = now()
     WHERE account_id = $1 AND livemode = $2 AND id = $3 RETURNING *),
  a AS (
    SELECT a.id, a.seq FROM w JOIN ledger_accounts a ON a.account_id = w.account_id AND a.id = w.id
     ORDER BY a.id FOR NO KEY UPDATE OF a)
  INSERT INTO wallet_versions (account_id, livemode, wallet_id, version, label, metadata, until_seq)
  SELECT account_id, livemode, id, version - 1, label, metadata, seq FROM w JOIN a USING (id)`;

/** Opens wallets and changes what is not their balance. */
@Injectable()
export class WalletChangesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly accounts: AccountsService,
    private readonly ledgerAccounts: LedgerAccountsService,
    private readonly wallets: WalletsService,
    private readonly clock: Clock,
    private readonly env: Env,
    private readonly cells: Cells,
  ) {}

  /** Opens an account with its first wallet in test and in live mode. */
  async openAccount(name: string): Promise<AccountRecord> {
    const id = this.cells.newAccountId();
    await this.unitOfWork.run(async (tx) => {
      await this.cells.keep(tx, id);
      await this.accounts.create(tx, id, name);
      for (const livemode of [false, true]) {
        const blank = {
          currency: FIRST_CURRENCY,
          label: null,
          reference: null,
          lowBalanceThreshold: null,
          metadata: {},
        };
        await this.open(tx, { ...blank, accountId: id, livemode, id: newIdOf(id) }, NO_ORIGIN);
      }
    });
    return this.accounts.require(id);
  }

  /** Throws `LimitExceeded`, `IdempotencyKeyReused`, `DuplicateReference`. */
  async create(caller: Caller, wallet: NewWallet, request: RequestClaim): Promise<Made<WalletRecord>> {
    const { accountId, livemode } = caller;
    const id = newIdOf(accountId);
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

  /** In place of another freeze of the owner's only if it says so. Throws `FieldRefused`, `InvalidWalletTransition`. */
  async freeze(
    caller: Caller,
    id: string | null,
    freeze: NewFreeze,
    request: RequestClaim,
  ): Promise<Made<WalletRecord>> {
    const now = await this.clock.now(caller);
    return this.change(caller, id, request, async (tx, wallet) => {
      // Not before: who sends the request again when it is over is answered with what it made.
      if (freeze.until !== null && freeze.until <= now)
        throw new FieldRefused('/until', 'until must be a time to come.');
      const own = await this.lockOwn(tx, wallet, now);
      const givesWay = own.freeze !== null && freeze.isReplacing && !isSame(freeze, own.freeze);
      if (!givesWay && !WALLET_TRANSITIONS[own.status].includes('frozen'))
        throw new InvalidWalletTransition(wallet.id, own.status, 'frozen');
      await this.ledgerAccounts.freeze(tx, own.account, freeze);
      return 'wallet.frozen';
    });
  }

  /** Throws `InvalidWalletTransition`, `FrozenByOperator`; closing also `WalletNotEmpty`. */
  async setStatus(
    caller: Caller,
    id: string | null,
    status: 'active' | 'closed',
    request: RequestClaim,
  ): Promise<Made<WalletRecord>> {
    const now = await this.clock.now(caller);
    return this.change(caller, id, request, async (tx, wallet) => {
      const { account, status: own } = await this.lockOwn(tx, wallet, now);
      if (status === own && wallet.freezes.some(({ by }) => by === 'operator')) throw new FrozenByOperator(wallet.id);
      if (!WALLET_TRANSITIONS[own].includes(status)) throw new InvalidWalletTransition(wallet.id, own, status);
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

  /**
   * The wallet's ledger account, locked, in the state in which the owner left it. A freeze that is over by the
   * account's clock is ended first, and that is told as a change of its own.
   */
  private async lockOwn(tx: Tx, wallet: WalletRecord, now: Date): Promise<Own> {
    const account = found(await this.ledgerAccounts.lock(tx, wallet.id), 'wallet');
    const freeze = ownFreezeOf(account);
    if (freeze === null || isInForce(freeze, now.getTime())) return { account, status: account.status, freeze };
    await this.ledgerAccounts.setStatus(tx, account, 'active');
    await this.writeEvent(tx, wallet, { type: 'wallet.unfrozen', previous: 'frozen', origin: NO_ORIGIN });
    await tx.query(KEEP_VERSION, [wallet.accountId, wallet.livemode, wallet.id]);
    return { account, status: 'active', freeze: null };
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
    // Behind a lock: an account that is being frozen finds this wallet, or this wallet that freeze.
    const accountFreeze = await this.accounts.freezeWithin(tx, wallet.accountId);
    await this.unitOfWork.write(tx, [
      this.ledgerAccounts.open({ ...wallet, name: 'wallet', alertBelow: wallet.lowBalanceThreshold, accountFreeze }),
      walletWrite(wallet),
    ]);
    await this.writeEvent(tx, wallet, { type: 'wallet.created', previous: null, origin });
  }

  private async writeEvent(tx: Tx, { id }: { id: string }, { type, previous, origin }: WalletChange): Promise<void> {
    const [row]: [WalletRow] = await tx.query(SELECT_WALLETS_BY_ID.text, [[id]]);
    await this.unitOfWork.write(tx, [walletEvent(toWalletRecord(row), { type, previous, origin })]);
  }
}

/** Something happened to a wallet, which is kept as it stands now. One that an operator froze stays frozen. */
export function walletEvent(wallet: WalletRecord, { type, previous, origin }: WalletChange): Write {
  const { accountId, livemode, id, status } = wallet;
  const { id: _id, object: _object, livemode: _livemode, created_at: _createdAt, ...shown } = WalletDto.of(wallet);
  return eventWrite({
    accountId,
    livemode,
    type: type === 'wallet.unfrozen' && status === 'frozen' ? 'wallet.updated' : type,
    objectType: 'wal',
    objectId: id,
    snapshot: { ...shown, previous_status: previous },
    origin,
  });
}

interface WalletChange {
  readonly type: EventType;
  /** Its status before. */
  readonly previous: WalletStatus | null;
  readonly origin: EventOrigin;
}
