import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How a process of the service adds a rate that a provider says: only where an operator's newest rate of the pair lets
 * it move, no further than that, and with what it says of spread and age. The id is made here: no row can be newer than
 * those that come after it.
 */
const ADD_PROVIDED_RATE = `
  CREATE FUNCTION add_provided_rate(
    of_livemode boolean, of_base text, of_quote text, worth numeric, said_by text, as_of timestamptz) RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DECLARE
    set_by_operator fx_rates;
    newest timestamptz;
  BEGIN
    SELECT * INTO set_by_operator FROM fx_rates
     WHERE livemode = of_livemode AND NOT by_provider
       AND (base = of_base AND quote = of_quote OR base = of_quote AND quote = of_base) ORDER BY id DESC LIMIT 1;
    IF NOT FOUND OR set_by_operator.base <> of_base OR set_by_operator.max_move_basis_points IS NULL THEN
      RETURN 'not_wanted';
    END IF;
    SELECT max(set_at) INTO newest FROM fx_rates WHERE livemode = of_livemode
       AND (base = of_base AND quote = of_quote OR base = of_quote AND quote = of_base);
    IF least(as_of, clock_timestamp()) <= newest THEN RETURN 'not_newer'; END IF;
    IF abs(worth - set_by_operator.rate) * 10000
       <= set_by_operator.rate * set_by_operator.max_move_basis_points THEN
      INSERT INTO fx_rates (livemode, base, quote, id, rate, spread_basis_points, max_age_seconds, person, reason,
                            set_at, by_provider)
      VALUES (of_livemode, of_base, of_quote, uuid_v7_floor(clock_timestamp()), worth,
              set_by_operator.spread_basis_points, set_by_operator.max_age_seconds, said_by, 'said by a provider',
              least(as_of, clock_timestamp()), true);
      RETURN 'added';
    END IF;
    RETURN 'too_far';
  END $$`;

/** What is paid from a wallet of another currency: what used each quote, and what such a purchase buys. */
export class ConvertingPayments1763000000070 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE quotes RENAME COLUMN conversion_id TO used_by`);
    await db.query(`ALTER TABLE quotes ADD COLUMN used_by_resource text`);
    await db.query(`UPDATE quotes SET used_by_resource = 'cnv' WHERE used_by IS NOT NULL`);
    await db.query(`ALTER TABLE quotes ADD CONSTRAINT quotes_used_by
      CHECK ((used_by IS NULL) = (used_by_resource IS NULL) AND used_by_resource IN ('cnv', 'txn'))`);
    await db.query(`GRANT UPDATE (used_by_resource) ON quotes TO duka_app`);
    await db.query(`ALTER TABLE purchases ADD COLUMN conversion jsonb`);
    await db.query(`ALTER TABLE fx_rates ADD COLUMN max_move_basis_points integer,
      ADD COLUMN by_provider boolean NOT NULL DEFAULT false,
      ADD CONSTRAINT fx_rates_max_move CHECK (max_move_basis_points IS NULL
        OR max_move_basis_points BETWEEN 1 AND 5000 AND max_age_seconds IS NOT NULL AND NOT by_provider)`);
    await db.query(ADD_PROVIDED_RATE);
    await db.query(`REVOKE ALL ON FUNCTION add_provided_rate FROM PUBLIC`);
    await db.query(`GRANT EXECUTE ON FUNCTION add_provided_rate TO duka_app`);
    await db.query(`INSERT INTO provider_routes (product, network, livemode, provider, position)
      VALUES ('rates', '*', false, 'sandbox', 1)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM provider_routes WHERE product = 'rates'`);
    await db.query(`DROP FUNCTION add_provided_rate`);
    await db.query(`ALTER TABLE fx_rates DROP CONSTRAINT fx_rates_max_move`);
    await db.query(`ALTER TABLE fx_rates DROP COLUMN by_provider, DROP COLUMN max_move_basis_points`);
    await db.query(`ALTER TABLE purchases DROP COLUMN conversion`);
    await db.query(`ALTER TABLE quotes DROP CONSTRAINT quotes_used_by`);
    await db.query(`ALTER TABLE quotes DROP COLUMN used_by_resource`);
    await db.query(`ALTER TABLE quotes RENAME COLUMN used_by TO conversion_id`);
  }
}
