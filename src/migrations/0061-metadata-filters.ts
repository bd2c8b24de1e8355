import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

/** Wallets and cardholders are few enough to be looked through: see docs/scaling.md. */
const TABLES = ['transactions', 'payments', 'cards'];

/**
 * Rows by the pairs of their metadata. Account and mode are part of what is indexed (each term is a hash of them, key
 * and value), so a pair that everybody uses leads nobody through the rows of others. Rows without metadata, as most
 * transfers are, are not in it. Each row is put in at once (`fastupdate = off`): no transfer sorts in what others left.
 */
export class MetadataFilters1763000000061 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await addIndex(
        db,
        `${table}_by_metadata`,
        table,
        `USING gin (jsonb_set('{}', ARRAY[livemode::text || account_id::text], metadata) jsonb_path_ops)
          WITH (fastupdate = off) WHERE metadata <> '{}'`,
      );
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) await db.query(`DROP INDEX ${table}_by_metadata`);
  }
}
