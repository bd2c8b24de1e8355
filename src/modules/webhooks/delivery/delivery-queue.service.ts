import { setTimeout as sleep } from 'node:timers/promises';
import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import type { Key } from '../../../core/http/caller';
import { Clock, Rewinds, Wakers } from '../../../core/clock/clock';
import { arrayParam, bulkInsert, type Write } from '../../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import { newIdOf } from '../../../core/http/ids';
import { Recurring } from '../../../core/queue/recurring-jobs';
import type { WebhookEndpoint, WebhookFault } from '../endpoints/webhook-endpoint.entity';

type Receiver = Pick<WebhookEndpoint, 'accountId' | 'livemode' | 'id' | 'faults'>;

/** An event for an endpoint. */
export interface Planned {
  readonly endpoint: Receiver;
  readonly event: { readonly id: string; readonly type: string };
  readonly isReplay: boolean;
  /** `disabled`: recorded only, so that there is an answer to why it was not sent. */
  readonly status: 'pending' | 'disabled';
}

const insertDelivery = bulkInsert('webhook_deliveries', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  endpoint_id: 'uuid',
  event_id: 'uuid',
  event_type: 'text',
  status: 'text',
  is_replay: 'boolean',
  next_attempt_at: 'timestamptz?',
  completed_at: 'timestamptz?',
});

/** A delivery that waits for its next attempt. */
export interface DueDelivery extends Key {
  readonly endpointId: string;
  /** Attempts that were made. */
  readonly attempts: number;
  /** By the clock of the account. */
  readonly nextAttemptAt: Date;
  /** How far the test clock is ahead by which it is due. */
  readonly aheadMs?: string;
}

/** What a job carries: ids, and which attempt it is for. */
export interface DeliveryJob extends Key {
  readonly endpointId: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** How far the test clock `c` is ahead. */
export const CLOCK_OFFSET = `coalesce(c.offset_ms, 0) * interval '1 millisecond'`;

const DUE = `
  d.account_id AS "accountId", d.livemode, d.id, d.endpoint_id AS "endpointId", d.attempts,
  d.next_attempt_at AS "nextAttemptAt"`;
const IS_FREE = '(d.leased_until IS NULL OR d.leased_until <= now())';

/** Deliveries that are due by the real time, behind the position `($1, $2)`; `$3`: at most so many. */
const SELECT_DUE = `
  SELECT ${DUE} FROM webhook_deliveries d
   WHERE (d.next_attempt_at, d.id) > ($1::timestamptz, $2::uuid) AND d.next_attempt_at <= now() AND ${IS_FREE}
   ORDER BY d.next_attempt_at, d.id LIMIT $3`;

/**
 * Deliveries that are due only by the test clock of their account; `$1`: of this account, or of all; `$2`: at most so
 * many.
 */
const SELECT_DUE_IN_TEST = `
  SELECT d.*, c.offset_ms AS "aheadMs" FROM test_clocks c
   CROSS JOIN LATERAL (
     SELECT ${DUE} FROM webhook_deliveries d
      WHERE d.account_id = c.account_id AND NOT d.livemode AND d.next_attempt_at <= now() + ${CLOCK_OFFSET}
        AND ${IS_FREE} AND ($1::uuid IS NOT NULL OR d.next_attempt_at > now())
      ORDER BY d.next_attempt_at LIMIT $2) d
   WHERE c.offset_ms > 0 AND ($1::uuid IS NULL OR c.account_id = $1) LIMIT $2`;

export const LIVE_QUEUE = 'webhooks-live';
export const TEST_QUEUE = 'webhooks-test';
export const LATE_QUEUE = 'webhooks-late';

/** What is due later waits in the database alone. */
const NEAR_MS = 10 * 60_000;
/** From this attempt on a delivery is late: it must not stand in the way of first attempts. */
const LATE_FROM = 3;

const SWEEP_EVERY_MS = 5_000;
const CHUNK = 500;
/** With so many jobs waiting the workers have enough to do for now. */
const BUSY = 500;
const BUSY_PAUSE_MS = 100;
/** The rest of the rows is looked at in the next sweep. */
const SWEEP_MAX_MS = 4_000;
const WOKEN_MAX = 2_000;

type Position = readonly [at: Date, id: string];

const START: Position = [new Date(0), '00000000-0000-0000-0000-000000000000'];

/**
 * Writes deliveries, one row per event and endpoint, and wakes somebody up for each. The truth is the row: a job that
 * is lost is made again by the sweep.
 */
@Injectable()
export class DeliveryQueue implements OnModuleInit {
  private readonly log = new Logger('webhooks');
  /** Where the sweep goes on. */
  private position = START;

  constructor(
    @InjectQueue(LIVE_QUEUE) private readonly live: Queue<DeliveryJob>,
    @InjectQueue(TEST_QUEUE) private readonly test: Queue<DeliveryJob>,
    @InjectQueue(LATE_QUEUE) private readonly late: Queue<DeliveryJob>,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly rewinds: Rewinds,
    private readonly wakers: Wakers,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({
      table: 'webhook_deliveries',
      columns: ['next_attempt_at'],
      where: 'next_attempt_at IS NOT NULL',
    });
    this.rewinds.include({
      table: 'webhook_endpoints',
      columns: ['previous_until', 'failing_since', 'last_failure_at', 'last_success_at', 'disabled_at'],
    });
    this.wakers.include((accountId) => this.wakeDue(accountId));
  }

  /** Answers those that are to be sent: hand them to `enqueue` once the transaction is committed. */
  async plan(tx: Tx, planned: readonly Planned[]): Promise<DueDelivery[]> {
    const offsets = await this.offsets(tx, planned);
    const made = planned.map((each) => rowOf(each, offsets.get(each.endpoint.accountId) ?? 0));
    await this.uow.write(
      tx,
      made.map(({ write }) => write),
    );
    return made.flatMap(({ due }) => due ?? []);
  }

  /** To be called after the rows are committed. */
  async enqueue(rows: readonly DueDelivery[]): Promise<void> {
    const jobs = await Promise.all(rows.map(async (row) => ({ row, delay: await this.delayOf(row) })));
    const near = jobs.filter(({ delay }) => delay <= NEAR_MS);
    try {
      const byQueue = Map.groupBy(near, ({ row }) => this.queueOf(row));
      await Promise.all(
        [...byQueue].map(([queue, due]) => queue.addBulk(due.map(({ row, delay }) => jobOf(row, delay)))),
      );
    } catch (error) {
      this.log.warn({ message: 'deliveries could not be queued; the sweeper will do it', err: error });
    }
  }

  /**
   * Finds deliveries that are due and whose job may be lost: with a queue that was emptied, or a worker that died. Goes
   * on where it stopped, so that a long queue in front does not hide what is behind it.
   */
  @Recurring({ name: 'webhooks.sweep', everyMs: SWEEP_EVERY_MS })
  async sweep(): Promise<void> {
    for (const until = performance.now() + SWEEP_MAX_MS; performance.now() < until;) {
      if ((await this.waiting()) > BUSY) {
        await sleep(BUSY_PAUSE_MS);
        continue;
      }
      const due: DueDelivery[] = await this.dataSource.query(SELECT_DUE, [...this.position, CHUNK]);
      await this.enqueue(due);
      const last = due.length < CHUNK ? undefined : due.at(-1);
      this.position = last === undefined ? START : [last.nextAttemptAt, last.id];
      if (last === undefined) break;
    }
    await this.enqueue(await this.dataSource.query(SELECT_DUE_IN_TEST, [null, CHUNK]));
  }

  /** How far test clocks are ahead. By the transaction's own connection: there may be no other one. */
  private async offsets(tx: Tx, planned: readonly Planned[]): Promise<ReadonlyMap<string, number>> {
    const accounts = new Set(
      planned.filter(({ endpoint }) => !endpoint.livemode).map(({ endpoint }) => endpoint.accountId),
    );
    if (accounts.size === 0) return new Map();
    const rows: { id: string; ms: string }[] = await tx.query(
      'SELECT account_id AS id, offset_ms AS ms FROM test_clocks WHERE account_id = ANY($1::uuid[])',
      [arrayParam('uuid', [...accounts])],
    );
    return new Map(rows.map(({ id, ms }) => [id, Number(ms)]));
  }

  /** Queues what is due by the test clock of an account; a very long queue is left to the sweep. */
  private async wakeDue(accountId: string): Promise<void> {
    await this.enqueue(await this.dataSource.query(SELECT_DUE_IN_TEST, [accountId, WOKEN_MAX]));
  }

  /** Jobs that could run now. */
  private async waiting(): Promise<number> {
    const counts = await Promise.all([this.live, this.test, this.late].map((queue) => queue.getWaitingCount()));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  private queueOf({ attempts, livemode }: DueDelivery): Queue<DeliveryJob> {
    if (attempts + 1 >= LATE_FROM) return this.late;
    return livemode ? this.live : this.test;
  }

  private async delayOf(row: DueDelivery): Promise<number> {
    return Math.max(0, row.nextAttemptAt.getTime() - (await this.clock.now(row)).getTime());
  }
}

const DELAYED_MS = 60_000;
/** Events that overtake each other do so by seconds. */
const OUT_OF_ORDER_MS = 10_000;

/** How long a first attempt is held back on purpose: only test endpoints have faults. */
export function plannedDelayMs(faults: WebhookFault | null, random = Math.random()): number {
  if (faults === 'delayed') return DELAYED_MS;
  return faults === 'out_of_order' ? Math.round(OUT_OF_ORDER_MS * random) : 0;
}

function rowOf(
  { endpoint, event, isReplay, status }: Planned,
  offsetMs: number,
): { write: Write; due: DueDelivery | null } {
  const { accountId, livemode } = endpoint;
  const nowMs = Date.now() + (livemode ? 0 : offsetMs);
  const id = newIdOf(accountId);
  const nextAttemptAt = status === 'pending' ? new Date(nowMs + plannedDelayMs(endpoint.faults)) : null;
  const write = insertDelivery.row({
    account_id: accountId,
    livemode,
    id,
    endpoint_id: endpoint.id,
    event_id: event.id,
    event_type: event.type,
    status,
    is_replay: isReplay,
    next_attempt_at: nextAttemptAt,
    completed_at: nextAttemptAt === null ? new Date() : null,
  });
  return {
    write,
    due: nextAttemptAt && { accountId, livemode, id, endpointId: endpoint.id, attempts: 0, nextAttemptAt },
  };
}

/**
 * A jump of its clock gives a delivery a second job, as the first waits for another time. Only one of them finds it to
 * be taken.
 */
const jobIdOf = ({ id, attempts, aheadMs }: DueDelivery): string =>
  `${id}_${attempts + 1}${aheadMs === undefined ? '' : `_${aheadMs}`}`;

function jobOf(row: DueDelivery, delay: number) {
  const { accountId, livemode, id, endpointId, attempts } = row;
  const data: DeliveryJob = { accountId, livemode, id, endpointId, attempt: attempts + 1 };
  // A job that ended and stayed would keep its id, and with it the sweeper from making the job again.
  return { name: 'deliver', data, opts: { delay, jobId: jobIdOf(row), removeOnComplete: true, removeOnFail: true } };
}
