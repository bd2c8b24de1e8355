import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { DataSource } from 'typeorm';
import { arrayParam, unnested } from '../core/database/array-param';
import { registry } from '../core/metrics/metrics';
import { Recurring } from '../core/queue/recurring';
import { faultCode } from './answers';

const FLUSH_MS = 5_000;
const DAY_MS = 24 * 3_600_000;
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

/** Counts calls of providers by the minute, for those who look after them. A few are lost when a process is killed. */
@Injectable()
export class CallTally implements BeforeApplicationShutdown {
  private readonly log = new Logger('providers');
  private sums = new Map<string, Sum>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly dataSource: DataSource) {}

  add(ended: EndedCall): void {
    const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000);
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

  @Recurring({ name: 'providers.forget_calls', everyMs: DAY_MS })
  async forget(): Promise<void> {
    await this.dataSource.query('DELETE FROM provider_calls WHERE minute < now() - make_interval(days => $1)', [
      KEPT_DAYS,
    ]);
  }
}

const paramsOf = (sums: readonly Sum[]): Buffer[] => [
  arrayParam(
    'timestamptz',
    sums.map(({ minute }) => minute),
  ),
  arrayParam(
    'text',
    sums.map(({ product }) => product),
  ),
  arrayParam(
    'text',
    sums.map(({ provider }) => provider),
  ),
  arrayParam(
    'boolean',
    sums.map(({ livemode }) => livemode),
  ),
  arrayParam(
    'text',
    sums.map(({ call }) => call),
  ),
  arrayParam(
    'text',
    sums.map(({ outcome }) => outcome),
  ),
  arrayParam(
    'integer',
    sums.map(({ calls }) => calls),
  ),
  arrayParam(
    'bigint',
    sums.map(({ milliseconds }) => BigInt(Math.round(milliseconds))),
  ),
];

const duration = new Histogram({
  name: 'provider_call_seconds',
  help: 'Calls of providers, card issuers and payment gateways by what they answered.',
  labelNames: ['product', 'provider', 'call', 'outcome'],
  buckets: [0.001, 0.01, 0.05, 0.2, 1, 5, 20],
  registers: [registry],
});

/** Whom a call is made to. */
export interface Called extends Omit<EndedCall, 'outcome' | 'milliseconds'> {
  /** Id of what it is about, for the log. */
  readonly about: string;
}

/** Nobody can say what became of it: the matter stays open. */
export interface UnknownOutcome {
  readonly outcome: 'unknown';
  readonly code: string;
}

/** The other side took the order and is at it: asked again, and no sign that anything is wrong there. */
export interface AcceptedOutcome {
  readonly outcome: 'accepted';
}

/** Calls whoever is outside: timed, counted, and with each fault turned into an unknown outcome. Nothing is thrown. */
@Injectable()
export class ProviderCalls {
  private readonly log = new Logger('providers');

  constructor(private readonly tally: CallTally) {}

  /** `ask` keeps its own time limit. `otherwise`: the code of a fault that says no more. */
  async make<R extends { outcome: string }>(
    called: Called,
    ask: () => Promise<R>,
    otherwise = 'provider_error',
  ): Promise<R | UnknownOutcome> {
    const { product, provider, livemode, call } = called;
    const startedAt = performance.now();
    let result: R | UnknownOutcome;
    try {
      result = await ask();
    } catch (error) {
      this.log.warn({ message: 'a provider did not answer', ...called, err: error });
      result = { outcome: 'unknown', code: faultCode(error, otherwise) };
    }
    const milliseconds = performance.now() - startedAt;
    const { outcome } = result;
    duration.observe({ product, provider, call, outcome }, milliseconds / 1_000);
    this.tally.add({ product, provider, livemode, call, outcome, milliseconds });
    return result;
  }
}
