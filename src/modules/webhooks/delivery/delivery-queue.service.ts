import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { JobsOptions, Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import type { Key, Tenant } from '../../../core/http/caller';
import { Clock, Rewinds, Wakers } from '../../../core/clock/clock';
import { arrayParam, bulkInsert, type Write } from '../../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import { newIdOf } from '../../../core/http/ids';
import { Recurring } from '../../../core/queue/recurring-jobs';
import type { WebhookEndpoint, WebhookFault } from '../endpoints/webhook-endpoint.entity';

type Receiver = Pick<WebhookEndpoint, 'accountId' | 'livemode' | 'id' | 'faults'>;

/** An event for an endpoint. */
export interface Planned {
  /** Of the delivery, where it was promised to somebody. */
  readonly id?: string;
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
  /** By the clock of the account. */
  readonly nextAttemptAt: Date;
}

/** What a job is about: an endpoint that something is due for. What it is, whoever takes the job reads. */
export interface DeliveryJob {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly endpointId: string;
}

/** How far the test clock `c` is ahead. */
export const CLOCK_OFFSET = `coalesce(c.offset_ms, 0) * interval '1 millisecond'`;

/** Of a delivery `d`: no worker has it. */
export const IS_FREE = '(d.leased_until IS NULL OR d.leased_until <= now())';

const NEXT_WAITING = `
  SELECT d.account_id, d.livemode, d.endpoint_id FROM webhook_deliveries d
   WHERE d.next_attempt_at IS NOT NULL`;
const IN_ORDER = 'ORDER BY d.account_id, d.livemode, d.endpoint_id LIMIT 1';

/**
 * Endpoints that something is due for and on its way to nobody: from one to the next by their index, however much each
 * of them waits for. `$1`: of this account, or of all.
 */
const SELECT_DUE = `
  WITH RECURSIVE waiting AS (
    (${NEXT_WAITING} ${IN_ORDER})
    UNION ALL
    SELECT next.* FROM waiting w CROSS JOIN LATERAL (
      ${NEXT_WAITING} AND (d.account_id, d.livemode, d.endpoint_id) > (w.account_id, w.livemode, w.endpoint_id)
       ${IN_ORDER}) next
  )
  SELECT w.account_id AS "accountId", w.livemode, w.endpoint_id AS "endpointId"
    FROM waiting w LEFT JOIN test_clocks c ON c.account_id = w.account_id AND NOT w.livemode
   WHERE ($1::uuid IS NULL OR w.account_id = $1) AND EXISTS (
     SELECT 1 FROM webhook_deliveries d
      WHERE d.account_id = w.account_id AND d.livemode = w.livemode AND d.endpoint_id = w.endpoint_id
        AND d.next_attempt_at <= now() + ${CLOCK_OFFSET} AND ${IS_FREE})`;

/** In milliseconds, and by how many the test clocks of accounts are ahead. */
const SELECT_PRESENT = `
  SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now,
         coalesce((SELECT jsonb_object_agg(account_id, offset_ms) FROM test_clocks WHERE account_id = ANY ($1::uuid[])),
                  '{}') AS offsets`;

export const LIVE_QUEUE = 'webhooks-live';
export const TEST_QUEUE = 'webhooks-test';

/** What is due later is found by the sweep. */
const NEAR_MS = 60_000;

const SWEEP_EVERY_MS = 5_000;
/** So many sweeps one after the other make jobs of their own: in that time a job is taken from a dead worker. */
const SWEEPS_APART = 4;

/**
 * Writes deliveries, one row per event and endpoint, and wakes somebody up for each endpoint. The truth is the row: a
 * job that is lost is made again by the sweep, and of an endpoint that has half a million rows there is one, too.
 */
@Injectable()
export class DeliveryQueue implements OnModuleInit {
  private readonly log = new Logger('webhooks');

  constructor(
    @InjectQueue(LIVE_QUEUE) private readonly live: Queue<DeliveryJob>,
    @InjectQueue(TEST_QUEUE) private readonly test: Queue<DeliveryJob>,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
    private readonly rewinds: Rewinds,
    private readonly wakers: Wakers,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleInit(): void {
    // Endpoints are locked before their deliveries, as where attempts are written.
    this.rewinds.include({
      table: 'webhook_endpoints',
      columns: ['previous_until', 'failing_since', 'last_failure_at', 'last_success_at', 'disabled_at'],
    });
    this.rewinds.include({
      table: 'webhook_deliveries',
      columns: ['next_attempt_at'],
      where: 'next_attempt_at IS NOT NULL',
    });
    this.wakers.include((accountId) => this.wakeDue(accountId));
  }

  /** Answers those that are to be sent: hand them to `enqueue` once the transaction is committed. */
  async plan(tx: Tx, planned: readonly Planned[]): Promise<DueDelivery[]> {
    const nowOf = await this.presents(tx, planned);
    const made = planned.map((each) => rowOf(each, nowOf(each.endpoint)));
    await this.uow.write(
      tx,
      made.map(({ write }) => write),
    );
    return made.flatMap(({ due }) => due ?? []);
  }

  /** To be called after the rows are committed. */
  async enqueue(rows: readonly DueDelivery[]): Promise<void> {
    const waking = await Promise.all(rows.map(async (row) => ({ row, atMs: await this.realTimeOf(row) })));
    const near = waking.filter(({ atMs }) => atMs <= Date.now() + NEAR_MS);
    await this.add(near.map(({ row, atMs }) => jobOf(row, atMs)));
  }

  /**
   * Finds endpoints that something is due for and whose job may be lost: with a queue that was emptied, or a worker
   * that died.
   */
  @Recurring({ name: 'webhooks.sweep', everyMs: SWEEP_EVERY_MS })
  async sweep(): Promise<void> {
    const due: DeliveryJob[] = await this.dataSource.query(SELECT_DUE, [null]);
    await this.add(due.map(sweptJobOf));
  }

  /**
   * The present of each account. By the clock of the database, for by that it is due: a process' own may be ahead, and
   * what it plans would be late by as much. By the transaction's own connection: there may be no other one.
   */
  private async presents(tx: Tx, planned: readonly Planned[]): Promise<(owner: Tenant) => number> {
    const accounts = new Set(
      planned.filter(({ endpoint }) => !endpoint.livemode).map(({ endpoint }) => endpoint.accountId),
    );
    const [row]: { now: number; offsets: Record<string, number> }[] = await tx.query(SELECT_PRESENT, [
      arrayParam('uuid', [...accounts]),
    ]);
    const { now, offsets } = row!;
    return ({ accountId, livemode }) => now + (livemode ? 0 : (offsets[accountId] ?? 0));
  }

  /** Wakes somebody up for what is due by the test clock of an account. */
  private async wakeDue(accountId: string): Promise<void> {
    const due: DeliveryJob[] = await this.dataSource.query(SELECT_DUE, [accountId]);
    await this.add(due.map((job) => jobOf(job, Date.now())));
  }

  /** One job of those that have the same id. */
  private async add(jobs: readonly WakingJob[]): Promise<void> {
    const byQueue = Map.groupBy(new Map(jobs.map((job) => [job.key, job])).values(), ({ data }) =>
      data.livemode ? this.live : this.test,
    );
    try {
      await Promise.all([...byQueue].map(([queue, some]) => queue.addBulk(some)));
    } catch (error) {
      this.log.warn({ message: 'deliveries could not be queued; the sweeper will do it', err: error });
    }
  }

  /** When a delivery is due, by this machine. */
  private async realTimeOf(row: DueDelivery): Promise<number> {
    return row.nextAttemptAt.getTime() - (await this.clock.offsetMs(row));
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
  { id: promised, endpoint, event, isReplay, status }: Planned,
  nowMs: number,
): { write: Write; due: DueDelivery | null } {
  const { accountId, livemode } = endpoint;
  const id = promised ?? newIdOf(accountId);
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
  return { write, due: nextAttemptAt && { accountId, livemode, id, endpointId: endpoint.id, nextAttemptAt } };
}

interface WakingJob {
  readonly key: string;
  readonly name: string;
  readonly data: DeliveryJob;
  readonly opts: JobsOptions;
}

// A job that ended and stayed would keep its id, and with it others from making it again.
const GONE_WHEN_ENDED = { removeOnComplete: true, removeOnFail: true };

/**
 * Of an endpoint one job waits. One that comes while it is worked on is kept for afterwards: what it is about may have
 * been written when its predecessor had looked.
 */
function jobFor(key: string, { accountId, livemode, endpointId }: DeliveryJob): WakingJob {
  const opts = { deduplication: { id: key, keepLastIfActive: true }, ...GONE_WHEN_ENDED };
  return { key, name: 'deliver', data: { accountId, livemode, endpointId }, opts };
}

/** Beside those that were made before: whoever has them may have died, and it takes a while until that is found out. */
function sweptJobOf(endpoint: DeliveryJob): WakingJob {
  const turn = Math.floor(Date.now() / SWEEP_EVERY_MS) % SWEEPS_APART;
  return jobFor(`${endpoint.endpointId}_swept${turn}`, endpoint);
}

/** `atMs`: when something is due, by this machine. Of what is due later, one job for each second. */
function jobOf(endpoint: DeliveryJob, atMs: number): WakingJob {
  const nowMs = Date.now();
  if (atMs <= nowMs) return jobFor(endpoint.endpointId, endpoint);
  const second = Math.ceil(atMs / 1_000);
  const job = jobFor(`${endpoint.endpointId}_${second}`, endpoint);
  return { ...job, opts: { ...job.opts, delay: second * 1_000 - nowMs } };
}
