import type { MigrationInterface, QueryRunner } from 'typeorm';
import networks from './seeds/networks.json';

const NETWORKS = `
  CREATE TABLE networks (
    country        text    NOT NULL,
    slug           text    NOT NULL,
    name           text    NOT NULL,
    aliases        text[]  NOT NULL DEFAULT '{}',
    currency       text    NOT NULL,
    min_amount     bigint  NOT NULL,
    max_amount     bigint  NOT NULL,
    commission_bps integer NOT NULL DEFAULT 0,
    status_message text,
    CONSTRAINT networks_pkey PRIMARY KEY (country, slug),
    CONSTRAINT networks_country CHECK (country ~ '^[A-Z]{2}$'),
    CONSTRAINT networks_slug CHECK (slug ~ '^[a-z0-9][a-z0-9-]*$'),
    CONSTRAINT networks_amounts CHECK (min_amount > 0 AND max_amount >= min_amount AND max_amount <= 9007199254740991),
    CONSTRAINT networks_commission CHECK (commission_bps BETWEEN 0 AND 10000)
  )`;

const SEED = `
  INSERT INTO networks (country, slug, name, aliases, currency, min_amount, max_amount, commission_bps)
  SELECT country, slug, name, aliases, currency, min_amount, max_amount, commission_bps
    FROM jsonb_populate_recordset(NULL::networks, $1::jsonb)`;

export class Airtime1763000000008 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(NETWORKS);
    await db.query(SEED, [JSON.stringify(networks)]);
    await db.query(`GRANT UPDATE ON networks TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE networks`);
  }
}
