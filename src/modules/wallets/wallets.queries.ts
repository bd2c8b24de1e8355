import { bulkInsert, type Write } from '../../core/database/bulk';
import type { Transfer } from './transfer.entity';
import type { Wallet } from './wallet.entity';
import type { WalletStatus } from './wallets.states';

/** A wallet with what the ledger says of it. Minor units. */
export interface WalletRecord extends Wallet {
  readonly status: WalletStatus;
  readonly available: bigint;
  readonly held: bigint;
  readonly lowBalanceThreshold: bigint | null;
  /** Number of movements. */
  readonly seq: bigint;
}

export interface WalletRow {
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
  alert_below: string | null;
  seq: string;
  version: number;
  updated_at: Date;
}

export const toWalletRecord = (row: WalletRow): WalletRecord => ({
  accountId: row.account_id,
  livemode: row.livemode,
  id: row.id,
  currency: row.currency,
  label: row.label,
  reference: row.reference,
  metadata: row.metadata,
  status: row.status,
  available: BigInt(row.available),
  held: BigInt(row.held),
  lowBalanceThreshold: row.alert_below === null ? null : BigInt(row.alert_below),
  seq: BigInt(row.seq),
  version: row.version,
  updatedAt: row.updated_at,
});

const insertWallet = bulkInsert('wallets', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  currency: 'text',
  label: 'text?',
  reference: 'text?',
  metadata: 'jsonb',
});

export const walletWrite = (wallet: Omit<Wallet, 'version' | 'updatedAt'>): Write =>
  insertWallet.row({
    account_id: wallet.accountId,
    livemode: wallet.livemode,
    id: wallet.id,
    currency: wallet.currency,
    label: wallet.label,
    reference: wallet.reference,
    metadata: wallet.metadata,
  });

const insertTransfer = bulkInsert('transfers', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  from_wallet_id: 'uuid',
  to_wallet_id: 'uuid',
  to_account_id: 'uuid',
  debit_transaction_id: 'uuid',
  credit_transaction_id: 'uuid',
  amount: 'bigint',
  fee: 'bigint',
  currency: 'text',
  reference: 'text?',
  narration: 'text?',
  metadata: 'jsonb',
});

export const transferWrite = (transfer: Transfer): Write =>
  insertTransfer.row({
    account_id: transfer.accountId,
    livemode: transfer.livemode,
    id: transfer.id,
    from_wallet_id: transfer.fromWalletId,
    to_wallet_id: transfer.toWalletId,
    to_account_id: transfer.toAccountId,
    debit_transaction_id: transfer.debitTransactionId,
    credit_transaction_id: transfer.creditTransactionId,
    amount: transfer.amount,
    fee: transfer.fee,
    currency: transfer.currency,
    reference: transfer.reference,
    narration: transfer.narration,
    metadata: transfer.metadata,
  });

const WALLET_COLUMNS = `w.account_id, w.livemode, w.id, w.currency, w.label, w.reference, w.metadata,
  a.status, a.available, a.held, a.alert_below, a.seq, w.version, greatest(w.updated_at, a.updated_at) AS updated_at`;

const WALLETS_WITH_BALANCES = `FROM ledger_accounts a
  JOIN wallets w ON w.account_id = a.account_id AND w.livemode = a.livemode AND w.id = a.id`;

/** Wallets with their balances, by id, whoever owns them: the caller compares account and mode. */
export const SELECT_WALLETS_BY_ID = {
  name: 'select_wallets_by_id',
  text: `SELECT ${WALLET_COLUMNS} ${WALLETS_WITH_BALANCES} WHERE a.id = ANY($1::uuid[])`,
};

/** One page of an account's wallets, newest first: account, mode, id to continue below, number of rows. */
export const SELECT_WALLET_PAGE = {
  name: 'select_wallet_page',
  text: `SELECT ${WALLET_COLUMNS} FROM wallets w JOIN ledger_accounts a ON a.account_id = w.account_id AND a.id = w.id
    WHERE w.account_id = $1 AND w.livemode = $2 AND w.id < $3 AND ($5::text IS NULL OR w.currency = $5)
      AND ($6::text IS NULL OR a.status = $6)
    ORDER BY w.id DESC LIMIT $4`,
};

export const SELECT_OLDEST_WALLET = {
  name: 'select_oldest_wallet',
  text: `SELECT w.id FROM wallets w JOIN ledger_accounts a ON a.account_id = w.account_id AND a.id = w.id
    WHERE w.account_id = $1 AND w.livemode = $2 AND w.currency = $3 AND a.status = 'active' ORDER BY w.id LIMIT 1`,
};

/** Keeps what is said of a wallet, which is about to change: account, mode, id. */
export const KEEP_VERSION = `
  WITH w AS (UPDATE wallets SET version = version + 1, updated_at = now() WHERE account_id = $1 AND livemode = $2 AND id = $3 RETURNING *)
  INSERT INTO wallet_versions (account_id, livemode, wallet_id, version, label, metadata)
  SELECT account_id, livemode, id, version - 1, label, metadata FROM w`;

/** What was said of a wallet at an event: account, mode, id, number of the event. No row: what is said now. */
export const SELECT_VERSION_AT = {
  name: 'select_wallet_version_at',
  text: `SELECT version, label, metadata FROM wallet_versions
    WHERE account_id = $1 AND livemode = $2 AND wallet_id = $3 AND until > $4 ORDER BY version LIMIT 1`,
};
