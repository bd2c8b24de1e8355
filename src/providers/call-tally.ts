import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { arrayParam, type ColumnType, unnested } from '../core/database/array-param';
import { Recurring } from '../core/queue/recurring';

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

const paramsOf = (sums: readonly Sum[]): Buffer[] => {
  const rounded = sums.map((sum) => ({ ...sum, milliseconds: BigInt(Math.round(sum.milliseconds)) }));
  return (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((column) =>
    arrayParam<ColumnType>(
      COLUMNS[column],
      rounded.map((sum) => sum[column]),
    ),
  );
};
