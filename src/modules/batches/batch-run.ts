import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Rewinds } from '../../core/clock/clock';
import type { Tx } from '../../core/database/unit-of-work';
import { DomainError } from '../../core/errors/domain-error';
import type { Caller, Key } from '../../core/http/caller';
import { Idempotency } from '../../core/idempotency/idempotency';
import { forEach } from '../../core/process/work-under-way';
import { Requeries } from '../../providers/requeries';
import type { Batch, BatchFailure, BatchItem } from './batch.entity';
import { BatchKinds } from './batch-kinds';
import { claimOfRow, pointerOf } from './batch-row.dto';
import { BatchStore, type BatchStep, type NextLook } from './batch-store';

/** Rows of one account and mode that a process carries out together. */
const PARALLEL = 16;
/** Rows are looked at, and begun, so many at a time. */
const CHUNK = 64;
/** After so long others have their turn: batches, requeries, and whoever else wants to use the account. */
const TURN_MS = 1_000;
const PAUSE_MS = 50;
/** While a turn of the same account is under way. */
const BUSY_MS = 250;
/** What is unavailable is tried again, after twice the time each time. */
const VALIDATIONS_MAX = 3;
const TRIES_MAX = 10;
const AGAIN_MS = 1_000;
const AGAIN_MAX_MS = 60_000;

/** Kinds of refusals that say nothing of the row: it may be possible in a moment. */
const PASSING: ReadonlySet<string> = new Set(['unavailable', 'internal', 'timeout', 'rate_limited']);
const UNEXPECTED: BatchFailure = {
  code: 'internal_error',
  param: null,
  detail: 'It failed unexpectedly; the log tells why.',
};

/**
 * Carries batches out, a turn at a time: validates and prices all rows, then does each through the service of its
 * single route, in the name of a claim of batch and row. Whoever dies leaves rows that are begun; the next turn does
 * them again, and the claim answers for those that took place.
 */
@Injectable()
export class BatchRun implements OnModuleInit {
  /** Accounts, by mode, of which a turn is under way in this process. */
  private readonly busy = new Set<string>();

  constructor(
    private readonly store: BatchStore,
    private readonly kinds: BatchKinds,
    private readonly idempotency: Idempotency,
    private readonly requeries: Requeries,
    private readonly rewinds: Rewinds,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({
      table: 'batches',
      columns: ['next_check_at', 'start_at'],
      where: 'next_check_at IS NOT NULL',
    });
    this.requeries.include({ table: 'batches', look: (key, now) => this.look(key, now) });
  }

  /** A turn of a batch, unless one of its account is under way in this process. */
  async look(key: Key, now: Date): Promise<void> {
    const tenant = `${key.accountId}/${key.livemode}`;
    if (this.busy.has(tenant)) return this.again(key, new Date(now.getTime() + BUSY_MS * (1 + Math.random())));
    this.busy.add(tenant);
    try {
      const nextCheckAt = await this.turn(key, now);
      if (nextCheckAt !== null) await this.requeries.setAlarms('batches', { ...key, nextCheckAt });
    } finally {
      this.busy.delete(tenant);
    }
  }

  /** Goes on with a batch for about a second; when it is to be looked at next. `now`: by the account's clock. */
  async turn(key: Key, now: Date): Promise<Date | null> {
    const endsAt = performance.now() + TURN_MS;
    const batch = await this.store.require(key, key.id);
    if (batch.status === 'validating') return this.validate(batch, now, endsAt);
    return this.carryOut(batch, now, endsAt);
  }

  private async again(key: Key, nextCheckAt: Date): Promise<void> {
    await this.store.postpone(key, nextCheckAt);
    await this.requeries.setAlarms('batches', { ...key, nextCheckAt });
  }

  private async validate(batch: Batch, now: Date, endsAt: number): Promise<Date | null> {
    let after = batch;
    for (let isHeldUp = false; !isHeldUp && after.status === 'validating' && performance.now() < endsAt;) {
      const items = await this.store.pending(batch, CHUNK);
      const looked: BatchItem[] = [];
      await forEach(items, PARALLEL, async (item) => void looked.push(await this.priced(batch, item)));
      isHeldUp = looked.some(({ status }) => status === 'pending');
      const work = async (tx: Tx, { status }: Batch): Promise<BatchStep> => {
        await this.store.writeItems(tx, batch, looked, 'pending');
        return items.length === 0 && status === 'validating' ? this.validated(tx, batch, now) : {};
      };
      after = await this.store.change(batch, work, nextLookAfter(now, isHeldUp ? againMs(looked) : PAUSE_MS));
    }
    return after.nextCheckAt;
  }

  /** The row as it is after a look at it; as it was, but for its tries, when nobody could say. */
  private async priced(batch: Batch, item: BatchItem): Promise<BatchItem> {
    const { accountId, livemode, reference } = item;
    try {
      const price = await this.kinds.price(callerOf(batch), batch, item);
      const claim = { accountId, livemode, ...claimOfRow(batch.id, item.number), key: null, reference };
      await this.idempotency.replayOf({ ...claim, resource: 'txn', resourceId: '' });
      return { ...item, ...price, status: 'valid', tries: 0 };
    } catch (error) {
      const tries = item.tries + 1;
      if (isPassing(error) && tries < VALIDATIONS_MAX) return { ...item, tries };
      return { ...item, status: 'invalid', failure: failureOf(error), tries };
    }
  }

  /** All rows were looked at. */
  private async validated(tx: Tx, batch: Batch, now: Date): Promise<BatchStep> {
    const shortfalls = await this.store.price(tx, batch);
    if (batch.dryRun) return { shortfalls, status: 'completed' };
    const invalid = batch.skipInvalid ? null : await this.store.first(tx, batch, 'invalid');
    if (invalid !== null) return { shortfalls, status: 'invalid', failure: ofRow(invalid) };
    return { shortfalls, status: batch.startAt !== null && batch.startAt > now ? 'scheduled' : 'running' };
  }

  private async carryOut(batch: Batch, now: Date, endsAt: number): Promise<Date | null> {
    const isDue = batch.status === 'scheduled' && batch.startAt! <= now;
    let after = await this.store.change(
      batch,
      async (tx, { status }) => {
        await this.store.settle(tx, batch);
        return isDue && status === 'scheduled' ? { status: 'running' } : this.stopped(tx, batch, status);
      },
      nextLookAfter(now, PAUSE_MS),
    );
    // Of rows that are to stop at the first that fails, none may be ahead of another.
    const most = batch.onError === 'stop' ? 1 : PARALLEL;
    for (let isHeldUp = false; !isHeldUp && performance.now() < endsAt;) {
      const items = await this.store.take(batch, most);
      if (items.length === 0) break;
      const done = await Promise.all(items.map((item) => this.attempt(batch, item)));
      isHeldUp = done.some(({ status, resourceId }) => status === 'processing' && resourceId === null);
      const work = async (tx: Tx, { status }: Batch): Promise<BatchStep> => {
        await this.store.writeItems(tx, batch, done, 'processing');
        return this.stopped(tx, batch, status);
      };
      after = await this.store.change(batch, work, nextLookAfter(now, isHeldUp ? againMs(done) : PAUSE_MS));
    }
    return after.nextCheckAt;
  }

  /** Where one row that failed is to stop all: it does. */
  private async stopped(tx: Tx, batch: Batch, status: Batch['status']): Promise<BatchStep> {
    if (status !== 'running' || batch.onError !== 'stop') return {};
    const failed = await this.store.first(tx, batch, 'failed');
    if (failed === null) return {};
    await this.store.dropRest(tx, batch);
    return { status: 'failed', failure: ofRow(failed) };
  }

  /** The row as it is after it was carried out; as it was when nobody could say, or it cannot be done just now. */
  private async attempt(batch: Batch, item: BatchItem): Promise<BatchItem> {
    try {
      return { ...item, ...(await this.kinds.carryOut(callerOf(batch), batch, item)) };
    } catch (error) {
      // What is unknown is no failure: it is done again, in the name of the same claim.
      if (isPassing(error) && (item.tries < TRIES_MAX || (await this.mayHaveHappened(item)))) return item;
      return { ...item, status: 'failed', failure: failureOf(error) };
    }
  }

  private async mayHaveHappened({ accountId, livemode, batchId, number, reference }: BatchItem): Promise<boolean> {
    const claim = { accountId, livemode, ...claimOfRow(batchId, number), reference, resource: 'txn' } as const;
    try {
      return (await this.idempotency.replayOf({ ...claim, resourceId: '' })) !== null;
    } catch (error) {
      // Its reference is another request's: it did not happen.
      if (error instanceof DomainError) return false;
      throw error;
    }
  }
}

/** In whose name the rows are carried out: what the caller may was asked when the batch was placed. */
const callerOf = ({ accountId, livemode, madeBy, requestId }: Batch): Caller => ({
  accountId,
  livemode,
  keyId: null,
  ...(madeBy !== null && { person: { sessionId: '', userId: madeBy } }),
  scopes: null,
  requestId,
});

const isPassing = (error: unknown): boolean => !(error instanceof DomainError) || PASSING.has(error.details.kind);

function failureOf(error: unknown): BatchFailure {
  if (!(error instanceof DomainError)) return UNEXPECTED;
  const { code, param = null, detail } = error.details;
  return { code, param, detail };
}

const ofRow = ({ number, failure }: BatchItem): BatchFailure => ({
  ...failure!,
  param: pointerOf(number) + (failure!.param ?? ''),
});

const againMs = (items: readonly BatchItem[]): number =>
  Math.min(AGAIN_MAX_MS, AGAIN_MS * 2 ** Math.min(10, Math.max(0, ...items.map(({ tries }) => tries - 1))));

/** The longer nothing happened, the later. */
const waitMs = ({ updatedAt }: Batch): number =>
  Math.min(AGAIN_MAX_MS, Math.max(AGAIN_MS, (Date.now() - updatedAt.getTime()) / 4));

/** `now`: by the account's clock. */
const nextLookAfter =
  (now: Date, ms: number): NextLook =>
  (batch) => {
    const { status, counts, startAt } = batch;
    // Not `now` itself: whoever wakes the account waits until nothing is due.
    const after = (delayMs: number): Date => new Date(now.getTime() + delayMs);
    if (status === 'scheduled') return startAt;
    if (status === 'validating' || (status === 'running' && counts.valid > 0)) return after(ms);
    return counts.processing > 0 ? after(Math.max(ms, waitMs(batch))) : null;
  };
