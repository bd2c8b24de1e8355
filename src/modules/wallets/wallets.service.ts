import { Injectable } from '@nestjs/common';
import { Batcher } from '../../core/database/batcher';
import type { Write } from '../../core/database/bulk';
import type { Pairs } from '../../core/database/metadata';
import { ReadPipeline } from '../../core/database/pipeline';
import { DomainError, found } from '../../core/errors/domain-error';
import { encodeId, HIGHEST_ID } from '../../core/http/ids';
import { everyRow, type Position } from '../../core/http/pages';
import { type Currency, displayMoney, toJsonNumber } from '../../core/money/money';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { type LedgerAccountStatus, LedgerAccountsService } from '../ledger/accounts.service';
import { type EntryRange, LedgerEntriesService, type LedgerEntry } from '../ledger/entries.service';
import { type FreezeRow, newestAccount, STATUS_NOW, toFreezes } from '../ledger/ledger-rows';
import { creditLeft, type FreezeOfAccount, isInForce, type Posted } from '../ledger/posting';
import type { TransactionType } from '../../vocabulary/products';
import type { Wallet } from './wallet.entity';

export type WalletStatus = LedgerAccountStatus;

/** A wallet with what the ledger says of it. Minor units. */
export interface WalletRecord extends Wallet {
  /** As it is now: a freeze that is over does not count. */
  readonly status: WalletStatus;
  /** Those in force. */
  readonly freezes: readonly FreezeOfAccount[];
  readonly available: bigint;
  readonly held: bigint;
  /** What may be spent beyond `available`; an operator's to set. */
  readonly creditLimit: bigint;
  readonly lowBalanceThreshold: bigint | null;
  /** Number of movements. */
  readonly seq: bigint;
}

export interface WalletRow extends FreezeRow {
  account_id: string;
  livemode: boolean;
  id: string;
  currency: Wallet['currency'];
  label: string | null;
  reference: string | null;
  metadata: Record<string, string>;
  status: WalletStatus;
  available: string;
  held: string;
  credit_limit: string;
  alert_below: string | null;
  seq: string;
  version: number;
  updated_at: Date;
}

/** What counts of status and freezes in a moment, in milliseconds since the epoch. */
function statusAt(
  { status, freezes }: Pick<WalletState, 'status' | 'freezes'>,
  now: number,
): Pick<WalletRecord, 'status' | 'freezes'> {
  const open = freezes.filter((freeze) => isInForce(freeze, now));
  if (status === 'closed') return { status, freezes: [] };
  return { status: open.length > 0 ? 'frozen' : 'active', freezes: open };
}

export const toWalletRecord = (row: WalletRow): WalletRecord => ({
  accountId: row.account_id,
  livemode: row.livemode,
  id: row.id,
  currency: row.currency,
  label: row.label,
  reference: row.reference,
  metadata: row.metadata,
  ...statusAt({ status: row.status, freezes: toFreezes(row) }, Date.now()),
  available: BigInt(row.available),
  held: BigInt(row.held),
  creditLimit: BigInt(row.credit_limit),
  lowBalanceThreshold: row.alert_below === null ? null : BigInt(row.alert_below),
  seq: BigInt(row.seq),
  version: row.version,
  updatedAt: row.updated_at,
});

const WALLET_COLUMNS = `w.account_id, w.livemode, w.id, w.currency, w.label, w.reference, w.metadata,
  a.status, a.freeze_direction, a.freeze_reason, a.frozen_until, a.account_freeze, a.account_frozen_until,
  a.available, a.held, a.credit_limit, a.alert_below, a.seq, w.version,
  greatest(w.updated_at, a.updated_at) AS updated_at`;

const OWN_WALLET = 'JOIN wallets w ON w.account_id = a.account_id AND w.livemode = a.livemode AND w.id = a.id';

/** Wallets with their balances, by id, whoever owns them: the caller compares account and mode. */
export const SELECT_WALLETS_BY_ID = {
  name: 'select_wallets_by_id',
  text: `SELECT ${WALLET_COLUMNS} FROM (SELECT unnest($1::uuid[]) AS id) v CROSS JOIN ${newestAccount('*')}
    ${OWN_WALLET}`,
};

/** All of an account that are not closed, of both modes. */
export const SELECT_ALL_WALLETS = `
  SELECT ${WALLET_COLUMNS} FROM ledger_accounts a ${OWN_WALLET} WHERE w.account_id = $1 AND a.status <> 'closed'`;

/** One page of an account's wallets, newest first: account, mode, id to continue below, number of rows. */
const SELECT_WALLET_PAGE = {
  name: 'select_wallet_page',
  text: `SELECT ${WALLET_COLUMNS} FROM wallets w JOIN ledger_accounts a ON a.account_id = w.account_id AND a.id = w.id
    WHERE w.account_id = $1 AND w.livemode = $2 AND w.id < $3 AND ($5::text IS NULL OR w.currency = $5)
      AND ($6::text IS NULL OR ${STATUS_NOW} = $6) AND ($7::jsonb IS NULL OR w.metadata @> $7)
    ORDER BY w.id DESC LIMIT $4`,
};

const SELECT_OLDEST_WALLET = {
  name: 'select_oldest_wallet',
  text: `SELECT w.id FROM wallets w JOIN ledger_accounts a ON a.account_id = w.account_id AND a.id = w.id
    WHERE w.account_id = $1 AND w.livemode = $2 AND w.currency = $3 AND ${STATUS_NOW} = 'active' ORDER BY w.id LIMIT 1`,
};

/** What was said of a wallet at an event: account, mode, id, entry, number of the event. No row: what is said now. */
const SELECT_VERSION_AT = {
  name: 'select_wallet_version_at',
  text: `SELECT version, label, metadata FROM wallet_versions
    WHERE account_id = $1 AND livemode = $2 AND wallet_id = $3 AND coalesce(until_seq >= $4, until > $5)
    ORDER BY version LIMIT 1`,
};

/** As many holds as are shown at once. */
const HOLDS_MAX = 1_000;

/**
 * What of a wallet is held, and by what, as they stood together: account, mode, wallet, number of rows. A hold has the
 * id of its transaction; of those that are over none is left, so their index need not be large. One that a second
 * person has not decided about is given back when the transaction, or its refund, is looked at next.
 */
const SELECT_HOLDS = {
  name: 'select_wallet_holds',
  text: `SELECT a.held, h.* FROM ledger_accounts a LEFT JOIN LATERAL (
      SELECT t.id, t.type, h.amount - h.captured - h.released AS amount, h.updated_at AS since,
             CASE WHEN t.status = 'pending' AND EXISTS (
               SELECT 1 FROM approvals p
                WHERE p.account_id = $1 AND p.livemode = $2 AND p.id = t.id AND p.decision IS NULL)
             THEN coalesce(t.next_check_at, (
               SELECT r.approve_by FROM refunds r
                WHERE r.account_id = $1 AND r.livemode = $2 AND r.transaction_id = t.id)) END AS "releasesAt"
        FROM transactions t JOIN ledger_holds h ON h.account_id = t.account_id AND h.id = t.id
       WHERE t.account_id = $1 AND t.livemode = $2 AND t.wallet_id = $3 AND t.status IN ('pending', 'processing')
         AND h.ledger_account_id = $3 AND h.captured + h.released < h.amount
       ORDER BY t.id DESC LIMIT $4) h ON true
     WHERE a.account_id = $1 AND a.id = $3`,
};

/** Money of a wallet that is promised to something under way. Minor units. */
export interface WalletHold {
  /** Of the transaction that holds it. */
  readonly id: string;
  readonly type: TransactionType;
  readonly amount: bigint;
  readonly since: Date;
  /** By the account's clock; null: nobody can say. */
  readonly releasesAt: Date | null;
}

export interface WalletHolds {
  /** All that is held, also by what is not listed. */
  readonly held: bigint;
  /** Newest first, at most `HOLDS_MAX`. */
  readonly holds: readonly WalletHold[];
  readonly hasMore: boolean;
}

export interface StatementRange {
  readonly created_gte?: Date;
  readonly created_lt?: Date;
}

export interface WalletFilters {
  readonly currency?: Currency;
  readonly status?: WalletStatus;
  readonly metadata?: Pairs;
}

/** There is no wallet that could pay or be credited. */
class NoWallet extends DomainError {
  constructor(currency: string) {
    super({
      code: 'not_found',
      kind: 'not_found',
      title: 'Not found',
      param: '/wallet_id',
      detail: `You have no active wallet in ${currency}: open one, or name another.`,
      recovery: 'account_must_act',
    });
  }
}

/** Reads wallets with their balances and histories. What is announced of them stands at the end of this file. */
@Injectable()
export class WalletsService {
  private readonly byId: Batcher<string, WalletRecord | null>;

  constructor(
    private readonly reads: ReadPipeline,
    private readonly entries: LedgerEntriesService,
    private readonly accounts: LedgerAccountsService,
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
  async require(owner: Viewer, id: string | null, param?: string): Promise<WalletRecord> {
    const wallet = id === null ? null : await this.findAny(id);
    return found(
      wallet && wallet.accountId === owner.accountId && wallet.livemode === owner.livemode ? wallet : null,
      'wallet',
      param,
    );
  }

  /** What was said of a wallet at one of its entries, which the event of this number tells. */
  async saidAt(
    { accountId, livemode, id, version, label, metadata }: WalletRecord,
    seq: number,
    number: string,
  ): Promise<Pick<WalletRecord, 'version' | 'label' | 'metadata'>> {
    const now = { version, label, metadata };
    if (version === 1) return now;
    const { rows } = await this.reads.query<typeof now>(SELECT_VERSION_AT, [accountId, livemode, id, seq, number]);
    return rows[0] ?? now;
  }

  /** The owner's oldest wallet of a currency that can pay; null when there is none. */
  async findOldest({ accountId, livemode }: Viewer, currency: Currency): Promise<string | null> {
    const { rows } = await this.reads.query<{ id: string }>(SELECT_OLDEST_WALLET, [accountId, livemode, currency]);
    return rows[0]?.id ?? null;
  }

  /** The same; throws `NoWallet` when there is none. */
  async requireOldest(owner: Viewer, currency: Currency): Promise<string> {
    const oldest = await this.findOldest(owner, currency);
    if (oldest === null) throw new NoWallet(currency);
    return oldest;
  }

  /** Newest first, below the uuid `before`. */
  async list(
    owner: Viewer,
    { currency, status, metadata }: WalletFilters,
    before: string | null,
    take: number,
  ): Promise<WalletRecord[]> {
    const values = [
      owner.accountId,
      owner.livemode,
      before ?? HIGHEST_ID,
      take,
      currency ?? null,
      status ?? null,
      metadata ? JSON.stringify(metadata) : null,
    ];
    const { rows } = await this.reads.query<WalletRow>(SELECT_WALLET_PAGE, values);
    return rows.map(toWalletRecord);
  }

  /** What is held, and by what: of one moment, so the sum of the amounts is what is held. */
  async holds({ accountId, livemode, id }: WalletRecord): Promise<WalletHolds> {
    const { rows } = await this.reads.query<Omit<WalletHold, 'amount'> & { held: string; amount: string | null }>(
      SELECT_HOLDS,
      [accountId, livemode, id, HOLDS_MAX + 1],
    );
    const holds = rows.flatMap(({ amount, ...hold }) => (amount === null ? [] : { ...hold, amount: BigInt(amount) }));
    return { held: BigInt(rows[0]!.held), holds: holds.slice(0, HOLDS_MAX), hasMore: holds.length > HOLDS_MAX };
  }

  /** A wallet's history, newest first, from behind `after` (the `positionOf` an entry). */
  listEntries(
    wallet: WalletRecord,
    range: StatementRange,
    after: Position | null,
    take: number,
  ): Promise<LedgerEntry[]> {
    const { created_gte: from = new Date(0), created_lt: before = new Date('9999-01-01') } = range;
    const start: EntryRange = after
      ? { from, before: new Date(after[0]!), seq: BigInt(after[1]!) }
      : { from, before, seq: 0n };
    return this.entries.page(refOf(wallet), start, take);
  }

  /** The whole history, newest first. */
  streamEntries(wallet: WalletRecord, range: StatementRange): AsyncGenerator<LedgerEntry> {
    return everyRow((after: Position | null, take) => this.listEntries(wallet, range, after, take), positionOf);
  }

  /** The wallet with its balances as they stood at a moment. */
  async at(wallet: WalletRecord, at: Date): Promise<WalletRecord> {
    const [balances, creditLimit] = await Promise.all([
      this.entries.balancesAt(refOf(wallet), at),
      this.accounts.creditLimitAt(wallet, at),
    ]);
    return { ...wallet, ...balances, creditLimit };
  }
}

export const positionOf = ({ createdAt, seq }: LedgerEntry): Position => [createdAt.toISOString(), seq.toString()];

const refOf = ({ accountId, id }: WalletRecord) => ({ accountId, ledgerAccountId: id });

type WalletState = ReturnType<Posted['account']>;

/**
 * The fields of a wallet that the ledger knows. Few bytes, for there is one
 * with each movement: what is usual is left out.
 */
const moneyOf = (wallet: WalletState) => {
  const { available, held, creditLimit, currency, seq, alertBelow, updatedAt } = wallet;
  const { status, freezes } = statusAt(wallet, updatedAt);
  return {
    seq: toJsonNumber(seq),
    ...(creditLimit !== 0n && { credit_limit: toJsonNumber(creditLimit) }),
    ...(status !== 'active' && { status }),
    ...(freezes.length > 0 && { freezes: freezes.map(presentFreeze) }),
    ...(alertBelow !== null && { low_balance_threshold: toJsonNumber(alertBelow) }),
    balance: {
      available: toJsonNumber(available),
      held: toJsonNumber(held),
      ledger: toJsonNumber(available + held),
      ...(creditLimit !== 0n && { credit_available: toJsonNumber(creditLeft({ available, creditLimit })) }),
    },
    balance_display: displayMoney({ amount: available, currency }),
  };
};

/** As it is shown. */
export const presentFreeze = ({ by, direction, reason, until }: FreezeOfAccount) => ({ by, direction, reason, until });

/** What arrived at a wallet. */
export interface Arrival {
  readonly transactionId: string;
  /** Minor units. */
  readonly amount: bigint;
  /** Wallet uuid. */
  readonly sender?: string;
  /** Whoever sent it calls it so. */
  readonly reference?: string | null;
}

/** `wallet.credited`: money arrived. The snapshot keeps the balance as it stood then, and what arrived from whom. */
export function creditedEvent(
  wallet: WalletState,
  { transactionId, amount, sender, reference = null }: Arrival,
  origin: EventOrigin,
): Write {
  const { accountId, livemode, id } = wallet;
  const arrived = {
    transaction_id: encodeId('txn', transactionId),
    amount: toJsonNumber(amount),
    sender: sender === undefined ? null : encodeId('wal', sender),
    reference,
  };
  const snapshot = { ...moneyOf(wallet), ...arrived };
  return eventWrite({
    accountId,
    livemode,
    type: 'wallet.credited',
    objectType: 'wal',
    objectId: id,
    snapshot,
    origin,
  });
}

/** `wallet.low_balance` for each wallet whose available money fell through its threshold with this posting. */
export function lowBalanceEvents({ entries, account }: Posted, origin: EventOrigin): Write[] {
  return entries.flatMap((entry) => {
    const wallet = account(entry.ledgerAccountId);
    const below = wallet.alertBelow;
    if (below === null || entry.bucket !== 'available' || entry.availableAfter >= below) return [];
    if (entry.availableAfter - entry.amount < below) return [];
    const { accountId, livemode, id } = wallet;
    const snapshot = moneyOf(wallet);
    return [
      eventWrite({
        accountId,
        livemode,
        type: 'wallet.low_balance',
        objectType: 'wal',
        objectId: id,
        snapshot,
        origin,
      }),
    ];
  });
}
