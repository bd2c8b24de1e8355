import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import { arrayParam, type ColumnType, unnested } from '../core/database/bulk';
import { Extensions } from '../core/extension/extensions';
import type { OnErrorContext } from '../core/extension/points';
import { registry } from '../core/metrics/metrics';
import { within } from '../core/process/work-under-way';
import { tracing } from '../core/tracing/tracing';
import { Recurring } from '../core/queue/recurring-jobs';
import { faultCode, type UnknownOutcome } from './answers';
import { Health } from './health';
import { asking } from './http';
import { Breakers, type Line } from './breakers';
import { Registry } from './registry';
import type { RoutedProduct } from '../vocabulary/products';

/** How long an answer is waited for. */
export const CALL_TIMEOUT_MS = 20_000;
/** A process that dies while it asks leaves the matter to whoever looks after this time. */
export const ABANDONED_AFTER_MS = CALL_TIMEOUT_MS + 10_000;

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 24 * 3_600_000];

/** Waits before somebody outside is asked again what became of a matter, from the answer before. */
export const CHECK_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  15 * SECOND,
  45 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  DAY,
];

/** Share of a delay that chance may add, so that somebody who comes back is not asked everything at once. */
const JITTER = 0.1;

/** The wait before the next question when so many were asked; past the end of the list it stays at the last. */
export function checkDelayMs(checksMade: number, random = Math.random()): number {
  const delay = CHECK_DELAYS_MS[Math.min(checksMade, CHECK_DELAYS_MS.length - 1)]!;
  return Math.round(delay * (1 + JITTER * random));
}

/** After all the questions of the list only a person can decide. No clock gives money back or takes it. */
export const needsPerson = (checksMade: number): boolean => checksMade >= CHECK_DELAYS_MS.length;

/** "Not known here" counts as never arrived only after this time and this many answers in a row. */
const NOT_KNOWN_AFTER_MS = 10 * MINUTE;
const NOT_KNOWN_ANSWERS = 2;

/** Whether who does not know of it, so often in a row, certainly never got it. `askedAt`: when it was sent. */
export const neverArrived = (answers: number, askedAt: Date, now: Date): boolean =>
  answers >= NOT_KNOWN_ANSWERS && now.getTime() - askedAt.getTime() >= NOT_KNOWN_AFTER_MS;

/** What somebody outside is asked about. */
export interface Matter extends Line {
  readonly product: RoutedProduct;
  /** For the log. */
  readonly id: string;
}

/** A call of a port. No database transaction is open. */
export interface Question<Port, Answer extends { readonly outcome: string }> {
  /** `purchase`, `find`, …: for those who look after providers. */
  readonly call: string;
  readonly ask: (adapter: Port, signal: AbortSignal) => Promise<unknown>;
  /** What the adapter returned, as far as it can be trusted. */
  readonly parse: (value: unknown) => Answer;
  readonly timeoutMs?: number;
  /** What holds while the breaker is open and nobody is asked. Without it the breaker has no say: of requeries. */
  readonly whenOpen?: Answer | UnknownOutcome;
  /** What `svc_on_error` hears beside the error, when the call is refused or nobody can say. */
  readonly context?: Omit<OnErrorContext, 'error'>;
}

/** From which something follows that observers of errors want to know. */
const FAULTS: ReadonlySet<string> = new Set(['refused', 'not_delivered', 'not_started', 'failed', 'unknown']);

const MISSING: UnknownOutcome = { outcome: 'unknown', code: 'provider_missing' };

const duration = new Histogram({
  name: 'provider_call_seconds',
  help: 'Calls of providers, card issuers and payment gateways by what they answered.',
  labelNames: ['product', 'provider', 'call', 'outcome'],
  buckets: [0.001, 0.01, 0.05, 0.2, 1, 5, 20],
  registers: [registry],
});

const FLUSH_MS = 5 * SECOND;
const KEPT_DAYS = 30;

/** A call of a provider, and what came of it. */
interface EndedCall {
  /** What the provider sells, as `provider_routes` names it. */
  readonly product: string;
  readonly provider: string;
  readonly livemode: boolean;
  /** What it was asked: `purchase`, `find`, … */
  readonly call: string;
  readonly outcome: string;
  readonly milliseconds: number;
}

interface Sum extends EndedCall {
  readonly minute: Date;
  calls: number;
  milliseconds: number;
}

const COLUMNS = {
  minute: 'timestamptz',
  product: 'text',
  provider: 'text',
  livemode: 'boolean',
  call: 'text',
  outcome: 'text',
  calls: 'integer',
  milliseconds: 'bigint',
} as const;

/** In one order, so that two processes do not wait for each other in a circle. */
const ADD = `
  INSERT INTO provider_calls AS t (minute, product, provider, livemode, call, outcome, calls, milliseconds)
  SELECT * FROM ${unnested(COLUMNS)} AS v
   ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (minute, product, provider, livemode, call, outcome)
  DO UPDATE SET calls = t.calls + excluded.calls, milliseconds = t.milliseconds + excluded.milliseconds`;

/** Calls of one kind to one provider that ended alike. */
export interface CallCount {
  readonly product: string;
  readonly provider: string;
  readonly livemode: boolean;
  readonly call: string;
  readonly outcome: string;
  readonly calls: number;
  /** Mean, in milliseconds. */
  readonly meanMs: number;
  /** Start of the last minute in which there was one. */
  readonly lastAt: Date;
}

const CALLS = `
  SELECT product, provider, livemode, call, outcome, sum(calls)::integer AS calls,
         (sum(milliseconds) / sum(calls))::float AS "meanMs", max(minute) AS "lastAt"
    FROM provider_calls WHERE minute >= now() - make_interval(mins => $1)
   GROUP BY product, provider, livemode, call, outcome ORDER BY product, provider, livemode, call, outcome`;

/**
 * Asks whoever is outside: by the clock, under the breaker, timed and counted. Whatever happens there is one of the
 * outcomes of the question, or unknown: nothing is thrown.
 */
@Injectable()
export class Client implements BeforeApplicationShutdown {
  private readonly log = new Logger('providers');
  /** Calls that ended and are not stored yet. */
  private sums = new Map<string, Sum>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly registry: Registry,
    private readonly breakers: Breakers,
    private readonly extensions: Extensions,
    private readonly dataSource: DataSource,
    private readonly health: Health,
  ) {}

  async ask<Port, Answer extends { readonly outcome: string }>(
    about: Matter,
    question: Question<Port, Answer>,
  ): Promise<Answer | UnknownOutcome> {
    const { product, provider, livemode } = about;
    const adapter = this.registry.findOf<Port>(product, provider, livemode)?.adapter;
    // A release without the adapter: the question stays open.
    const result = adapter === undefined ? MISSING : await this.traced(about, question, adapter);
    const { outcome } = result;
    if (question.context && FAULTS.has(outcome)) {
      const { code = outcome, message = 'nobody can say yet' } = result as { code?: string; message?: string };
      this.extensions.onError({
        ...question.context,
        error: { stage: 'provider', by: provider, code, message, outcome },
      });
    }
    return result;
  }

  /** Counts a call, by the minute. A few are lost when a process is killed. */
  count(ended: EndedCall): void {
    const minute = new Date(Math.floor(Date.now() / MINUTE) * MINUTE);
    const key = [minute.getTime(), ended.product, ended.provider, ended.livemode, ended.call, ended.outcome].join('\n');
    const sum = this.sums.get(key) ?? { ...ended, minute, calls: 0, milliseconds: 0 };
    sum.calls++;
    sum.milliseconds += ended.milliseconds;
    this.sums.set(key, sum);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Stores what was counted so far. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const all = [...this.sums.values()];
    this.sums = new Map();
    if (all.length === 0) return;
    try {
      await this.dataSource.query(ADD, paramsOf(all));
    } catch (error) {
      this.log.warn({ message: 'calls of providers could not be counted', err: error });
    }
  }

  @Recurring({ name: 'providers.forget_calls', everyMs: DAY })
  async forget(): Promise<void> {
    await this.dataSource.query('DELETE FROM provider_calls WHERE minute < now() - make_interval(days => $1)', [
      KEPT_DAYS,
    ]);
  }

  /** What was answered in the last so many minutes; the last five seconds may not be counted yet. */
  calls(minutes: number): Promise<CallCount[]> {
    return this.dataSource.query(CALLS, [minutes]);
  }

  private traced<Port, Answer extends { readonly outcome: string }>(
    about: Matter,
    question: Question<Port, Answer>,
    adapter: Port,
  ): Promise<Answer | UnknownOutcome> {
    if (tracing.on === null) return this.timed(about, question, adapter);
    const attributes = { 'duka.product': about.product, 'duka.provider': about.provider };
    return tracing.on.run({ name: `provider ${question.call}`, attributes, isRoot: true }, async (step) => {
      const result = await this.timed(about, question, adapter);
      step?.note({ 'duka.outcome': result.outcome });
      if (result.outcome === 'unknown') step?.fail(result.outcome);
      return result;
    });
  }

  private async timed<Port, Answer extends { readonly outcome: string }>(
    about: Matter,
    { call, ask, parse, whenOpen, timeoutMs = CALL_TIMEOUT_MS }: Question<Port, Answer>,
    adapter: Port,
  ): Promise<Answer | UnknownOutcome> {
    const { product, provider, livemode, network, id } = about;
    const asked = async () =>
      parse(
        await asking.run({ product, provider, accountId: about.accountId, livemode, id, call }, () =>
          within(timeoutMs, (signal) => ask(adapter, signal)),
        ),
      );
    const startedAt = performance.now();
    let result: Answer | UnknownOutcome;
    try {
      result = whenOpen === undefined ? await asked() : ((await this.breakers.run(about, asked)) ?? whenOpen);
    } catch (error) {
      this.log.warn({
        message: 'a provider did not answer',
        product,
        provider,
        network,
        livemode,
        call,
        about: id,
        err: error,
      });
      result = { outcome: 'unknown', code: faultCode(error, 'provider_error') };
    }
    const milliseconds = performance.now() - startedAt;
    const { outcome } = result;
    // Of requeries and reads the breaker has no say either: they tell of an order that was sent before.
    if (whenOpen !== undefined && result !== whenOpen) this.health.note(about, isWell(result), milliseconds);
    duration.observe({ product, provider, call, outcome }, milliseconds / 1_000);
    this.count({ product, provider, livemode, call, outcome, milliseconds });
    return result;
  }
}

/** Whether what came of it is no fault of the provider's. */
const isWell = (result: { readonly outcome: string; readonly retryElsewhere?: boolean }): boolean =>
  result.outcome !== 'unknown' && result.retryElsewhere !== true;

const paramsOf = (sums: readonly Sum[]): Buffer[] => {
  const rounded = sums.map((sum) => ({ ...sum, milliseconds: BigInt(Math.round(sum.milliseconds)) }));
  return (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((column) =>
    arrayParam<ColumnType>(
      COLUMNS[column],
      rounded.map((sum) => sum[column]),
    ),
  );
};
