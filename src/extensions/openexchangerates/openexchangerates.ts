import { Inject, Injectable } from '@nestjs/common';
import { integer, type Of, secret, Settings, url } from '../../core/config/settings';
import type { Currency } from '../../core/money/money';
import { rateFrom, rateText, worthIn } from '../../modules/conversions/rate';
import { type RateResult, type RatesProvider, SaysRates } from '../../modules/conversions/rates.provider';
import type { Pair } from '../../modules/conversions/rates.service';
import { fieldsOf, isText, type UnknownOutcome, UNREADABLE } from '../../providers/answers';
import { ProviderOutage } from '../../providers/breakers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import type { Checkable, CheckResult } from '../../providers/registry';

// Open Exchange Rates, the newest rates of all currencies. After https://docs.openexchangerates.org/reference/
// latest-json, /authentication, /errors, /set-base-currency and /usage-json, read 2026-11-25. Neither `base` nor
// `symbols` is sent: not every plan has them, and one answer with everything serves all pairs.
// docs/providers/openexchangerates.md says what nobody could verify.

/** Absent until somebody has an account. */
const OPENEXCHANGERATES = Settings.of('openexchangerates', {
  url: url({ default: 'https://openexchangerates.org/api/', about: 'Address of Open Exchange Rates.' }),
  appId: secret({ about: 'App ID of Open Exchange Rates (account dashboard).' }),
  everyMinutes: integer({
    default: '60',
    about: 'An answer of Open Exchange Rates serves for so many minutes: each request counts against the plan.',
  }),
});

type Values = Of<typeof OPENEXCHANGERATES>;

const MINUTE_MS = 60_000;
/** All currencies: some 5 kB. */
const BYTES_MAX = 128 * 1_024;

/** What it said, and of when. */
export interface Table {
  readonly asOf: Date;
  /** How many of a currency go for one of the base, in what JSON held. */
  readonly rates: Readonly<Record<string, unknown>>;
}

@Injectable()
@SaysRates({ name: 'openexchangerates', mode: 'live', when: OPENEXCHANGERATES })
export class OpenExchangeRates implements RatesProvider, Checkable {
  private readonly outside: Outside;
  private kept: { readonly table: Table; readonly untilMs: number } | null = null;

  constructor(
    @Inject(OPENEXCHANGERATES) private readonly settings: Values,
    http: ProviderHttp,
  ) {
    const { url: address, appId } = settings;
    const headers = { authorization: `Token ${appId}` };
    this.outside = http.to({ name: 'openexchangerates', url: address, headers });
  }

  async mid(pair: Pair, signal: AbortSignal): Promise<RateResult> {
    const told = await this.table(signal);
    return 'outcome' in told ? told : rateIn(told, pair);
  }

  async check(signal: AbortSignal): Promise<CheckResult> {
    try {
      return checkOf(await this.outside.ask({ path: 'usage.json', signal }));
    } catch (error) {
      if (error instanceof ProviderOutage) return no('Nobody accepts connections at OPENEXCHANGERATES_URL.');
      return no('Open Exchange Rates did not answer in time.');
    }
  }

  /** The one that is kept while it serves; what is no table is not kept. */
  private async table(signal: AbortSignal): Promise<Table | UnknownOutcome> {
    if (this.kept && performance.now() < this.kept.untilMs) return this.kept.table;
    const answer = await this.outside.ask({ path: 'latest.json', signal, bytesMax: BYTES_MAX });
    const table = tableOf(answer);
    if (!('outcome' in table))
      this.kept = { table, untilMs: performance.now() + this.settings.everyMinutes * MINUTE_MS };
    return table;
  }
}

/** The whole answer, or why there is none. */
export function tableOf({ status, body }: CompanyAnswer): Table | UnknownOutcome {
  const { timestamp, rates, message } = fieldsOf(body);
  if (status !== 200) return { outcome: 'unknown', code: wordOf(message) };
  if (typeof timestamp !== 'number' || timestamp <= 0) return UNREADABLE;
  const asOf = new Date(timestamp * 1_000);
  return isNaN(asOf.getTime()) ? UNREADABLE : { asOf, rates: fieldsOf(rates) };
}

/** One unit of `base` in `quote`, whatever the base of the table is. */
export function rateIn({ asOf, rates }: Table, { base, quote }: Pair): RateResult {
  const [from, to] = [base, quote].map((currency) => countOf(rates, currency));
  if (!from || !to) return { outcome: 'unknown', code: 'currency_not_told' };
  const rate = worthIn(from, to);
  return rate === 0n ? UNREADABLE : { outcome: 'said', rate: rateText(rate), asOf };
}

/** Whole numbers arrive as numbers, all others as they were written. */
function countOf(rates: Table['rates'], currency: Currency): bigint | null {
  const count = Object.hasOwn(rates, currency) ? rates[currency] : null;
  return typeof count === 'string' || typeof count === 'number' ? rateFrom(String(count)) : null;
}

/** `invalid_app_id`, `access_restricted`, …: for whoever looks into it. */
const wordOf = (message: unknown): string =>
  typeof message === 'string' && /^[a-z][a-z_]{0,39}$/.test(message) ? message : 'unreadable_answer';

const no = (says: string): CheckResult => ({ isFine: false, says });

function checkOf({ status, body }: CompanyAnswer): CheckResult {
  const { data, message } = fieldsOf(body);
  const { status: access, plan, usage } = fieldsOf(data);
  if (status === 401) return no('Open Exchange Rates does not know the App ID: look at OPENEXCHANGERATES_APP_ID.');
  if (status === 404) return no('There is nothing at the address: OPENEXCHANGERATES_URL ends with /api/.');
  if (status !== 200 && isText(message))
    return no(`Open Exchange Rates refuses us: ${wordOf(message)} (HTTP ${status}).`);
  if (status !== 200 || !isText(access))
    return no(`What answers at OPENEXCHANGERATES_URL is not Open Exchange Rates (HTTP ${status}).`);
  const { requests_remaining: left } = fieldsOf(usage);
  if (access !== 'active') return no('Open Exchange Rates has restricted the account: look at its dashboard.');
  if (left === 0) return no('Open Exchange Rates takes no further request this month: the plan is used up.');
  const { update_frequency: frequency } = fieldsOf(plan);
  const shown =
    typeof left === 'number' && left > 0 ? `${left} requests are left this month` : 'requests are unlimited';
  const freshness = isText(frequency) && /^[\w -]{1,30}$/.test(frequency) ? ` Rates change ${frequency}.` : '';
  return { isFine: true, says: `Open Exchange Rates knows us: ${shown}.${freshness}` };
}
