import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { decodeId, encodeId } from '../../../src/core/http/ids';
import type { Findings } from '../cards/findings';
import type { Fleet } from '../cards/fleet';
import type { Member } from '../cards/member';
import type { Shop } from '../cards/shop';

interface Order {
  readonly reference: string;
  readonly amount: number;
}

/** A row as the database has it, with what it made. Minor units, as text. */
interface FoundRow {
  readonly reference: string;
  readonly status: string;
  readonly failure: object | null;
  readonly total: string | null;
  readonly made: string | null;
  /** Everything of its reference that there is. */
  readonly of_reference: readonly string[];
  /** What left its wallet in the name of what it made. */
  readonly moved: string;
}

interface Progress {
  readonly done: number;
  /** Begun, and nobody has said what became of them. */
  readonly begun: number;
  /** References of these that have taken place. */
  readonly unheard: readonly string[];
}

const [FIRST_AMOUNT, POLL_MS, END_POLL_MS] = [5_000, 10, 100];
/** The share of the rows over which the kills are spread. */
const SPREAD = 0.9;
/** Without a row done. */
const STILL_MS = 4_000;
/** So many times as many kills, at most; and what PostgreSQL may take to see that somebody is dead. */
const [TRIES_MAX, SENT_MS] = [3, 100];
const LEASE_SECONDS = 60;
/** Of so many strikes one takes all processes along. */
const ALL = 2;

const PROGRESS = `
  SELECT (SELECT coalesce(sum((counts -> 'successful')::int + (counts -> 'failed')::int + (counts -> 'invalid')::int), 0)::int FROM batches) AS done,
         count(*)::int AS begun, coalesce(array_agg(c.value) FILTER (WHERE c.value IS NOT NULL), '{}') AS unheard
    FROM batch_items i LEFT JOIN claims c ON c.account_id = i.account_id AND c.livemode = i.livemode AND c.kind = 'reference' AND c.value = i.reference
   WHERE i.status = 'processing' AND i.resource_id IS NULL`;

/** Entries are summed once: to look for those of each row would be to read all of the wallet's for each. */
const ROWS = `
  WITH named AS (
    SELECT e.account_id, e.ledger_account_id, of_what.id, -sum(e.amount) AS moved
      FROM ledger_entries e
      CROSS JOIN LATERAL (SELECT e.transaction_id AS id UNION SELECT e.posting_id) of_what
     GROUP BY e.account_id, e.ledger_account_id, of_what.id)
  SELECT i.reference, i.status, i.failure, i.total, i.resource_id AS made,
         ARRAY(SELECT t.id FROM transactions t WHERE t.account_id = i.account_id AND t.reference = i.reference AND t.type IN ('airtime_purchase', 'payout')
               UNION ALL SELECT f.id FROM transfers f WHERE f.account_id = i.account_id AND f.reference = i.reference) AS of_reference,
         coalesce(n.moved, 0) AS moved
    FROM batch_items i
    LEFT JOIN named n ON n.account_id = i.account_id AND n.ledger_account_id = i.wallet_id AND n.id = i.resource_id
   WHERE i.batch_id = $1 ORDER BY i.number`;

const AGAIN = `SELECT coalesce(sum(tries - 1), 0)::int AS again FROM batch_items WHERE tries > 1`;

/** Places batches, and kills who carries them out. */
export class Batches {
  /** Rows that were begun by one who died, and again by the next. */
  again = 0;
  /** References of those of them that had taken place. */
  readonly unheard = new Set<string>();
  kills = 0;
  rows = 0;
  /** By wallet, what all rows took, below zero: brought. */
  readonly taken = new Map<string, number>();
  /** Public ids of the transactions that rows made. */
  readonly made = new Set<string>();
  private readonly starts: Promise<void>[] = [];
  private moved = { done: 0, at: 0 };
  private readonly placed: { readonly id: string; readonly kind: string; readonly orders: readonly Order[] }[] = [];

  constructor(
    private readonly fleet: Fleet,
    private readonly shop: Shop,
    private readonly db: Pool,
  ) {}

  /** Places so many rows: half of them top-ups, the others transfers and payouts. */
  async place(rows: number): Promise<void> {
    const quarter = Math.ceil(rows / 4);
    await this.placeOne('transfer', quarter);
    await this.placeOne('payout', quarter);
    await this.placeOne('airtime', Math.max(1, rows - 2 * quarter));
  }

  /** Until all that was placed has ended. */
  async untilEnded(): Promise<void> {
    for (const { id } of this.placed) {
      const isOpen = async (): Promise<boolean> => {
        const { completed_at: at, counts } = await this.shop.get(`/v4/batches/${id}`);
        return at === null || counts.processing > 0;
      };
      for (; await isOpen(); await sleep(END_POLL_MS)) await this.outlive(await this.progress());
    }
  }

  /**
   * `kill -9` of so many processes: of one while rows are begun, of all when some of them have taken place and nobody
   * has said so. Rows that are done before the last kill are followed by others.
   */
  async strike(kills: number): Promise<void> {
    const { done: before } = await this.progress();
    const rows = this.rows - before;
    // Until one has struck what had taken place and nobody had said.
    const most = () => (this.unheard.size > 0 ? kills : TRIES_MAX * kills);
    for (let round = 1; this.kills < most(); round++) {
      const isAll = round % ALL === 0;
      await this.untilAtWork(before + (rows * SPREAD * this.kills) / kills, rows, isAll);
      const { members } = this.fleet;
      const victims = isAll ? members : [members[this.kills % members.length]!];
      await Promise.all(victims.slice(0, most() - this.kills).map((victim) => this.kill(victim)));
      // What the dead had sent ends first.
      await sleep(SENT_MS);
      const { done, begun, unheard } = await this.progress();
      for (const reference of unheard) this.unheard.add(reference);
      console.log(`${done} of ${this.rows} rows done, ${begun} begun, of which ${unheard.length} have taken place`);
    }
    await Promise.all(this.starts);
  }

  /** Compares each row with what it made, each batch with its rows, and says what all of them moved. */
  async reckon(findings: Findings): Promise<void> {
    const [payer, payee] = this.shop.wallets.NGN as [string, string];
    for (const { id, kind, orders } of this.placed) {
      const batch = await this.shop.get(`/v4/batches/${id}`);
      const { rows } = await this.db.query<FoundRow>(ROWS, [decodeId('bat', id)]);
      const total = rows.reduce((sum, row) => sum + Number(row.total), 0);
      const amount = orders.reduce((sum, order) => sum + order.amount, 0);
      findings.compare('transactions', `${kind} batch ${id}`, {
        told: ['completed', orders.length, orders.length, amount, total],
        found: [batch.status, rows.length, batch.counts.successful, batch.totals.amount, batch.totals.total],
      });
      for (const [number, { reference }] of orders.entries()) {
        const row = rows[number];
        findings.compare('transactions', `${kind} row ${number}, ${JSON.stringify(row?.failure)}`, {
          told: [reference, 'successful', row?.total, [row?.made]],
          found: [row?.reference, row?.status, row?.moved, row?.of_reference],
        });
        if (row?.made && kind !== 'transfer') this.made.add(encodeId('txn', row.made));
      }
      this.add(payer, total);
      if (kind === 'transfer') this.add(payee, -amount);
    }
    this.again = (await this.db.query<{ again: number }>(AGAIN)).rows[0]!.again;
  }

  private async placeOne(kind: string, count: number): Promise<void> {
    const [payer, payee] = this.shop.wallets.NGN as [string, string];
    const items = Array.from({ length: count }, () => {
      const index = this.rows++;
      const order = { reference: `${kind}-${index}`, amount: FIRST_AMOUNT + index };
      const digits = String(index).padStart(5, '0');
      if (kind === 'airtime') return { ...order, phone: `+23480312${digits}`, network: 'mtn' };
      if (kind === 'transfer') return { ...order, to_wallet: payee };
      return { ...order, bank: { code: '058', account_number: `01234${digits}` } };
    });
    const { id } = await this.shop.post('/v4/batches', { kind, wallet_id: payer, items });
    this.placed.push({ id, kind, orders: items });
  }

  /** Until so many rows are done, and somebody carries out others. */
  private async untilAtWork(done: number, rows: number, areUnheard: boolean): Promise<void> {
    const seen = await this.progress();
    for (; ; await sleep(POLL_MS)) {
      const progress = await this.progress();
      const { begun, unheard } = progress;
      if (progress.done >= this.rows) await this.place(Math.ceil(rows / 2));
      if (progress.done >= done && progress.done > seen.done && (areUnheard ? unheard.length : begun) > 0) return;
      await this.outlive(progress);
    }
  }

  /** What a dead process was about to do is another's after a minute of the account's clock: it may pass at once. */
  private async outlive({ done }: Progress): Promise<void> {
    const now = performance.now();
    if (done !== this.moved.done || this.moved.at === 0) this.moved = { done, at: now };
    if (now - this.moved.at < STILL_MS) return;
    this.moved.at = now;
    await this.shop.post('/v4/sandbox/clock/advance', { seconds: LEASE_SECONDS });
  }

  private async kill(victim: Member): Promise<void> {
    this.kills++;
    await victim.kill();
    console.log(`kill -9 ${victim.name}`);
    this.starts.push(victim.untilReady());
  }

  private async progress(): Promise<Progress> {
    return (await this.db.query<Progress>(PROGRESS)).rows[0]!;
  }

  private add(wallet: string, amount: number): void {
    this.taken.set(wallet, (this.taken.get(wallet) ?? 0) + amount);
  }
}
