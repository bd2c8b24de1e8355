import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ControlCell } from '../../core/cells/control-cell';
import { DomainError } from '../../core/errors/domain-error';
import { Extensions } from '../../core/extension/extensions';
import { PointRunner } from '../../core/extension/point-runner';
import { type FilterChange, type FilterPoint, publishPoint } from '../../core/extension/points';
import { newId } from '../../core/http/ids';
import type { Tenant } from '../../core/http/caller';
import type { Currency } from '../../core/money/money';
import { inverseOf, type Rate, rateFrom, rateText, withSpread } from './rate';

/** A conversion that is to be quoted. */
export interface SpreadContext extends Tenant {
  readonly fromCurrency: Currency;
  readonly toCurrency: Currency;
}

declare module '../../core/extension/points' {
  interface ExtensionPoints {
    /** Basis points that are kept of a rate: what the operator set, before filters. */
    svc_fx_spread: FilterPoint<number, SpreadContext>;
  }
}

const FILTER_MS = 250;
const SPREAD_MAX = 5_000;

publishPoint('svc_fx_spread', {
  kind: 'filter',
  sync: false,
  timeoutMs: FILTER_MS,
  accept: (result) => {
    if (Number.isInteger(result) && (result as number) >= 0 && (result as number) <= SPREAD_MAX)
      return result as number;
    throw new TypeError(`it is not a whole number of basis points from 0 to ${SPREAD_MAX}`);
  },
  toJson: (basisPoints) => basisPoints,
});

class SameCurrency extends DomainError {
  constructor(currency: Currency) {
    super({
      code: 'currency_mismatch',
      kind: 'unprocessable',
      title: 'Currency mismatch',
      param: '/to_currency',
      detail: `${currency} is on both sides: a conversion is between two currencies.`,
    });
  }
}

/** Nobody can say what one currency is worth in another now. */
class RateUnavailable extends DomainError {
  constructor({ fromCurrency, toCurrency }: Pick<SpreadContext, 'fromCurrency' | 'toCurrency'>) {
    super({
      code: 'rate_unavailable',
      kind: 'unavailable',
      title: 'Rate unavailable',
      detail: `There is no rate from ${fromCurrency} to ${toCurrency} that is young enough. Nothing was changed.`,
      recovery: 'retry_later',
      retryable: true,
    });
  }
}

/** Two currencies: one unit of `base` is worth so much in `quote`. */
export interface Pair {
  readonly livemode: boolean;
  readonly base: Currency;
  readonly quote: Currency;
}

/** What an operator, or a provider within an operator's bounds, said that one unit of `base` is worth in `quote`. */
export interface StoredRate extends Omit<Pair, 'livemode'> {
  readonly rate: Rate;
  readonly spreadBasisPoints: number;
  /** Null: it never grows old. */
  readonly maxAgeSeconds: number | null;
  /** How far providers may move from it; null: not at all, none is asked. */
  readonly maxMoveBasisPoints: number | null;
  /** Who set it: an operator, or the name of a provider. */
  readonly person: string;
  readonly reason: string;
  readonly setAt: Date;
}

export type NewRate = Omit<StoredRate, 'setAt'> & { readonly livemode: boolean };

/** What is quoted. */
export interface QuotedRate {
  /** After the spread. */
  readonly rate: Rate;
  /** Before it. */
  readonly mid: Rate;
  readonly spreadBasisPoints: number;
  /** When the operator set it, and until when it is quoted; null: for ever. */
  readonly setAt: Date;
  readonly until: Date | null;
  /** What extensions changed of the spread. */
  readonly changes: readonly FilterChange[];
}

type RateRow = Omit<StoredRate, 'rate'> & { readonly rate: string };

/** One pair of currencies has one newest rate, whichever way it was set. */
const NEWEST = `
  SELECT DISTINCT ON (least(base, quote), greatest(base, quote)) base, quote, trim_scale(rate)::text AS rate,
         spread_basis_points AS "spreadBasisPoints", max_age_seconds AS "maxAgeSeconds",
         max_move_basis_points AS "maxMoveBasisPoints", person, reason, set_at AS "setAt"
    FROM fx_rates WHERE livemode = $1 AND ($2::text IS NULL OR base = $2 AND quote = $3 OR base = $3 AND quote = $2)
   ORDER BY least(base, quote), greatest(base, quote), id DESC`;

const INSERT = `
  INSERT INTO fx_rates (livemode, base, quote, id, rate, spread_basis_points, max_age_seconds, person, reason,
                        max_move_basis_points)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Pairs whose newest rate of an operator lets providers move it. */
const PROVIDED = `
  SELECT livemode, base, quote FROM (
    SELECT DISTINCT ON (livemode, least(base, quote), greatest(base, quote)) livemode, base, quote,
           max_move_basis_points
      FROM fx_rates WHERE NOT by_provider ORDER BY livemode, least(base, quote), greatest(base, quote), id DESC) newest
   WHERE max_move_basis_points IS NOT NULL`;

/** What currencies are worth in each other: the table `fx_rates`, filled by operators and, within bounds, providers. */
@Injectable()
export class RatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly extensions: Extensions,
    private readonly points: PointRunner,
    private readonly control: ControlCell,
  ) {}

  /** The rate that is quoted now. Throws `SameCurrency`, `RateUnavailable`. */
  async quoted(context: SpreadContext): Promise<QuotedRate> {
    if (context.fromCurrency === context.toCurrency) throw new SameCurrency(context.fromCurrency);
    const stored = await this.find(context.livemode, context.fromCurrency, context.toCurrency);
    const quoted = stored && (await this.quotedOf(stored, context));
    if (quoted === null) throw new RateUnavailable(context);
    return quoted;
  }

  /** Rates that are quoted now, both ways, of what is sold and bought where that is said. */
  async listQuoted(tenant: Tenant, from?: Currency, to?: Currency): Promise<(SpreadContext & QuotedRate)[]> {
    const stored = await this.listNewest(tenant.livemode);
    const both = stored.flatMap((each) => [
      { stored: each, context: { ...tenant, fromCurrency: each.base, toCurrency: each.quote } },
      { stored: each, context: { ...tenant, fromCurrency: each.quote, toCurrency: each.base } },
    ]);
    const wanted = both.filter(
      ({ context }) =>
        (from ?? context.fromCurrency) === context.fromCurrency && (to ?? context.toCurrency) === context.toCurrency,
    );
    const quoted = await Promise.all(
      wanted.map(async (each) => {
        const found = await this.quotedOf(each.stored, each.context);
        return found && { ...each.context, ...found };
      }),
    );
    return quoted.filter((each) => each !== null);
  }

  /** What operators set last, by pair. */
  async listNewest(livemode: boolean): Promise<StoredRate[]> {
    const rows: RateRow[] = await this.dataSource.query(NEWEST, [livemode, null, null]);
    return rows.map(storedOf);
  }

  /**
   * From now on this counts; what was quoted stays good for its minute. Only the owner of the database may.
   * Throws `SameCurrency`.
   */
  async set({ livemode, base, quote, rate, ...rest }: NewRate): Promise<void> {
    this.control.requireHere();
    if (base === quote) throw new SameCurrency(base);
    const { spreadBasisPoints, maxAgeSeconds, person, reason, maxMoveBasisPoints } = rest;
    const values = [livemode, base, quote, newId(), rateText(rate), spreadBasisPoints, maxAgeSeconds, person, reason];
    await this.dataSource.query(INSERT, [...values, maxMoveBasisPoints]);
  }

  /** Of which providers are asked. */
  listProvided(): Promise<Pair[]> {
    return this.dataSource.query(PROVIDED);
  }

  /**
   * Adds what a provider says, which counts from then on. The database itself holds it to the operator's bounds:
   * `too_far`, `not_wanted` and `not_newer` added nothing.
   */
  async addProvided(
    { livemode, base, quote }: Pair,
    { rate, asOf, provider }: { readonly rate: Rate; readonly asOf: Date; readonly provider: string },
  ): Promise<'added' | 'too_far' | 'not_wanted' | 'not_newer'> {
    this.control.requireHere();
    const values = [livemode, base, quote, rateText(rate), provider, asOf];
    const [row] = await this.dataSource.query('SELECT add_provided_rate($1, $2, $3, $4, $5, $6) AS done', values);
    return row.done;
  }

  /** Before spread, for valuing; null when there is none, however old. */
  async mid(livemode: boolean, from: Currency, to: Currency): Promise<Rate | null> {
    const stored = await this.find(livemode, from, to);
    return stored && midOf(stored, from);
  }

  private async find(livemode: boolean, from: Currency, to: Currency): Promise<StoredRate | null> {
    const [row]: RateRow[] = await this.dataSource.query(NEWEST, [livemode, from, to]);
    return row === undefined ? null : storedOf(row);
  }

  /** Null: it is too old, or worth nothing this way. */
  private async quotedOf(stored: StoredRate, context: SpreadContext): Promise<QuotedRate | null> {
    const { maxAgeSeconds, setAt } = stored;
    const until = maxAgeSeconds === null ? null : new Date(setAt.getTime() + maxAgeSeconds * 1_000);
    if (until !== null && until.getTime() <= Date.now()) return null;
    const mid = midOf(stored, context.fromCurrency);
    const { value, changes } = this.extensions.isEmpty('svc_fx_spread')
      ? { value: stored.spreadBasisPoints, changes: [] }
      : await this.points.filter('svc_fx_spread', stored.spreadBasisPoints, context);
    const rate = withSpread(mid, value);
    return rate === 0n ? null : { rate, mid, spreadBasisPoints: value, setAt, until, changes };
  }
}

const midOf = ({ base, rate }: StoredRate, from: Currency): Rate => (base === from ? rate : inverseOf(rate));

const storedOf = ({ rate, ...row }: RateRow): StoredRate => ({ ...row, rate: rateFrom(rate)! });
