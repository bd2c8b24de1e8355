import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Rewinds } from '../../core/clock/clock';
import type { Tx } from '../../core/database/unit-of-work';
import { DomainError } from '../../core/errors/domain-error';
import type { Caller, Key } from '../../core/http/caller';
import { Idempotency } from '../../core/idempotency/idempotency';
import { forEach } from '../../core/process/work-under-way';
import { AccountsService } from '../accounts/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import { Requeries } from '../../providers/requeries';
import type { Batch, BatchFailure, BatchItem } from './batch.entity';
import { BatchKinds } from './batch-kinds';
import { claimOfRow, pointerOf } from './batch-row.dto';
import { BatchStore, type BatchStep, type NextLook } from './batch-store';

/** How many rows are under way at once, and begun, or looked at, together: of each of those who carry them out. */
interface Pace {
  readonly parallel: number;
  readonly chunk: number;
}

/** While nobody else uses the ledger: as many as it can take. */
const ALONE: Pace = { parallel: 256, chunk: 512 };
/** Else a few: whoever buys one thing does not wait for hundreds. */
const BESIDE_OTHERS: Pace = { parallel: 3, chunk: 32 };
/** Of rows that are to stop at the first that fails, none may be ahead of another. */
const ONE_BY_ONE: Pace = { parallel: 1, chunk: 1 };
/** Who carry rows out side by side: while one says what became of its rows, the other goes on. */
const CARRIERS = 3;
const PRICED: Pace = { parallel: 16, chunk: 64 };
/** After so long other batches of the account have their turn; where none waits, it goes on. */
const TURN_MS = 1_000;
const TURN_MAX_MS = 5_000;
const PAUSE_MS = 50;
/** While a turn of the same account is under way. */
const BUSY_MS = 250;
/** Of whoever has a turn, who renews it while that lasts: if it dies, others look after that. */
const LEASE_MS = 60_000;
const BEATS_OF_A_LEASE = 3;
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
export class BatchRun implements OnModuleInit, OnApplicationShutdown {
  leaseMs = LEASE_MS;
  private readonly log = new Logger('batches');
  /** Accounts, by mode, of which a turn is under way in this process. */
  private readonly busy = new Map<string, Turn>();
  private readonly beats = new Set<NodeJS.Timeout>();

  constructor(
    private readonly store: BatchStore,
    private readonly kinds: BatchKinds,
    private readonly idempotency: Idempotency,
    private readonly requeries: Requeries,
    private readonly rewinds: Rewinds,
    private readonly ledger: LedgerService,
    private readonly accounts: AccountsService,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({
      table: 'batches',
      columns: ['next_check_at', 'start_at'],
      where: 'next_check_at IS NOT NULL',
    });
    this.requeries.include({ table: 'batches', look: (key, now) => this.look(key, now) });
  }

  /** Workers have finished by then: only what hangs is left, and that is for others. */
  onApplicationShutdown(): void {
    this.beats.forEach((beat) => clearInterval(beat));
  }

  /** A turn of a batch, unless one of its account is under way in this process. */
  async look(key: Key, now: Date): Promise<void> {
    const tenant = `${key.accountId}/${key.livemode}`;
    const other = this.busy.get(tenant);
    if (other) {
      other.isAwaited = true;
      return this.again(key, new Date(now.getTime() + BUSY_MS * (1 + Math.random())));
    }
    const turn = new Turn(now, this.leaseMs);
    this.busy.set(tenant, turn);
    try {
      const nextCheckAt = await this.turn(key, turn);
      if (nextCheckAt !== null) await this.requeries.setAlarms('batches', { ...key, nextCheckAt });
    } finally {
      this.busy.delete(tenant);
    }
  }

  /** Goes on with a batch for a while; when it is to be looked at next. */
  async turn(key: Key, turn: Turn): Promise<Date | null> {
    const batch = await this.store.require(key, key.id);
    turn.hold(batch);
    const beat = setInterval(() => void this.stay(key, turn), turn.leaseMs / BEATS_OF_A_LEASE);
    this.beats.add(beat);
    try {
      if (await this.isClosed(batch)) await this.pause(batch, turn);
      else await (batch.status === 'validating' ? this.validate(batch, turn) : this.carryOut(batch, turn));
    } finally {
      clearInterval(beat);
      this.beats.delete(beat);
    }
    return (await this.store.change(key, noStep, turn.nextLook)).nextCheckAt;
  }

  /** Nobody else looks while a chunk takes longer than a lease: who would carry out the same rows. */
  private async stay(key: Key, turn: Turn): Promise<void> {
    try {
      await this.store.change(key, noStep, turn.lease);
    } catch (error) {
      this.log.warn({ message: 'a lease could not be renewed', batch: key.id, err: error });
    }
  }

  private async again(key: Key, nextCheckAt: Date): Promise<void> {
    await this.store.postpone(key, nextCheckAt);
    await this.requeries.setAlarms('batches', { ...key, nextCheckAt });
  }

  /** Its account has no live mode any more. */
  private async isClosed({ livemode, accountId }: Batch): Promise<boolean> {
    return livemode && !(await this.accounts.require(accountId)).liveEnabled;
  }

  /** No row begins, nor again; its owner lets it go on. What became of rows that went on by themselves is told. */
  private pause(batch: Batch, turn: Turn): Promise<Batch> {
    const work = async (tx: Tx, { status, counts }: Batch): Promise<BatchStep> => {
      await this.store.settle(tx, batch);
      const isLeft = status === 'validating' || status === 'scheduled' || (status === 'running' && counts.valid > 0);
      return isLeft ? { status: 'paused' } : {};
    };
    return this.store.change(batch, work, turn.lease);
  }

  private async validate(batch: Batch, turn: Turn): Promise<Batch> {
    let after = batch;
    while (after.status === 'validating' && !turn.isOver) {
      const items = await this.store.pending(batch, PRICED.chunk);
      const looked: BatchItem[] = [];
      await forEach(items, PRICED.parallel, async (item) => void looked.push(await this.priced(batch, item)));
      turn.hear(looked.filter(({ status }) => status === 'pending'));
      const work = async (tx: Tx, { status }: Batch): Promise<BatchStep> => {
        await this.store.writeItems(tx, batch, looked, 'pending');
        return items.length === 0 && status === 'validating' ? this.validated(tx, batch, turn.now) : {};
      };
      after = await this.store.change(batch, work, turn.lease);
    }
    return after;
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

  private async carryOut(batch: Batch, turn: Turn): Promise<Batch> {
    const isDue = batch.status === 'scheduled' && batch.startAt! <= turn.now;
    let after = await this.store.change(
      batch,
      async (tx, { status }) => {
        await this.store.settle(tx, batch);
        return isDue && status === 'scheduled' ? { status: 'running' } : this.stopped(tx, batch, status);
      },
      turn.lease,
    );
    const carry = async (status: 'processing' | 'valid'): Promise<void> => {
      while (!turn.isOver && !(await this.isClosed(batch))) {
        const { parallel, chunk } = await this.paceOf(batch);
        const items = await this.store.take(batch, status, chunk);
        if (items.length === 0) return;
        const done: BatchItem[] = [];
        await forEach(items, parallel, async (item) => {
          // Else it is for whoever has the batch now.
          if (!turn.isLost) done.push(await this.attempt(batch, item));
        });
        turn.hear(done.filter(({ status, resourceId }) => status === 'processing' && resourceId === null));
        const work = async (tx: Tx, { status }: Batch): Promise<BatchStep> => {
          await this.store.writeItems(tx, batch, done, 'processing');
          return this.stopped(tx, batch, status);
        };
        const changed = await this.store.change(batch, work, turn.lease);
        if (changed.version > after.version) after = changed;
      }
    };
    // First those of whoever died before it could say what became of them.
    await carry('processing');
    await Promise.all(Array.from({ length: batch.onError === 'stop' ? 1 : CARRIERS }, () => carry('valid')));
    return after;
  }

  private async paceOf({ onError, accountId }: Batch): Promise<Pace> {
    if (onError === 'stop') return ONE_BY_ONE;
    return (await this.ledger.isUsedByOthers(accountId)) ? BESIDE_OTHERS : ALONE;
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

/** Of one batch of an account. */
export class Turn {
  /** Another batch of the account waits for its own. */
  isAwaited = false;
  /** Somebody else looks, or is to: its lease ran out, or its owner has it go on. */
  isLost = false;
  /** How long what cannot be done just now is left alone; null: nothing was in the way. */
  private heldUpMs: number | null = null;
  private readonly since = performance.now();
  /** Every time for which it has noted a next look. Another one that is stored was noted by somebody else. */
  private readonly noted = new Set<number>();

  /** `began`: by the account's clock. */
  constructor(
    private readonly began: Date,
    readonly leaseMs = LEASE_MS,
  ) {}

  /** By the account's clock. */
  get now(): Date {
    return new Date(this.began.getTime() + performance.now() - this.since);
  }

  get isOver(): boolean {
    if (this.isLost || this.heldUpMs !== null) return true;
    return performance.now() - this.since >= (this.isAwaited ? TURN_MS : TURN_MAX_MS);
  }

  /** What was leased for it. */
  hold({ nextCheckAt }: Batch): void {
    if (nextCheckAt !== null) this.noted.add(nextCheckAt.getTime());
  }

  /** Of rows of which nobody can say what became of them, or that cannot be done just now. */
  hear(heldUp: readonly BatchItem[]): void {
    if (heldUp.length > 0) this.heldUpMs = Math.max(this.heldUpMs ?? 0, againMs(heldUp));
  }

  /** While it is under way nobody else looks, unless it dies. */
  readonly lease: NextLook = (batch) => this.note(batch, this.leaseMs);

  /** After it. Who gives way to another batch comes behind it. */
  readonly nextLook: NextLook = (batch) => this.note(batch, this.heldUpMs ?? (this.isAwaited ? 2 * BUSY_MS : PAUSE_MS));

  /** What somebody else has noted stays. */
  private note(batch: Batch, ms: number): Date | null {
    const { nextCheckAt } = batch;
    this.isLost ||= nextCheckAt !== null && !this.noted.has(nextCheckAt.getTime());
    if (this.isLost && nextCheckAt !== null) return nextCheckAt;
    const next = nextLookAfter(this.now, ms)(batch);
    this.hold({ ...batch, nextCheckAt: next });
    return next;
  }
}

const noStep = (): Promise<BatchStep> => Promise.resolve({});

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
