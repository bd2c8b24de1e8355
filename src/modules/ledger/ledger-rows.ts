import { bulkInsert, bulkUpdate, unnested, type Write } from '../../core/database/bulk';
import type { Currency } from '../../core/money/money';
import type { FreezeDirection } from '../../vocabulary/freezes';
import { type AccountState, type Entry, type FreezeOfAccount, type HoldState, PLATFORM_ACCOUNT_ID } from './posting';

export const BEGIN = { name: 'begin', text: 'BEGIN' };
export const COMMIT = { name: 'commit', text: 'COMMIT' };
export const ROLLBACK = { name: 'rollback', text: 'ROLLBACK' };

const FREEZE_COLUMNS = 'freeze_direction, freeze_reason, frozen_until, account_freeze, account_frozen_until';

export interface FreezeRow {
  freeze_direction: FreezeDirection | null;
  freeze_reason: string | null;
  frozen_until: Date | null;
  account_freeze: FreezeDirection | null;
  account_frozen_until: Date | null;
}

const NO_FREEZES: readonly FreezeOfAccount[] = [];

export function toFreezes(row: FreezeRow): readonly FreezeOfAccount[] {
  const { freeze_direction: freeze, account_freeze: ofAccount } = row;
  if (freeze === null && ofAccount === null) return NO_FREEZES;
  const own = { by: 'owner', direction: freeze!, reason: row.freeze_reason, until: row.frozen_until } as const;
  const operators = { by: 'operator', direction: ofAccount!, reason: null, until: row.account_frozen_until } as const;
  return [...(freeze === null ? [] : [own]), ...(ofAccount === null ? [] : [operators])];
}

/**
 * The ledger account `a` of each `v.id`, from the end of the index: while somebody holds a snapshot every version of a
 * row stays, and the newest is where it went last. `id = v.id` would walk through all of them, the oldest first.
 */
export const newestAccount = (columns: string, lock = ''): string => `LATERAL (
      SELECT ${columns} FROM ledger_accounts WHERE id >= v.id AND id <= v.id
       ORDER BY id DESC, place DESC LIMIT 1 ${lock}) a`;

const ACCOUNT_COLUMNS = `id, account_id, name, currency, livemode, status, alert_below, credit_limit, available, held,
      seq, updated_at, ctid, place, ${FREEZE_COLUMNS}`;

/** Ledger accounts by id. What went to another cell is not here any more. */
const accountsText = (lock: string): string => `
    SELECT a.* FROM (SELECT unnest($1::uuid[]) AS id ORDER BY 1) v CROSS JOIN ${newestAccount(ACCOUNT_COLUMNS, lock)}
     WHERE a.status <> 'moved'`;

export const READ_ACCOUNTS = { name: 'read_ledger_accounts', text: accountsText('') };

/** Locks in the order of ids, so that two batches never wait for each other in a circle. */
export const LOCK_ACCOUNTS = { name: 'lock_ledger_accounts', text: accountsText('FOR NO KEY UPDATE') };

/** What of ledger accounts `a` is true now, however late who ends freezes is: no debit, or not `active`. */
const inForce = (freeze: string, until: string): string => `(${freeze} AND (${until} IS NULL OR ${until} > now()))`;
export const STOPS_DEBITS = `(${inForce(`coalesce(a.freeze_direction, 'credit') <> 'credit'`, 'a.frozen_until')}
  OR ${inForce(`coalesce(a.account_freeze, 'credit') <> 'credit'`, 'a.account_frozen_until')})`;
export const STATUS_NOW = `CASE WHEN a.status = 'closed' THEN 'closed'
  WHEN ${inForce('a.freeze_direction IS NOT NULL', 'a.frozen_until')}
    OR ${inForce('a.account_freeze IS NOT NULL', 'a.account_frozen_until')} THEN 'frozen' ELSE 'active' END`;

export const LOCK_HOLDS = {
  name: 'lock_ledger_holds',
  text: `SELECT h.account_id, h.id, h.ledger_account_id, h.amount, h.captured, h.released
    FROM ledger_holds h JOIN ${unnested({ account_id: 'uuid', id: 'uuid' })} AS v USING (account_id, id)
    ORDER BY h.id FOR NO KEY UPDATE OF h`,
};

export const FIND_BATCH = { name: 'find_ledger_batch', text: 'SELECT 1 FROM ledger_batches WHERE id = $1' };

export interface AccountRow extends FreezeRow {
  id: string;
  account_id: string;
  name: string;
  currency: Currency;
  livemode: boolean;
  status: AccountState['status'];
  alert_below: string | null;
  credit_limit: string;
  available: string;
  held: string;
  seq: string;
  updated_at: Date;
  ctid: string;
  place: string;
}

export const toAccountState = (row: AccountRow): AccountState => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  currency: row.currency,
  livemode: row.livemode,
  status: row.status,
  freezes: toFreezes(row),
  alertBelow: row.alert_below === null ? null : BigInt(row.alert_below),
  creditLimit: BigInt(row.credit_limit),
  available: BigInt(row.available),
  held: BigInt(row.held),
  seq: BigInt(row.seq),
  updatedAt: row.updated_at.getTime(),
  ctid: row.ctid,
  place: BigInt(row.place),
});

export interface HoldRow {
  account_id: string;
  id: string;
  ledger_account_id: string;
  amount: string;
  captured: string;
  released: string;
}

export const toHoldState = (row: HoldRow): HoldState => ({
  id: row.id,
  accountId: row.account_id,
  ledgerAccountId: row.ledger_account_id,
  amount: BigInt(row.amount),
  captured: BigInt(row.captured),
  released: BigInt(row.released),
});

// The lock already makes this the only writer, and keeps the row where it is; `seq` proves it again in the table: with
// the lock gone, a second writer would match no row and its whole batch would fail.
const updateAccount = bulkUpdate(
  'ledger_accounts',
  {
    ctid: 'tid',
    id: 'uuid',
    available: 'bigint',
    held: 'bigint',
    seq: 'bigint',
    seq_before: 'bigint',
    updated_at: 'timestamptz',
    place: 'bigint',
  },
  {
    name: 'update_ledger_accounts',
    key: ['ctid', 'id'],
    set: { available: 'v.available', held: 'v.held', seq: 'v.seq', updated_at: 'v.updated_at', place: 'v.place' },
    where: 't.seq = v.seq_before',
  },
);

export const accountWrite = (account: AccountState, seqBefore: bigint): Write =>
  updateAccount.row({
    ctid: account.ctid,
    id: account.id,
    available: account.available,
    held: account.held,
    seq: account.seq,
    seq_before: seqBefore,
    updated_at: new Date(account.updatedAt),
    place: placeAfter(account),
  });

/** Half of a place is the page where the row was before; the other half says how often that was another one. */
const PAGE = 0xffff_ffffn;
const MOVES = 32n;

/** It changes, and the indexes with it, only where a version found no room on the page: see migration 0136. */
function placeAfter({ accountId, ctid, place }: AccountState): bigint {
  if (accountId === PLATFORM_ACCOUNT_ID) return place;
  const page = BigInt(ctid.slice(1, ctid.indexOf(',')));
  return (place & PAGE) === page ? place : (((place >> MOVES) + 1n) << MOVES) | page;
}

const ENTRY_COLUMNS = {
  account_id: 'uuid',
  ledger_account_id: 'uuid',
  created_at: 'timestamptz',
  seq: 'bigint',
  batch_id: 'uuid',
  posting_id: 'uuid',
  transaction_id: 'uuid?',
  amount: 'bigint',
  available_after: 'bigint',
  held_after: 'bigint',
  bucket: 'text',
} as const;

const insertEntry = bulkInsert('ledger_entries', ENTRY_COLUMNS);

/** Of the few accounts that may be below zero: the others pay nothing for the flag. */
const insertEntryOnCredit = bulkInsert(
  'ledger_entries',
  { ...ENTRY_COLUMNS, on_credit: 'boolean' },
  'insert_ledger_entries_on_credit',
);

export function entryWrite(entry: Entry, batchId: string): Write {
  const row = {
    account_id: entry.accountId,
    ledger_account_id: entry.ledgerAccountId,
    created_at: new Date(entry.createdAt),
    seq: entry.seq,
    batch_id: batchId,
    posting_id: entry.postingId,
    transaction_id: entry.transactionId,
    amount: entry.amount,
    available_after: entry.availableAfter,
    held_after: entry.heldAfter,
    bucket: entry.bucket,
  };
  return entry.onCredit ? insertEntryOnCredit.row({ ...row, on_credit: true }) : insertEntry.row(row);
}

const HOLD_COLUMNS = {
  account_id: 'uuid',
  id: 'uuid',
  ledger_account_id: 'uuid',
  amount: 'bigint',
  captured: 'bigint',
  released: 'bigint',
  updated_at: 'timestamptz',
} as const;

const insertHold = bulkInsert('ledger_holds', HOLD_COLUMNS);

const updateHold = bulkUpdate('ledger_holds', HOLD_COLUMNS, {
  name: 'update_ledger_holds',
  key: ['account_id', 'id'],
  set: { captured: 'v.captured', released: 'v.released', updated_at: 'v.updated_at' },
});

export const holdWrite = (hold: HoldState, isNew: boolean, at: Date): Write =>
  (isNew ? insertHold : updateHold).row({
    account_id: hold.accountId,
    id: hold.id,
    ledger_account_id: hold.ledgerAccountId,
    amount: hold.amount,
    captured: hold.captured,
    released: hold.released,
    updated_at: at,
  });

const insertBatch = bulkInsert('ledger_batches', { id: 'uuid', digest: 'bytea' });

export const batchWrite = (id: string, digest: Buffer): Write => insertBatch.row({ id, digest });
