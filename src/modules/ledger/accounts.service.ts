import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { v5 } from 'uuid';
import { Env } from '../../core/config/env';
import { bulkInsert, type Write } from '../../core/database/bulk';
import type { Tx } from '../../core/database/unit-of-work';
import { laneOf } from '../../core/http/ids';
import type { Currency } from '../../core/money/money';
import { type AccountRow, LOCK_ACCOUNTS, STOPS_DEBITS, toAccountState } from './ledger-rows';
import { type AccountState, type Describe, type Freeze, PLATFORM_ACCOUNT_ID, PostingRefused } from './posting';

/** Takes the other side of conversions: what the platform is long of, or short. */
export type FxPosition = 'fx_position' | `fx_position:${string}`;

/**
 * The platform's own ledger accounts, one per currency, mode and lane: what the platform has is their sum. Test money
 * comes from one for each account: nobody can use up another's. What an account owes for its cards has one for each,
 * too, which is never above zero.
 */
export type PlatformAccountName =
  | `sandbox_source:${string}`
  | 'opening'
  | 'fees'
  | 'commissions'
  | 'margins'
  | 'treasury'
  | 'in_transit'
  | `card_issuer:${string}`
  | `card_debts:${string}`
  | 'payment_differences'
  | FxPosition
  | `provider_float:${string}`
  | `gateway:${string}`
  | `deposits:${string}`;

export type LedgerAccountStatus = AccountState['status'];

const insertAccount = bulkInsert('ledger_accounts', {
  account_id: 'uuid',
  id: 'uuid',
  name: 'text',
  currency: 'text',
  livemode: 'boolean',
  alert_below: 'bigint?',
  account_freeze: 'text?',
  account_frozen_until: 'timestamptz?',
});

export interface NewLedgerAccount {
  readonly accountId: string;
  readonly id: string;
  readonly name: 'wallet' | 'card' | PlatformAccountName;
  readonly currency: Currency;
  readonly livemode: boolean;
  /** Minor units; whoever owns the account is told when `available` falls below. */
  readonly alertBelow: bigint | null;
  /** That of its owner's account, which it is made with. */
  readonly accountFreeze?: Freeze | null;
}

/** Opens ledger accounts and changes what is not a balance. */
@Injectable()
export class LedgerAccountsService {
  /** Ids of platform accounts that have their row, by what they follow from. */
  private readonly known = new LRUCache<string, string>({ max: 10_000 });

  constructor(
    private readonly dataSource: DataSource,
    private readonly env: Env,
  ) {}

  /** A new, empty account, as a write of the transaction that makes its owner's resource. */
  open(account: NewLedgerAccount): Write {
    return insertAccount.row({
      account_id: account.accountId,
      id: account.id,
      name: account.name,
      currency: account.currency,
      livemode: account.livemode,
      alert_below: account.alertBelow,
      account_freeze: account.accountFreeze?.direction ?? null,
      account_frozen_until: account.accountFreeze?.until ?? null,
    });
  }

  /**
   * Id of the platform's account on the other side of what an account does: of those of the name, the one of its lane.
   * Its row is made when it is first asked for. The id follows from name and lane.
   */
  async platform(
    name: PlatformAccountName,
    currency: Currency,
    { accountId, livemode }: Pick<NewLedgerAccount, 'accountId' | 'livemode'>,
  ): Promise<string> {
    // What is one account's alone has no lanes.
    const lane = name.endsWith(accountId) ? 0 : laneOf(accountId, this.env.LANES);
    const what = `${name}${lane === 0 ? '' : `#${lane}`}/${currency}/${livemode ? 'live' : 'test'}`;
    const known = this.known.get(what);
    if (known !== undefined) return known;
    const id = v5(what, PLATFORM_NAMESPACE);
    await this.dataSource.query(
      `INSERT INTO ledger_accounts (account_id, id, name, currency, livemode) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT ON CONSTRAINT ledger_accounts_pkey DO NOTHING`,
      [PLATFORM_ACCOUNT_ID, id, name, currency, livemode],
    );
    this.known.set(what, id);
    return id;
  }

  /** What platform accounts of a name hold, below zero what they gave away; without locking them. */
  async platformBalance(name: PlatformAccountName, currency: Currency, livemode: boolean): Promise<bigint> {
    return (await this.platformBalances(name, livemode)).get(currency) ?? 0n;
  }

  /** What platform accounts of a name hold, by currency, but for those that hold nothing. */
  async platformBalances(name: PlatformAccountName, livemode: boolean): Promise<Map<Currency, bigint>> {
    const rows: { currency: Currency; available: string }[] = await this.dataSource.query(
      `SELECT currency, sum(available) AS available FROM ledger_accounts
        WHERE account_id = $1 AND name = $2 AND livemode = $3 GROUP BY currency HAVING sum(available) <> 0`,
      [PLATFORM_ACCOUNT_ID, name, livemode],
    );
    return new Map(rows.map(({ currency, available }) => [currency, BigInt(available)]));
  }

  /** Locks an account against postings until the transaction ends; null when there is none. */
  async lock(tx: Tx, id: string): Promise<AccountState | null> {
    const rows: AccountRow[] = await tx.query(LOCK_ACCOUNTS.text, [[id]]);
    return rows[0] ? toAccountState(rows[0]) : null;
  }

  /**
   * Of what is held and is not on its way yet: no posting would ask. Throws `PostingRefused` while a freeze keeps money
   * from leaving.
   */
  async requirePaying({ accountId, id }: Pick<AccountState, 'accountId' | 'id'>, describe: Describe): Promise<void> {
    const rows: unknown[] = await this.dataSource.query(
      `SELECT FROM ledger_accounts a WHERE account_id = $1 AND id = $2 AND ${STOPS_DEBITS}`,
      [accountId, id],
    );
    if (rows.length > 0) throw new PostingRefused({ reason: 'account_frozen', ledgerAccountId: id }, describe);
  }

  /** Lock first: the status decides whether postings pass. Ends the owner's freeze. */
  async setStatus(
    tx: Tx,
    { accountId, id }: Pick<AccountState, 'accountId' | 'id'>,
    status: Exclude<LedgerAccountStatus, 'frozen'>,
  ): Promise<void> {
    await tx.query(
      `UPDATE ledger_accounts SET status = $3, freeze_direction = NULL, freeze_reason = NULL, frozen_until = NULL
        WHERE account_id = $1 AND id = $2`,
      [accountId, id, status],
    );
  }

  /** Lock first. In place of a freeze of its owner that there may be. */
  async freeze(
    tx: Tx,
    { accountId, id }: Pick<AccountState, 'accountId' | 'id'>,
    { direction, until, reason }: Freeze & { readonly reason: string | null },
  ): Promise<void> {
    await tx.query(
      `UPDATE ledger_accounts SET status = 'frozen', freeze_direction = $3, freeze_reason = $4, frozen_until = $5
        WHERE account_id = $1 AND id = $2`,
      [accountId, id, direction, reason, until],
    );
  }

  /**
   * Freezes all that an account has, wallets and cards of both modes, or with null lets them go. As the owner of the
   * database. Locks as postings do, in the order of ids.
   */
  async freezeAll(tx: Tx, accountId: string, freeze: Freeze | null): Promise<void> {
    await tx.query('SELECT FROM ledger_accounts WHERE account_id = $1 ORDER BY id FOR NO KEY UPDATE', [accountId]);
    await tx.query('UPDATE ledger_accounts SET account_freeze = $2, account_frozen_until = $3 WHERE account_id = $1', [
      accountId,
      freeze?.direction ?? null,
      freeze?.until ?? null,
    ]);
  }

  /**
   * Minor units. As the owner of the database. What is used beyond it stays used: no debit passes until it is back.
   * Lock first: it counts from the next entry on.
   */
  async setCreditLimit(
    tx: Tx,
    { accountId, id }: Pick<AccountState, 'accountId' | 'id'>,
    limit: bigint,
  ): Promise<void> {
    await tx.query(SET_CREDIT_LIMIT, [accountId, id, limit.toString()]);
  }

  /** As it stood at a moment. Minor units. */
  async creditLimitAt({ accountId, id }: Pick<AccountState, 'accountId' | 'id'>, at: Date): Promise<bigint> {
    const [row]: { credit_limit: string }[] = await this.dataSource.query(
      `SELECT credit_limit FROM credit_lines WHERE account_id = $1 AND ledger_account_id = $2 AND created_at <= $3
        ORDER BY version DESC LIMIT 1`,
      [accountId, id, at],
    );
    return BigInt(row?.credit_limit ?? 0);
  }

  async setAlert(
    tx: Tx,
    { accountId, id }: Pick<AccountState, 'accountId' | 'id'>,
    below: bigint | null,
  ): Promise<void> {
    await tx.query('UPDATE ledger_accounts SET alert_below = $3 WHERE account_id = $1 AND id = $2', [
      accountId,
      id,
      below?.toString() ?? null,
    ]);
  }
}

/** Account, ledger account, limit. The table stops what is below the limit already where it is. */
const SET_CREDIT_LIMIT = `
  WITH a AS (
    UPDATE ledger_accounts SET credit_limit = $3, lowest = least(-$3::bigint, available)
     WHERE account_id = $1 AND id = $2 RETURNING account_id, id, seq, updated_at)
  INSERT INTO credit_lines (account_id, ledger_account_id, version, credit_limit, since_seq, created_at)
  SELECT a.account_id, a.id, coalesce((SELECT max(version) FROM credit_lines c
           WHERE c.account_id = a.account_id AND c.ledger_account_id = a.id), 0) + 1,
         $3, a.seq, greatest(a.updated_at, now())
    FROM a`;

const PLATFORM_NAMESPACE = 'b6f3d0de-5f0c-4f6b-9a53-6c2f1d8e7a10';
