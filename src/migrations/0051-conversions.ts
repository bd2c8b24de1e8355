import type { MigrationInterface, QueryRunner } from 'typeorm';
import { once, reword } from './online';

const TYPES = ['conversion_out', 'conversion_in'];

/** What one unit of `base` is worth in `quote`. Rows are added, never changed: the newest of a pair counts. */
const RATES = `
  CREATE TABLE fx_rates (
    livemode            boolean         NOT NULL,
    base                text            NOT NULL,
    quote               text            NOT NULL,
    id                  uuid            NOT NULL,
    rate                numeric(36, 18) NOT NULL,
    spread_basis_points integer         NOT NULL,
    max_age_seconds     integer,
    person              text            NOT NULL,
    reason              text            NOT NULL,
    set_at              timestamptz     NOT NULL DEFAULT now(),
    CONSTRAINT fx_rates_pkey PRIMARY KEY (livemode, base, quote, id),
    CONSTRAINT fx_rates_two_currencies CHECK (base <> quote),
    CONSTRAINT fx_rates_positive CHECK (rate > 0 AND max_age_seconds > 0),
    CONSTRAINT fx_rates_spread CHECK (spread_basis_points BETWEEN 0 AND 5000)
  )`;

const QUOTES = `
  CREATE TABLE quotes (
    account_id    uuid        NOT NULL,
    livemode      boolean     NOT NULL,
    id            uuid        NOT NULL,
    side          text        NOT NULL,
    from_currency text        NOT NULL,
    to_currency   text        NOT NULL,
    rate          text        NOT NULL,
    sell_amount   bigint      NOT NULL,
    buy_amount    bigint      NOT NULL,
    fee           bigint      NOT NULL,
    breakdown     jsonb       NOT NULL,
    expires_at    timestamptz NOT NULL,
    conversion_id uuid,
    CONSTRAINT quotes_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT quotes_side CHECK (side IN ('sell', 'buy')),
    CONSTRAINT quotes_amounts CHECK (sell_amount > 0 AND buy_amount > 0 AND fee >= 0)
  )`;

const CONVERSIONS = `
  CREATE TABLE conversions (
    account_id            uuid    NOT NULL,
    livemode              boolean NOT NULL,
    id                    uuid    NOT NULL,
    quote_id              uuid    NOT NULL,
    from_wallet_id        uuid    NOT NULL,
    to_wallet_id          uuid    NOT NULL,
    debit_transaction_id  uuid    NOT NULL,
    credit_transaction_id uuid    NOT NULL,
    from_currency         text    NOT NULL,
    to_currency           text    NOT NULL,
    rate                  text    NOT NULL,
    sell_amount           bigint  NOT NULL,
    buy_amount            bigint  NOT NULL,
    fee                   bigint  NOT NULL,
    reference             text,
    metadata              jsonb   NOT NULL,
    CONSTRAINT conversions_pkey PRIMARY KEY (account_id, livemode, id),
    CONSTRAINT conversions_amounts CHECK (sell_amount > 0 AND buy_amount > 0 AND fee >= 0)
  )`;

/** Of the sandbox: what one US dollar is worth. Each pair follows from it, and never grows old. */
const TEST_RATES: Readonly<Record<string, string>> = {
  USD: '1',
  NGN: '1550',
  KES: '129.5',
  GHS: '15.25',
  ZAR: '18.2',
  EUR: '0.92',
  GBP: '0.79',
  TZS: '2600',
  ZMW: '27.1',
  XOF: '605',
  XAF: '605',
  UGX: '3700',
  RWF: '1350',
  TND: '3.1',
  LYD: '4.85',
};

/** Money of one currency for money of another: an operator's rates, quotes that are good for a minute, conversions. */
export class Conversions1763000000051 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'conversions', () => this.makeTables(db));
    await reword(db, ['transactions', 'type'], TYPES, true);
  }

  private async makeTables(db: QueryRunner): Promise<void> {
    for (const table of [RATES, QUOTES, CONVERSIONS]) await db.query(table);
    await db.query(`REVOKE INSERT ON fx_rates FROM duka_app`);
    await db.query(`GRANT UPDATE (conversion_id), DELETE ON quotes TO duka_app`);
    await db.query(
      `WITH worth AS (SELECT key AS currency, value::numeric AS rate FROM json_each_text($1::json))
       INSERT INTO fx_rates (livemode, base, quote, id, rate, spread_basis_points, person, reason)
       SELECT false, a.currency, b.currency, '00000000-0000-7000-8000-000000000000', round(b.rate / a.rate, 18), 50,
              'sandbox', 'a rate to try'
         FROM worth a JOIN worth b ON a.rate < b.rate OR a.rate = b.rate AND a.currency < b.currency`,
      [JSON.stringify(TEST_RATES)],
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await reword(db, ['transactions', 'type'], TYPES, false);
    await db.query(`DROP TABLE conversions, quotes, fx_rates`);
  }
}
