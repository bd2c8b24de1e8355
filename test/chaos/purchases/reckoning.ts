import type { Pool } from 'pg';
import { decodeId } from '../../../src/core/http/ids';
import { brokenChecks } from '../../support/books';
import type { Clients } from './clients';
import type { Fleet } from './fleet';
import type { OrderBook } from './order-book';
import { keyOf } from './orders';

interface AttemptRow {
  readonly id: string;
  readonly number: number;
  readonly provider: string;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly receipt: string | null;
}

/** A purchase as the database has it, with what its entries moved. */
export interface Row {
  readonly id: string;
  readonly key: string;
  readonly status: string;
  readonly total: string;
  readonly receipt: string | null;
  readonly available: string;
  readonly held: string;
  readonly attempts: readonly AttemptRow[];
}

const ROWS = `
  SELECT p.id, p.idempotency_key AS key, t.status, p.total, t.provider_reference AS receipt,
         coalesce((SELECT sum(e.amount) FROM ledger_entries e WHERE e.account_id = p.account_id AND e.transaction_id = p.id AND e.bucket = 'available'), 0) AS available,
         coalesce((SELECT sum(e.amount) FROM ledger_entries e WHERE e.account_id = p.account_id AND e.transaction_id = p.id AND e.bucket = 'held'), 0) AS held,
         (SELECT json_agg(json_build_object('id', a.id, 'number', a.number, 'provider', a.provider, 'outcome', a.outcome, 'code', a.code, 'receipt', a.provider_reference) ORDER BY a.number, a.id)
            FROM purchase_attempts a WHERE a.account_id = p.account_id AND a.purchase_id = p.id) AS attempts
    FROM purchases p JOIN transactions t USING (account_id, livemode, id)`;

const NOT_KNOWN_ANSWERS = 2;

/** Compares clients, database and the operator's order book. Each list names what is wrong. */
export class Reckoning {
  readonly lost: string[] = [];
  readonly duplicated: string[] = [];
  readonly unsettled: string[] = [];
  readonly refundedThoughSold: string[] = [];
  readonly chargedThoughNotSold: string[] = [];
  /** Given back though neither the operator had refused nor said twice that it does not know the reference. */
  readonly refundedWithoutEvidence: string[] = [];
  readonly wrongDebits: string[] = [];
  readonly wrongAttempts: string[] = [];
  readonly toldOtherwise: string[] = [];
  brokenBooks: readonly object[] = [];
  readonly outcomes = new Map<string, number>();

  private constructor(
    private readonly book: OrderBook,
    readonly rows: readonly Row[],
  ) {}

  static async of({ db, databaseUrl }: Fleet, clients: Clients, book: OrderBook, orders: number): Promise<Reckoning> {
    const reckoning = new Reckoning(book, await rowsOf(db));
    const byKey = Map.groupBy(reckoning.rows, ({ key }) => key);
    for (let index = 0; index < orders; index++) reckoning.reckon(index, byKey.get(keyOf(index)) ?? [], clients);
    reckoning.matchReferences();
    reckoning.brokenBooks = await brokenChecks(databaseUrl);
    return reckoning;
  }

  /** All that is wrong, under its name. */
  get wrong(): [string, readonly unknown[]][] {
    const {
      lost,
      duplicated,
      unsettled,
      refundedThoughSold,
      chargedThoughNotSold,
      refundedWithoutEvidence,
      wrongDebits,
      wrongAttempts,
      toldOtherwise,
      brokenBooks,
    } = this;
    const lists = {
      lost,
      duplicated,
      unsettled,
      refundedThoughSold,
      chargedThoughNotSold,
      refundedWithoutEvidence,
      wrongDebits,
      wrongAttempts,
      toldOtherwise,
      brokenBooks,
    };
    return Object.entries(lists).filter(([, found]) => found.length > 0);
  }

  private reckon(index: number, rows: readonly Row[], clients: Clients): void {
    const key = keyOf(index);
    const sales = this.book.of(index).reduce((sum, entry) => sum + entry.sales, 0);
    const [row] = rows;
    if (row === undefined) return void this.lost.push(key);
    if (rows.length > 1 || sales > 1)
      this.duplicated.push(`${key}: ${rows.length} purchases, sold ${sales} times${this.storyOf(index, row)}`);
    this.outcomes.set(row.status, (this.outcomes.get(row.status) ?? 0) + 1);
    this.reckonMoney(index, row, sales);
    const told = clients.told.get(index);
    const ids = [...(told?.ids ?? [])].map((id) => decodeId('txn', id));
    const ends = [...(told?.ends ?? [])];
    if (ids.join() !== row.id || ends.some((end) => end !== row.status))
      this.toldOtherwise.push(`${key} is ${row.id} ${row.status}; told: ${[...ids, ...ends].join()}`);
  }

  private reckonMoney(index: number, row: Row, sales: number): void {
    const story = () => `${row.key}${this.storyOf(index, row)}`;
    const debit = row.status === 'successful' ? -BigInt(row.total) : 0n;
    if (BigInt(row.available) !== debit || BigInt(row.held) !== 0n)
      this.wrongDebits.push(`${row.key}: ${row.status}, ${row.available} and ${row.held} of ${row.total}`);
    if (row.status !== 'successful' && row.status !== 'failed') this.unsettled.push(story());
    if (row.status === 'failed' && sales > 0) this.refundedThoughSold.push(story());
    if (row.status === 'successful' && sales === 0) this.chargedThoughNotSold.push(story());
    if (!row.attempts.every((attempt) => this.isProven(attempt))) this.refundedWithoutEvidence.push(story());
  }

  /** What an attempt says is what the operator has. */
  private isProven({ id, provider, outcome, code, receipt }: AttemptRow): boolean {
    const entry = this.book.entries.get(id);
    if (outcome === 'delivered') return entry?.sales === 1 && entry.seller === provider && entry.receipt === receipt;
    if (outcome !== 'not_delivered') return false;
    if (code === 'not_known_to_provider') return this.book.denialsOf(id) >= NOT_KNOWN_ANSWERS;
    return entry?.seller === provider && (entry.deed.fate === 'refuses' || entry.deed.fate === 'passes');
  }

  /** One reference per attempt, and one arrival of each at the operator. */
  private matchReferences(): void {
    const attempts = new Map(this.rows.flatMap((row) => row.attempts.map((attempt) => [attempt.id, attempt] as const)));
    for (const { reference, index, seller, arrivals } of this.book.entries.values()) {
      const attempt = attempts.get(reference);
      if (attempt?.provider !== seller || arrivals !== 1)
        this.wrongAttempts.push(
          `${keyOf(index)}: ${seller} got ${reference} ${arrivals} times, for ${attempt?.provider ?? 'no attempt'}`,
        );
    }
    for (const { key, receipt, status, attempts: all } of this.rows) {
      const isCounted = all.every(
        ({ number, provider }, i) => number === i + 1 && all.findIndex((other) => other.provider === provider) === i,
      );
      const last = all.at(-1);
      if (!isCounted || (status === 'successful' && receipt !== last?.receipt))
        this.wrongAttempts.push(`${key}: ${JSON.stringify(all)}`);
    }
  }

  private storyOf(index: number, { status, attempts }: Row): string {
    const told = this.book
      .of(index)
      .map(
        ({ reference, seller, deed, sales, story }) =>
          `\n      ${seller} ${reference} "${deed.name}", sold ${sales} times: ${story.join('; ')}`,
      );
    return `: ${status}, ${JSON.stringify(attempts)}${told.join('')}`;
  }
}

const rowsOf = async (db: Pool): Promise<Row[]> => (await db.query<Row>(ROWS)).rows;
