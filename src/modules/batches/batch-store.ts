import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, IsNull, LessThan, MoreThan, type Repository } from 'typeorm';
import { rows } from '../../core/database/rows';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { AMOUNT_MAX } from '../../core/money/money';
import type { Key } from '../../core/http/caller';
import { everyRow } from '../../core/http/pages';
import { type EventOrigin, eventWrite, NO_ORIGIN } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import type { EventType } from '../../vocabulary/event-types';
import { Batch, BatchItem, type BatchStatus, ITEM_STATUSES, type ItemCounts, type ItemStatus } from './batch.entity';
import { BatchDto } from './batch.dto';

const PROGRESS_MS = 1_000;

export const batchInsert = rows(Batch).insert();
export const itemInsert = rows(BatchItem).insert();

const batchChange = rows(Batch).update({
  name: 'update_batches',
  change: [
    'status',
    'currency',
    'counts',
    'amount',
    'fee',
    'total',
    'shortfalls',
    'failure',
    'version',
    'nextCheckAt',
    'toldAt',
    'updatedAt',
    'completedAt',
  ],
  where: 't.version = v.version - 1',
});

const itemChange = rows(BatchItem).update({
  name: 'update_batch_items',
  change: ['status', 'walletId', 'currency', 'amount', 'fee', 'total', 'resource', 'resourceId', 'failure', 'tries'],
  was: ['status'],
});

const OF_BATCH = 'i.account_id = $1 AND i.livemode = $2 AND i.batch_id = $3';

/** Rows by status, and what they cost. */
const TALLY = `
  SELECT i.status, count(*)::int AS rows, min(i.currency) AS currency, coalesce(sum(i.amount), 0) AS amount,
         coalesce(sum(i.fee), 0) AS fee, coalesce(sum(i.total), 0) AS total
    FROM batch_items i WHERE ${OF_BATCH} GROUP BY i.status`;

/** What became of rows that went on when they were begun. */
const SETTLE = `
  UPDATE batch_items i SET status = CASE t.status WHEN 'successful' THEN 'successful' ELSE 'failed' END,
         amount = t.amount, fee = t.fee, total = t.amount + t.fee - t.commission,
         failure = CASE WHEN t.status <> 'successful' THEN jsonb_build_object(
           'code', coalesce(t.failure ->> 'code', t.status), 'param', NULL,
           'detail', coalesce(t.failure ->> 'message', 'The transaction is ' || t.status || '.')) END
    FROM transactions t
   WHERE ${OF_BATCH} AND i.status = 'processing'
     AND t.account_id = i.account_id AND t.livemode = i.livemode
     AND t.id = CASE i.resource WHEN 'txn' THEN i.resource_id ELSE (
           SELECT x.debit_transaction_id FROM transfers x
            WHERE x.account_id = i.account_id AND x.livemode = i.livemode AND x.id = i.resource_id) END
     AND t.status NOT IN ('pending', 'processing')`;

/** The first ones that would bring a batch beyond what a sum may be. `$4`: that. */
const DROP_BEYOND = `
  UPDATE batch_items i SET status = 'invalid', failure = jsonb_build_object('code', 'amount_out_of_range',
           'param', NULL, 'detail', 'With this row the batch comes to more than ' || $4::bigint || '.')
    FROM (SELECT i.number, sum(greatest(i.amount, i.total)) OVER (ORDER BY i.number) AS sum
            FROM batch_items i WHERE ${OF_BATCH} AND i.status = ANY ('{valid,processing,successful}')) upto
   WHERE ${OF_BATCH} AND i.status = 'valid' AND i.number = upto.number AND upto.sum > $4::bigint`;

const DROP = `UPDATE batch_items i SET status = 'cancelled' WHERE ${OF_BATCH} AND i.status IN ('pending', 'valid')`;

/** Those of a batch are of the currency of its first. */
const DROP_OTHER_CURRENCIES = `
  UPDATE batch_items i SET status = 'invalid', failure = jsonb_build_object('code', 'currency_mismatch', 'param', NULL,
           'detail', 'The rows of a batch are of one currency: ' || first.currency || ', as its first one is.')
    FROM (SELECT i.currency FROM batch_items i WHERE ${OF_BATCH} AND i.status = 'valid' ORDER BY i.number LIMIT 1) first
   WHERE ${OF_BATCH} AND i.status = 'valid' AND i.currency <> first.currency`;

const SHORTFALLS = `
  SELECT i.wallet_id AS "walletId", a.currency, a.payable::text AS available, sum(i.total)::text AS needed
    FROM batch_items i
    JOIN (SELECT *, greatest(available + credit_limit, 0) AS payable FROM ledger_accounts) a
      ON a.account_id = i.account_id AND a.id = i.wallet_id
   WHERE ${OF_BATCH} AND i.status = 'valid'
   GROUP BY i.wallet_id, a.currency, a.payable HAVING sum(i.total) > a.payable ORDER BY i.wallet_id`;

/** Statuses in which nothing begins any more. */
const ENDED: ReadonlySet<BatchStatus> = new Set(['completed', 'invalid', 'failed', 'cancelled']);
/** Rows that cost something, or will. */
const COUNTED: ReadonlySet<ItemStatus> = new Set(['valid', 'processing', 'successful']);

export const NO_ROWS = Object.fromEntries(ITEM_STATUSES.map((status) => [status, 0])) as unknown as ItemCounts;

interface Tallied {
  readonly status: ItemStatus;
  readonly rows: number;
  readonly currency: Batch['currency'];
  readonly amount: string;
  readonly fee: string;
  readonly total: string;
}

type Sums = Pick<Batch, 'counts' | 'amount' | 'fee' | 'total' | 'currency'>;

export interface BatchFilters {
  readonly status?: readonly BatchStatus[];
  readonly kind?: Batch['kind'];
  readonly reference?: string;
}

/** What a step makes of a batch beside the counts and sums of its rows, which follow from them. */
export type BatchStep = Partial<Pick<Batch, 'status' | 'failure' | 'shortfalls'>>;

/** When somebody has to look at a batch next, by the account's clock. */
export type NextLook = (batch: Batch) => Date | null;

/** Keeps batches and their rows. Whoever changes one holds its lock: its rows and its counts are always one story. */
@Injectable()
export class BatchStore {
  constructor(
    @InjectRepository(Batch) private readonly batches: Repository<Batch>,
    @InjectRepository(BatchItem) private readonly items: Repository<BatchItem>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<Batch> {
    return found(id === null ? null : await this.batches.findOneBy({ accountId, livemode, id }), 'batch');
  }

  /** Newest first, below `before`. */
  list(
    { accountId, livemode }: Viewer,
    { status, kind, reference }: BatchFilters,
    before: string | null,
    take: number,
  ): Promise<Batch[]> {
    const where: FindOptionsWhere<Batch> = {
      accountId,
      livemode,
      ...(before && { id: LessThan(before) }),
      ...(status && { status: In([...status]) }),
      ...(kind && { kind }),
      ...(reference && { reference }),
    };
    return this.batches.find({ where, order: { id: 'DESC' }, take });
  }

  /** In their order, behind the number `after`. */
  listItems(
    { accountId, livemode, id: batchId }: Key,
    status: readonly ItemStatus[] | undefined,
    after: number | null,
    take: number,
  ): Promise<BatchItem[]> {
    const where: FindOptionsWhere<BatchItem> = {
      accountId,
      livemode,
      batchId,
      ...(status && { status: In([...status]) }),
      ...(after !== null && { number: MoreThan(after) }),
    };
    return this.items.find({ where, order: { number: 'ASC' }, take });
  }

  /** All that match, in their order. */
  streamItems(key: Key, status: readonly ItemStatus[] | undefined): AsyncGenerator<BatchItem> {
    return everyRow(
      (after: number | null, take) => this.listItems(key, status, after, take),
      ({ number }) => number,
    );
  }

  async insert(tx: Tx, batch: Batch, items: readonly BatchItem[], origin: EventOrigin): Promise<void> {
    await this.unitOfWork.write(tx, [
      batchInsert(batch),
      ...items.map((item) => itemInsert(item)),
      batchEvent(batch, batch.status, null, origin),
    ]);
  }

  /** The first rows that nobody has looked at. */
  pending(key: Key, take: number): Promise<BatchItem[]> {
    return this.listItems(key, ['pending'], null, take);
  }

  /**
   * Rows to be carried out, marked as begun. `processing`: those whose bearer died before it could say what became of
   * them, in whatever state the batch is: nobody knows whether they took place. `valid`: new ones, while it runs.
   */
  take(key: Key, status: 'processing' | 'valid', most: number): Promise<BatchItem[]> {
    return this.unitOfWork.run(async (tx) => {
      const batch = await this.lock(tx, key);
      if (status === 'valid' && batch.status !== 'running') return [];
      const { accountId, livemode, id: batchId } = key;
      const where = { accountId, livemode, batchId, status, resourceId: IsNull() };
      const items = await tx.find(BatchItem, { where, order: { number: 'ASC' }, take: most });
      const begun = items.map((item) => ({ ...item, status: 'processing' as const, tries: item.tries + 1 }));
      await this.unitOfWork.write(
        tx,
        begun.map((item, i) => itemChange(item, items[i]!)),
      );
      return begun;
    });
  }

  /** Looks what became of rows that went on when they were begun. */
  async settle(tx: Tx, { accountId, livemode, id }: Key): Promise<void> {
    await tx.query(SETTLE, [accountId, livemode, id]);
  }

  /**
   * What was found out about rows; those that somebody else was faster about stay as they are. But what a row has made
   * counts more than that it was refused to another who did it at the same time.
   */
  async writeItems(tx: Tx, key: Key, after: readonly BatchItem[], was: 'pending' | 'processing'): Promise<void> {
    const { accountId, livemode, id: batchId } = key;
    const numbers = after.map(({ number }) => number);
    const before = await tx.find(BatchItem, {
      select: { number: true, status: true },
      where: { accountId, livemode, batchId, resourceId: IsNull(), number: In(numbers), status: In([was, 'failed']) },
    });
    const statuses = new Map(before.map(({ number, status }) => [number, status]));
    const writes = after.flatMap((item) => {
      const status = statuses.get(item.number);
      const isOpen = status === was || (status === 'failed' && item.resourceId !== null);
      return isOpen ? [itemChange(item, { status })] : [];
    });
    await this.unitOfWork.write(tx, writes);
  }

  /** Nothing of what was not begun begins any more. */
  async dropRest(tx: Tx, { accountId, livemode, id }: Key): Promise<void> {
    await tx.query(DROP, [accountId, livemode, id]);
  }

  /** What the wallets of the rows lack now; rows of other currencies than the first are not valid. */
  async price(tx: Tx, { accountId, livemode, id }: Key): Promise<NonNullable<Batch['shortfalls']>> {
    await tx.query(DROP_OTHER_CURRENCIES, [accountId, livemode, id]);
    return tx.query(SHORTFALLS, [accountId, livemode, id]);
  }

  /** The first row of a status; null: there is none. */
  first(tx: Tx, { accountId, livemode, id: batchId }: Key, status: ItemStatus): Promise<BatchItem | null> {
    return tx.findOne(BatchItem, { where: { accountId, livemode, batchId, status }, order: { number: 'ASC' } });
  }

  /** `changeIn` in a transaction of its own. */
  change(key: Key, work: (tx: Tx, batch: Batch) => Promise<BatchStep>, nextLook: NextLook): Promise<Batch> {
    return this.unitOfWork.run((tx) => this.changeIn(tx, key, work, { nextLook }));
  }

  /**
   * Changes a batch that nobody else changes meanwhile: `work` changes rows and says what else. Its counts follow, and
   * an event tells: of each new status, and of progress once a second. Nothing changed: nothing is written but when it
   * is looked at next.
   */
  async changeIn(
    tx: Tx,
    key: Key,
    work: (tx: Tx, batch: Batch) => Promise<BatchStep>,
    { nextLook, origin = NO_ORIGIN }: { nextLook: NextLook; origin?: EventOrigin },
  ): Promise<Batch> {
    const before = await this.lock(tx, key);
    const step = await work(tx, before);
    const summed = { ...before, ...step, ...(await this.bounded(tx, before)) };
    const status = isDone(summed) ? 'completed' : summed.status;
    const after: Batch = { ...summed, status };
    after.nextCheckAt = nextLook(after);
    if (isSame(before, after)) {
      await tx.update(Batch, keyOf(key), { nextCheckAt: after.nextCheckAt });
      return after;
    }
    const now = new Date();
    after.version = before.version + 1;
    after.updatedAt = now;
    if (ENDED.has(status)) after.completedAt = before.completedAt ?? now;
    const what = told(before, after, now);
    if (what !== null) after.toldAt = now;
    await this.unitOfWork.write(tx, [
      batchChange(after),
      ...(what === null ? [] : [batchEvent(after, what, before.status, origin)]),
    ]);
    return after;
  }

  /** When it is looked at next: no change that anybody sees. */
  async postpone(key: Key, nextCheckAt: Date): Promise<void> {
    await this.batches.update(keyOf(key), { nextCheckAt });
  }

  private async lock(tx: Tx, key: Key): Promise<Batch> {
    const batch = await tx.findOne(Batch, { where: keyOf(key), lock: { mode: 'pessimistic_write' } });
    return found(batch, 'batch');
  }

  /** What the rows come to: those that would make it more than a sum may be are not valid. */
  private async bounded(tx: Tx, batch: Batch): Promise<Sums> {
    const sums = await this.tally(tx, batch);
    if (sums.amount <= AMOUNT_MAX && sums.total <= AMOUNT_MAX) return sums;
    const { accountId, livemode, id } = batch;
    await tx.query(DROP_BEYOND, [accountId, livemode, id, AMOUNT_MAX]);
    return this.tally(tx, batch);
  }

  private async tally(tx: Tx, { accountId, livemode, id }: Key): Promise<Sums> {
    const all: Tallied[] = await tx.query(TALLY, [accountId, livemode, id]);
    const counted = all.filter(({ status }) => COUNTED.has(status));
    const sum = (of: 'amount' | 'fee' | 'total'): bigint => counted.reduce((sum, row) => sum + BigInt(row[of]), 0n);
    return {
      counts: { ...NO_ROWS, ...Object.fromEntries(all.map(({ status, rows }) => [status, rows])) },
      amount: sum('amount'),
      fee: sum('fee'),
      total: sum('total'),
      currency: (counted[0] ?? all.find(({ currency }) => currency !== null))?.currency ?? null,
    };
  }
}

const keyOf = ({ accountId, livemode, id }: Key): Key => ({ accountId, livemode, id });

/** Nothing is left to happen. */
const isDone = ({ status, counts }: Batch): boolean =>
  status === 'running' && counts.pending + counts.valid + counts.processing === 0;

const isSame = (before: Batch, after: Batch): boolean =>
  before.status === after.status &&
  before.total === after.total &&
  ITEM_STATUSES.every((status) => before.counts[status] === after.counts[status]);

/** What an event says of a change; null: another one said so less than a second ago. */
function told(before: Batch, after: Batch, now: Date): BatchStatus | 'progressed' | null {
  if (before.status !== after.status) return after.status;
  // The last that happens to it is always told.
  const isLast = ENDED.has(after.status) && after.counts.processing === 0;
  return isLast || now.getTime() - before.toldAt.getTime() >= PROGRESS_MS ? 'progressed' : null;
}

/** `batch.<what>` about a batch as it stands then. */
export const batchEvent = (
  batch: Batch,
  what: BatchStatus | 'progressed',
  previous: BatchStatus | null,
  origin: EventOrigin,
) =>
  eventWrite({
    accountId: batch.accountId,
    livemode: batch.livemode,
    type: `batch.${what}` as EventType,
    objectType: 'bat',
    objectId: batch.id,
    snapshot: { previous_status: previous, ...BatchDto.changing(batch) },
    origin,
  });
