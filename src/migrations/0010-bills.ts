import type { MigrationInterface, QueryRunner } from 'typeorm';
import catalogue from './seeds/bills.json';

const CATEGORIES = `
  CREATE TABLE bill_categories (
    code     text    NOT NULL,
    name     text    NOT NULL,
    position integer NOT NULL,
    CONSTRAINT bill_categories_pkey PRIMARY KEY (code)
  )`;

const BILLERS = `
  CREATE TABLE billers (
    code                   text    NOT NULL,
    name                   text    NOT NULL,
    category               text    NOT NULL,
    country                text    NOT NULL,
    currency               text    NOT NULL,
    customer_label         text    NOT NULL,
    customer_pattern       text    NOT NULL,
    validation_required    boolean NOT NULL,
    service_types          text[]  NOT NULL,
    service_type_validated boolean NOT NULL,
    min_amount             bigint  NOT NULL,
    max_amount             bigint  NOT NULL,
    commission_bps         integer NOT NULL,
    enabled                boolean NOT NULL DEFAULT true,
    CONSTRAINT billers_pkey PRIMARY KEY (code),
    CONSTRAINT billers_amounts CHECK (min_amount > 0 AND max_amount >= min_amount),
    CONSTRAINT billers_commission CHECK (commission_bps BETWEEN 0 AND 10000)
  )`;

const ITEMS = `
  CREATE TABLE biller_items (
    biller_code  text    NOT NULL,
    code         text    NOT NULL,
    name         text    NOT NULL,
    amount_type  text    NOT NULL,
    amount       bigint,
    min_amount   bigint,
    max_amount   bigint,
    service_type text,
    max_quantity integer NOT NULL,
    position     integer NOT NULL,
    enabled      boolean NOT NULL DEFAULT true,
    CONSTRAINT biller_items_pkey PRIMARY KEY (biller_code, code),
    CONSTRAINT biller_items_fixed_price CHECK (amount_type <> 'fixed' OR (amount > 0 AND amount IS NOT NULL)),
    CONSTRAINT biller_items_range
      CHECK (amount_type <> 'range' OR (amount IS NULL AND min_amount > 0 AND max_amount >= min_amount
        AND max_quantity = 1)),
    CONSTRAINT biller_items_amount_type CHECK (amount_type IN ('fixed', 'range')),
    CONSTRAINT biller_items_quantity CHECK (max_quantity BETWEEN 1 AND 100)
  )`;

const VALIDATIONS = `
  CREATE TABLE bill_validations (
    account_id      uuid        NOT NULL,
    livemode        boolean     NOT NULL,
    id              uuid        NOT NULL,
    biller_code     text        NOT NULL,
    item_code       text,
    customer        text        NOT NULL,
    service_type    text,
    customer_name   text,
    address         text,
    arrears         bigint,
    min_amount      bigint      NOT NULL,
    max_amount      bigint      NOT NULL,
    current_plan    text,
    renewal_amount  bigint,
    currency        text        NOT NULL,
    provider        text        NOT NULL,
    expires_at      timestamptz NOT NULL,
    CONSTRAINT bill_validations_pkey PRIMARY KEY (account_id, livemode, id)
  ) PARTITION BY RANGE (id)`;

/**
 * What can be paid for, and whom the billers know. The catalogue starts from the JSON file; from then on operators edit
 * the tables.
 */
export class Bills1763000000010 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(CATEGORIES);
    await db.query(BILLERS);
    await db.query(ITEMS);
    await this.seed(db, 'bill_categories', catalogue.categories);
    await this.seed(
      db,
      'billers',
      catalogue.billers.map((biller) => ({ ...biller, enabled: true })),
    );
    await this.seed(
      db,
      'biller_items',
      catalogue.items.map((item) => ({ ...item, enabled: true })),
    );
    await db.query(`REVOKE INSERT ON bill_categories, billers, biller_items FROM duka_app`);
    await db.query(`GRANT UPDATE ON billers, biller_items TO duka_app`);
    await db.query(VALIDATIONS);
    await db.query(`INSERT INTO partitioned_tables (name, key_type) VALUES ('bill_validations', 'uuid')`);
    await db.query(`SELECT ensure_monthly_partitions(2)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE bill_validations, biller_items, billers, bill_categories`);
    await db.query(`DELETE FROM partitioned_tables WHERE name = 'bill_validations'`);
  }

  /** The names in the file are those of the columns. */
  private async seed(db: QueryRunner, table: string, rows: object[]): Promise<void> {
    await db.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
  }
}
