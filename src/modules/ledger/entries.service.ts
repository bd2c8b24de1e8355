import { Injectable } from '@nestjs/common';
import { ReadPipeline } from '../../core/database/pipeline';
import type { Bucket } from './posting';

/** One line of a ledger account's history. Amounts in minor units. */
export interface LedgerEntry {
  readonly ledgerAccountId: string;
  readonly seq: bigint;
  readonly postingId: string;
  readonly transactionId: string | null;
  readonly bucket: Bucket;
  /** Signed. */
  readonly amount: bigint;
  readonly availableAfter: bigint;
  readonly heldAfter: bigint;
  readonly createdAt: Date;
}

/** Which ledger account, and whose: the owner keeps a look-up on one shard and one index. */
export interface AccountRef {
  readonly accountId: string;
  readonly ledgerAccountId: string;
}

const COLUMNS = `
  ledger_account_id, seq, posting_id, transaction_id, bucket, amount, available_after, held_after, created_at`;

const SELECT_PAGE = {
  name: 'select_entry_page',
  text: `SELECT ${COLUMNS} FROM ledger_entries
    WHERE account_id = $1 AND ledger_account_id = $2 AND (created_at, seq) < ($3, $4) AND created_at >= $5
    ORDER BY created_at DESC, seq DESC LIMIT $6`,
};

const SELECT_OF_TRANSACTION = {
  name: 'select_transaction_entries',
  text: `SELECT ${COLUMNS} FROM ledger_entries
    WHERE account_id = $1 AND ledger_account_id = $2 AND created_at BETWEEN $3 AND $4 AND transaction_id = $5
    ORDER BY created_at, seq`,
};

interface EntryRow {
  ledger_account_id: string;
  seq: string;
  posting_id: string;
  transaction_id: string | null;
  bucket: Bucket;
  amount: string;
  available_after: string;
  held_after: string;
  created_at: Date;
}

/** Newest-first bounds of a statement: `created_at >= from`, strictly before (`before`, `seq`). */
export interface EntryRange {
  readonly from: Date;
  readonly before: Date;
  readonly seq: bigint;
}

/** Reads what the ledger wrote. */
@Injectable()
export class LedgerEntriesService {
  constructor(private readonly reads: ReadPipeline) {}

  /** Newest first. */
  async page(
    { accountId, ledgerAccountId }: AccountRef,
    { from, before, seq }: EntryRange,
    limit: number,
  ): Promise<LedgerEntry[]> {
    const values = [accountId, ledgerAccountId, before, seq.toString(), from, limit];
    const { rows } = await this.reads.query<EntryRow>(SELECT_PAGE, values);
    return rows.map(toEntry);
  }

  /** Oldest first: what a transaction did to one ledger account, between two moments. */
  async ofTransaction(
    { accountId, ledgerAccountId }: AccountRef,
    transactionId: string,
    between: [Date, Date],
  ): Promise<LedgerEntry[]> {
    const { rows } = await this.reads.query<EntryRow>(SELECT_OF_TRANSACTION, [
      accountId,
      ledgerAccountId,
      ...between,
      transactionId,
    ]);
    return rows.map(toEntry);
  }

  /** Balances as they stood at a moment, entries of that very millisecond included; zero before the first entry. */
  async balancesAt(account: AccountRef, at: Date): Promise<{ available: bigint; held: bigint }> {
    const [last] = await this.page(account, { from: new Date(0), before: new Date(at.getTime() + 1), seq: 0n }, 1);
    return { available: last?.availableAfter ?? 0n, held: last?.heldAfter ?? 0n };
  }
}

const toEntry = (row: EntryRow): LedgerEntry => ({
  ledgerAccountId: row.ledger_account_id,
  seq: BigInt(row.seq),
  postingId: row.posting_id,
  transactionId: row.transaction_id,
  bucket: row.bucket,
  amount: BigInt(row.amount),
  availableAfter: BigInt(row.available_after),
  heldAfter: BigInt(row.held_after),
  createdAt: row.created_at,
});
