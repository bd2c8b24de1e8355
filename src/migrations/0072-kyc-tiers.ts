import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain, once } from './online';

/** How far cardholders are known: those of before by the kind of their document. */
const COLUMNS = `
  ALTER TABLE customers
    ADD COLUMN IF NOT EXISTS kyc_tier   integer NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS card_loads bigint  NOT NULL DEFAULT 0`;
const KNOWN = `
  UPDATE customers SET kyc_tier = CASE
      WHEN identity_type IN ('passport', 'national_id', 'drivers_license', 'voters_card') THEN 2 ELSE 1 END
    WHERE kyc_status = 'verified' AND kyc_tier = 0`;
const PROVEN = { customers_kyc_tier: `kyc_tier BETWEEN 0 AND 3 AND (kyc_status = 'verified') = (kyc_tier > 0)` };

/** What cardholders of a tier may have, in minor units. Null, or no row: as much as they like. */
const LIMITS = `
  CREATE TABLE kyc_tier_limits (
    livemode        boolean     NOT NULL,
    tier            integer     NOT NULL,
    currency        text        NOT NULL DEFAULT 'USD',
    cards_max       integer,
    load_single_max bigint,
    load_daily_max  bigint,
    balance_max     bigint,
    person          text        NOT NULL,
    reason          text        NOT NULL,
    set_at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT kyc_tier_limits_pkey PRIMARY KEY (livemode, tier, currency),
    CONSTRAINT kyc_tier_limits_tier CHECK (tier BETWEEN 0 AND 3),
    CONSTRAINT kyc_tier_limits_currency CHECK (currency = 'USD'),
    CONSTRAINT kyc_tier_limits_amounts
      CHECK (cards_max >= 0 AND load_single_max >= 0 AND load_daily_max >= 0 AND balance_max >= 0)
  )`;

/** Of live mode; test mode has none before an operator sets some. Nothing is loaded for who is not known any more. */
const DEFAULTS = `
  INSERT INTO kyc_tier_limits (livemode, tier, cards_max, load_single_max, load_daily_max, balance_max, person, reason)
  SELECT true, d.*, 'duka', 'default' FROM (VALUES
    (0, NULL, 0, 0, NULL::bigint), (1, 2, 50000, 100000, 200000), (2, 5, 250000, 500000, 1000000),
    (3, 10, 1000000, 2000000, 5000000)) AS d`;

/** Tiers of cardholders, and what each tier may have on cards. */
export class KycTiers1763000000072 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const statement of [COLUMNS, KNOWN]) await db.query(statement);
    await constrain(db, 'customers', PROVEN);
    await once(db, 'kyc_tier_limits', async () => {
      for (const statement of [LIMITS, DEFAULTS]) await db.query(statement);
      await db.query(`REVOKE INSERT ON kyc_tier_limits FROM duka_app`);
    });
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE kyc_tier_limits`);
    await db.query(`ALTER TABLE customers DROP COLUMN kyc_tier, DROP COLUMN card_loads`);
  }
}
