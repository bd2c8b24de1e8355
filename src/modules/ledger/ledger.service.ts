import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '../../core/config/env';
import { Batcher } from '../../core/database/batcher';
import { Pipeline, ReadPipeline } from '../../core/database/pipeline';
import { clientConfig } from '../../core/database/options';
import { lowestIdAt } from '../../core/http/ids';
import { Readiness } from '../../core/health/readiness';
import { ledgerBatchSize, ledgerWaitSeconds } from '../../core/metrics/metrics';
import { tracing } from '../../core/tracing/tracing';
import { BatchWriter } from './batch-writer';
import { planBatch } from './batch-plan';
import {
  accountsOf,
  assertBalanced,
  type Describe,
  type Done,
  LedgerUnavailable,
  type Making,
  type Outcome,
  type Posting,
  PostingRefused,
  type Replayed,
} from './posting';
import { type AccountRow, READ_ACCOUNTS, toAccountState } from './ledger-rows';

/** Postings that must wait for the next batch to be queued behind the COMMIT of the one before. */
const HAND_OVER_MIN = 12;

/** For how long whoever posted something is taken to be there. */
const PRESENT_MS = 5_000;
/** Batches of other processes that are no use of anybody: of the moments at both ends of the time that is looked at. */
const STRAY_BATCHES = 2;

const COUNT_BATCHES = {
  name: 'count_recent_batches',
  text: 'SELECT count(*)::int AS batches FROM ledger_batches WHERE id >= $1',
};

/** When an account last posted something, on the clock of `performance.now()`. */
interface Use {
  accountId: string;
  at: number;
}

interface Waiting {
  posting: Posting;
  since: number;
}

/** The only door to balances. Concurrent postings share a database transaction; each is decided on its own. */
@Injectable()
export class LedgerService implements OnApplicationShutdown {
  patienceMs: number;
  private readonly pipelines: Pipeline[];
  private readonly free: BatchWriter[];
  private readonly batcher: Batcher<Waiting, Outcome>;
  /** The first arrival of each batch under way; whoever is queued has come later. */
  private readonly firsts = new Set<Waiting>();
  /** The last posting, and the last one before it of somebody else. */
  private latest: Use = { accountId: '', at: -Infinity };
  private before: Use = { accountId: '', at: -Infinity };
  /** When batches of this process were begun, the newest last. */
  private readonly begun: number[] = [];

  constructor(
    env: Env,
    private readonly reads: ReadPipeline,
    readiness: Readiness,
  ) {
    readiness.watch('ledger', async () => this.assertPatient());
    this.patienceMs = env.PATIENCE_MS;
    const config = clientConfig(env);
    this.pipelines = Array.from({ length: env.LEDGER_WRITERS }, () => new Pipeline(config));
    this.free = this.pipelines.map((pipeline) => new BatchWriter(pipeline));
    this.batcher = new Batcher((batch, handOver) => this.write(batch, handOver), {
      batchMax: env.LEDGER_BATCH_MAX,
      parallel: env.LEDGER_WRITERS,
      queueMax: env.LEDGER_QUEUE_MAX,
      handOverMin: HAND_OVER_MIN,
      // A hold is often captured as soon as it is known to be there.
      goesOn: ({ posting }) => posting.holds?.some(({ kind }) => kind === 'open') ?? false,
      overflow: () =>
        new LedgerUnavailable(
          'Too many postings are waiting. Nothing was changed; send the request again with the same key.',
        ),
    });
  }

  /**
   * Carries out a posting, durably. A posting that the books refuse is an outcome, not an error.
   * Throws `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable` (the outcome may be unknown: resend with
   * the same key), or the fault of the posting's own rows.
   */
  post<Made>(posting: Making<Made>): Promise<Outcome<Made>>;
  post(posting: Posting): Promise<Outcome>;
  post(posting: Posting): Promise<Outcome> {
    assertBalanced(posting);
    const since = performance.now();
    this.noteUse(posting.accountId, since);
    if (tracing.on === null) return this.batcher.add({ posting, since });
    return tracing.on.run({ name: 'ledger post' }, () => this.batcher.add({ posting, since }));
  }

  /**
   * Whether anybody but an account posted something in the last seconds, in whatever process: who has much to post may
   * leave others their room.
   */
  async isUsedByOthers(accountId: string): Promise<boolean> {
    const since = performance.now() - PRESENT_MS;
    const other = this.latest.accountId === accountId ? this.before : this.latest;
    if (other.at > since) return true;
    const lowest = lowestIdAt(new Date(Date.now() - PRESENT_MS));
    const { rows } = await this.reads.query<{ batches: number }>(COUNT_BATCHES, [lowest]);
    return rows[0]!.batches > this.begun.filter((at) => at > since).length + STRAY_BATCHES;
  }

  /** As `post`, but a refusal of the books is thrown: `PostingRefused`, worded for the caller by `describe`. */
  require<Made>(posting: Making<Made>, describe: Describe): Promise<Done<Made> | Replayed>;
  require(posting: Posting, describe: Describe): Promise<Done | Replayed>;
  async require(posting: Posting, describe: Describe): Promise<Done | Replayed> {
    return required(await this.post(posting), describe);
  }

  /**
   * What `require` would do now. Locks, claims and writes nothing. Postings that capture or release are not for this.
   */
  preview<Made>(posting: Making<Made>, describe: Describe): Promise<Done<Made>>;
  preview(posting: Posting, describe: Describe): Promise<Done>;
  async preview(posting: Posting, describe: Describe): Promise<Done> {
    assertBalanced(posting);
    const ids = [...new Set(accountsOf(posting))];
    const { rows } = await this.reads.query<AccountRow>(READ_ACCOUNTS, [ids]);
    const books = { accounts: new Map(rows.map((row) => [row.id, toAccountState(row)])), holds: new Map() };
    const { outcomes } = planBatch(posting.id, [{ ...posting, claim: null }], {
      books,
      claims: new Map(),
      now: Date.now(),
    });
    return required(outcomes[0] as Outcome, describe) as Done;
  }

  /** Postings are accepted until the last request has been answered; then the connections close. */
  async onApplicationShutdown(): Promise<void> {
    await this.batcher.drain();
    await Promise.all(this.pipelines.map((pipeline) => pipeline.end()));
  }

  private noteUse(accountId: string, at: number): void {
    if (this.latest.accountId !== accountId) [this.before, this.latest] = [this.latest, { accountId, at }];
    else this.latest.at = at;
  }

  private assertPatient(): void {
    const latest = performance.now() - this.patienceMs;
    for (const { since } of this.firsts) if (since < latest) throw new Error('postings wait');
  }

  private write(batch: readonly Waiting[], handOver: () => void): Promise<(Outcome | Error)[]> {
    ledgerBatchSize.observe(batch.length);
    const now = performance.now();
    this.begun.push(now);
    if (this.begun[0]! < now - PRESENT_MS) this.begun.shift();
    for (const { since } of batch) ledgerWaitSeconds.observe((now - since) / 1000);
    const writer = this.free.pop()!;
    let isFree = false;
    const release = () => {
      if (!isFree) this.free.push(writer);
      isFree = true;
      handOver();
    };
    // Counted from the first arrival: who waited for the batch before has already been patient.
    const first = batch[0]!;
    const deadline = first.since + this.patienceMs;
    this.firsts.add(first);
    return writer
      .write(
        batch.map(({ posting }) => posting),
        { deadline, handOver: release },
      )
      .finally(() => {
        this.firsts.delete(first);
        release();
      });
  }
}

function required<T extends Outcome>(outcome: T, describe: Describe): Exclude<T, { status: 'refused' }> {
  if (outcome.status === 'refused') throw new PostingRefused(outcome.refusal, describe);
  return outcome as Exclude<T, { status: 'refused' }>;
}
