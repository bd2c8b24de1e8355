import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Env } from '../../core/config/env';
import type { Write } from '../../core/database/bulk';
import { type Check, type CheckResult, runChecks } from '../../core/database/checks';
import { MetricReads } from '../../core/database/metric-reads';
import { dataSourceOptions } from '../../core/database/options';
import { constraintOf, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError } from '../../core/errors/domain-error';
import { newId } from '../../core/http/ids';
import { sample, sampledGauges } from '../../core/metrics/metrics';
import { Recurring } from '../../core/queue/recurring-jobs';

export const VERIFICATION_SOURCES = ['dashboard', 'command'] as const;

/** A run of `verify:ledger`. */
export interface Verification {
  readonly id: string;
  readonly source: (typeof VERIFICATION_SOURCES)[number];
  /** E-mail address of who ordered it; null: the command line, which asks nobody who they are. */
  readonly person: string | null;
  /** Null: no worker has begun yet. */
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** How many checks there are. */
  readonly checks: number;
  /** The check under way, and how far it is. */
  readonly doing: string | null;
  /** Of the checks that are done, in their order. */
  readonly results: readonly CheckResult[];
  /** Why it ended before it was done. */
  readonly failure: string | null;
}

/** The books are being proven already. */
class VerificationUnderWay extends DomainError {
  constructor() {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'retry_later',
      detail: 'The books are being verified already: one run at a time.',
    });
  }
}

const EVERY_MS = 2_000;
const BEAT_MS = 10_000;
const LEASE_SECONDS = 30;
const RETRY_SECONDS = 10;
const ATTEMPTS_MAX = 5;

const COLUMNS = `
  id, source, person, started_at AS "startedAt", ended_at AS "endedAt", checks, doing, results, failure`;
const LIST = `SELECT ${COLUMNS} FROM ledger_verifications ORDER BY id DESC LIMIT $1`;
const ORDER = `INSERT INTO ledger_verifications (id, source, person, checks) VALUES ($1, 'dashboard', $2, $3)`;
const KEEP = `
  INSERT INTO ledger_verifications (id, source, started_at, ended_at, attempts, checks, results)
  VALUES ($1, 'command', $2, now(), 1, $3, $4)`;
const CLAIM = `
  UPDATE ledger_verifications
     SET started_at = coalesce(started_at, now()), attempts = attempts + 1, lease = $1, checks = $2,
         leased_until = now() + interval '${LEASE_SECONDS} seconds'
   WHERE ended_at IS NULL AND (leased_until IS NULL OR leased_until < now())
  RETURNING id, attempts, results`;
const BEAT = `
  UPDATE ledger_verifications SET leased_until = now() + interval '${LEASE_SECONDS} seconds' WHERE lease = $1`;
const DOING = `UPDATE ledger_verifications SET doing = $2 WHERE lease = $1`;
const DONE = `UPDATE ledger_verifications SET results = results || $2::jsonb WHERE lease = $1 RETURNING id`;
const END = `
  UPDATE ledger_verifications SET ended_at = now(), doing = NULL, failure = $2, lease = NULL WHERE lease = $1`;
const LEAVE = `
  UPDATE ledger_verifications
     SET leased_until = now() + make_interval(secs => $2), attempts = attempts - $3, lease = NULL WHERE lease = $1`;

const LAST = `
  SELECT extract(epoch FROM now() - ended_at)::float8 AS age,
         (SELECT coalesce(sum((r->>'found')::bigint), 0)::float8 FROM jsonb_array_elements(results) r) AS found
    FROM ledger_verifications WHERE ended_at IS NOT NULL AND failure IS NULL ORDER BY id DESC LIMIT 1`;

const provideLast = sampledGauges({
  ledger_verification_age_seconds: { help: 'Time since the books were last verified to the end. Missing: never.' },
  ledger_verification_violations: { help: 'What the last verification of the books found: anything but 0 is a break.' },
});

interface Claimed {
  readonly id: string;
  readonly attempts: number;
  readonly results: readonly CheckResult[];
}

/** Keeps what a run at the command line found. As the owner of the database. */
export async function keepVerification(
  dataSource: DataSource,
  startedAt: Date,
  results: readonly CheckResult[],
): Promise<void> {
  await dataSource.query(KEEP, [newId(), startedAt, results.length, JSON.stringify(results)]);
}

/**
 * Runs of `verify:ledger`: those that operators order are carried out by a worker, check by check, and one that is cut
 * is gone on with where it was.
 */
@Injectable()
export class Verifications implements OnModuleDestroy {
  private readonly log = new Logger('verify');
  private readonly stopping = new AbortController();
  private checks: readonly Check[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly env: Env,
    reads: MetricReads,
  ) {
    provideLast(async () => {
      const [last] = await reads.rows<{ age: number; found: number }>(LAST);
      return {
        ledger_verification_age_seconds: last === undefined ? [] : sample(last.age),
        ledger_verification_violations: last === undefined ? [] : sample(last.found),
      };
    });
  }

  /** What is checked: known only above the modules. */
  include(checks: readonly Check[]): void {
    this.checks = [...this.checks, ...checks];
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** Newest first. */
  list(take: number): Promise<Verification[]> {
    return this.dataSource.query(LIST, [take]);
  }

  /** For a worker to carry out; `writes` go with it. Throws `VerificationUnderWay`. */
  async order(person: string, writes: (id: string) => readonly Write[]): Promise<void> {
    const id = newId();
    try {
      await this.unitOfWork.run(async (tx) => {
        await tx.query(ORDER, [id, person, this.checks.length]);
        await this.unitOfWork.write(tx, writes(id));
      });
    } catch (error) {
      throw constraintOf(error) === 'ledger_verifications_open' ? new VerificationUnderWay() : error;
    }
  }

  /** What was ordered and nobody is at. */
  @Recurring({ name: 'ledger.verify', everyMs: EVERY_MS })
  async verifyOrdered(): Promise<void> {
    const lease = newId();
    const [[claimed]]: [Claimed[]] = await this.dataSource.query(CLAIM, [lease, this.checks.length]);
    if (claimed === undefined) return;
    if (claimed.attempts > ATTEMPTS_MAX)
      return this.end(lease, 'Its worker ended before it was done, again and again.');
    const beat = setInterval(
      () => void this.dataSource.query(BEAT, [lease]).catch((error: unknown) => this.log.warn({ err: error })),
      BEAT_MS,
    );
    try {
      await this.verify(lease, new Set(claimed.results.map(({ check }) => check)));
      await this.end(lease, null);
    } catch (error) {
      await this.leave(lease, claimed, error);
    } finally {
      clearInterval(beat);
    }
  }

  /** On a connection of its own, whose statements may take as long as they need. */
  private async verify(lease: string, done: ReadonlySet<string>): Promise<void> {
    const { signal } = this.stopping;
    const reader = await new DataSource({ ...dataSourceOptions(this.env, 'reader'), poolSize: 1 }).initialize();
    const tell = (doing: string) => this.dataSource.query(DOING, [lease, doing]);
    const progress = (check: string, piece: number, of: number) =>
      void tell(`${check}, ${piece} of ${of}`).catch((error: unknown) => this.log.warn({ err: error }));
    try {
      for (const check of this.checks.filter(({ name }) => !done.has(name))) {
        await tell(check.name);
        const results = await runChecks(reader, [check], { progress, signal });
        const [kept]: [unknown[]] = await this.dataSource.query(DONE, [lease, JSON.stringify(results)]);
        if (kept.length === 0) throw new Error('another worker has taken it over');
      }
    } finally {
      await reader.destroy();
    }
  }

  private async end(lease: string, failure: string | null): Promise<void> {
    await this.dataSource.query(END, [lease, failure]);
  }

  /** For another try: at once when it is only this process that stops. */
  private async leave(lease: string, { id, attempts }: Claimed, error: unknown): Promise<void> {
    if (this.stopping.signal.aborted) return void (await this.dataSource.query(LEAVE, [lease, 0, 1]));
    this.log.error({ message: 'the books could not be verified', verification: id, err: error });
    if (attempts >= ATTEMPTS_MAX) return this.end(lease, error instanceof Error ? error.message : String(error));
    await this.dataSource.query(LEAVE, [lease, RETRY_SECONDS, 0]);
  }
}
