import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { sampledGauges } from '../core/metrics/metrics';
import { within } from '../core/process/work-under-way';
import { Recurring } from '../core/queue/recurring-jobs';
import { type Currency, displayMoney } from '../core/money/money';
import { type CheckResult, type Checkable, Registry } from './registry';
import { secretsHider } from './secrets-hider';

/** An adapter at whom we keep money. */
interface WithFloat extends Checkable {
  /** In minor units. */
  balance?(currency: Currency, signal: AbortSignal): Promise<bigint>;
}

/** Our money at a provider, as it told it last. Minor units. */
export interface Float {
  readonly provider: string;
  readonly currency: Currency;
  /** Null: it never told. */
  readonly balance: bigint | null;
  readonly at: Date | null;
  /** Below it the provider is not asked to sell. Null: nobody said. */
  readonly floor: bigint | null;
  readonly isLow: boolean;
}

const ASK_TIMEOUT_MS = 10_000;
const POLL_MS = 60_000;
/** What another process heard counts after this time. */
const STALE_MS = 5_000;
/** Where the adapter does not say in which currency our money there is. */
const USUAL_CURRENCY = 'NGN';

/** An older balance says nothing. */
const LOW = `floor IS NOT NULL AND balance < floor AND at > now() - interval '15 minutes'`;
const LIST = `
  SELECT provider, currency, balance, at, floor, coalesce(${LOW}, false) AS "isLow" FROM provider_floats
   ORDER BY provider, currency`;
/** Also says whether it was low before. */
const KEEP = `
  WITH before AS (SELECT ${LOW} AS low FROM provider_floats WHERE provider = $1 AND currency = $2)
  INSERT INTO provider_floats AS f (provider, currency, balance, at) VALUES ($1, $2, $3, now())
  ON CONFLICT (provider, currency) DO UPDATE SET balance = excluded.balance, at = excluded.at
  RETURNING f.floor, coalesce((SELECT low FROM before), false) AS "wasLow"`;
const SET_FLOOR = `
  INSERT INTO provider_floats AS f (provider, currency, floor) VALUES ($1, $2, $3)
  ON CONFLICT (provider, currency) DO UPDATE SET floor = excluded.floor`;

const labelNames = ['provider', 'currency'];
const provideFloats = sampledGauges({
  provider_float_minor_units: { help: 'Our money at a live provider, as it told it last.', labelNames },
  provider_float_floor_minor_units: { help: 'Below it the provider is not asked to sell.', labelNames },
});

/** Our money at live providers: asked for by the minute, and who has too little of it is left out. */
@Injectable()
export class Floats {
  private readonly log = new Logger('providers');
  private readonly hideSecrets = secretsHider();
  /** Who is low; read once for all who ask meanwhile. */
  private readonly lows = new LRUCache<'all', Promise<ReadonlySet<string>>>({ max: 1, ttl: STALE_MS });

  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: Registry,
  ) {
    provideFloats(async () => {
      const all = await this.list();
      const told = (figure: 'balance' | 'floor') =>
        all.flatMap(({ provider, currency, [figure]: amount }) =>
          amount === null ? [] : [{ labels: { provider, currency }, value: Number(amount) }],
        );
      return { provider_float_minor_units: told('balance'), provider_float_floor_minor_units: told('floor') };
    });
  }

  /** Whether it told, not long ago, of less than the floor. */
  async isLow(provider: string, currency: string): Promise<boolean> {
    let lows = this.lows.get('all');
    if (lows === undefined) {
      this.lows.set('all', (lows = this.readLows()));
      // Whoever asks next reads again.
      lows.catch(() => this.lows.delete('all'));
    }
    return (await lows).has(`${provider}/${currency}`);
  }

  async list(): Promise<Float[]> {
    const rows: (Omit<Float, 'balance' | 'floor'> & { balance: string | null; floor: string | null })[] =
      await this.dataSource.query(LIST);
    return rows.map((row) => ({ ...row, balance: minorUnits(row.balance), floor: minorUnits(row.floor) }));
  }

  /** Below `floor`, in minor units, the provider is not asked to sell; null: it always is. */
  async setFloor(provider: string, currency: Currency, floor: bigint | null): Promise<void> {
    await this.dataSource.query(SET_FLOOR, [provider, currency, floor]);
    this.lows.clear();
  }

  /** Every live provider that can say it, by the minute. One that does not answer is asked again in the next. */
  @Recurring({ name: 'providers.ask_balances', everyMs: POLL_MS })
  async askAll(): Promise<void> {
    for (const { name, currency } of this.known()) {
      try {
        await this.ask(name, currency);
      } catch (error) {
        this.log.warn({ message: 'a provider does not say our balance', provider: name, err: error });
      }
    }
  }

  /** In minor units, asked for now. Null: it has none to tell. Throws what the adapter throws. */
  async ask(name: string, currency: Currency): Promise<bigint | null> {
    const adapter = this.adaptersOf(name).find((one) => one.balance !== undefined);
    if (adapter === undefined) return null;
    const balance = await within(ASK_TIMEOUT_MS, (signal) => adapter.balance!(currency, signal));
    const [{ floor, wasLow }]: [{ floor: string | null; wasLow: boolean }] = await this.dataSource.query(KEEP, [
      name,
      currency,
      balance,
    ]);
    const isLow = floor !== null && balance < BigInt(floor);
    if (isLow && !wasLow)
      this.log.error({ message: 'our money at a provider runs out', provider: name, currency, balance: `${balance}` });
    this.lows.clear();
    return balance;
  }

  /**
   * Whether the settings of a live provider are right: by its own check, else by whether it tells our balance. Names no
   * secret of ours, whatever the provider says.
   */
  async check(name: string): Promise<CheckResult> {
    const { isFine, says } = await this.tried(name);
    return { isFine, says: this.hideSecrets(says) };
  }

  private async tried(name: string): Promise<CheckResult> {
    const adapters = this.adaptersOf(name);
    const own = adapters.find((one) => one.check !== undefined);
    try {
      if (own) return await within(ASK_TIMEOUT_MS, (signal) => own.check!(signal));
      const currency = this.known().find((one) => one.name === name)?.currency ?? USUAL_CURRENCY;
      const amount = await this.ask(name, currency);
      if (amount === null) return { isFine: true, says: 'It is registered, and has no way to try its settings.' };
      return { isFine: true, says: `It answers: our balance there is ${displayMoney({ amount, currency })}.` };
    } catch (error) {
      return { isFine: false, says: `It does not answer: ${(error as Error).message}` };
    }
  }

  private async readLows(): Promise<ReadonlySet<string>> {
    const lows = (await this.list()).filter(({ isLow }) => isLow);
    return new Set(lows.map(({ provider, currency }) => `${provider}/${currency}`));
  }

  /** Live ones, each name once: whoever sells several products has one float. */
  private known(): { readonly name: string; readonly currency: Currency }[] {
    const found = new Map(
      this.registry.listLive().map(({ name, floatCurrency = USUAL_CURRENCY }) => [name, floatCurrency]),
    );
    return [...found].map(([name, currency]) => ({ name, currency }));
  }

  private adaptersOf(name: string): WithFloat[] {
    return this.registry
      .listLive()
      .filter((one) => one.name === name)
      .map(({ product }) => this.registry.find<WithFloat>(product, name)!.adapter);
  }
}

const minorUnits = (stored: string | null): bigint | null => (stored === null ? null : BigInt(stored));
