import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENSURE_MONTHLY_PARTITIONS } from './0037-partition-care';

const LIKE_PARENT = "'CREATE TABLE %I (LIKE %I INCLUDING ALL)', child, parent.name";

/** Storage belongs to partitions, so their parent's row says what each gets. */
const WITH_ROOM = ENSURE_MONTHLY_PARTITIONS.replace(
  LIKE_PARENT,
  "'CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (fillfactor = %s)', child, parent.name, parent.fillfactor",
);

/** In per cent: how far pages are filled by new rows. */
const FILLED: Readonly<Record<string, number>> = {
  // Claimed a moment after it was written: in the same page that changes no index.
  webhook_deliveries: 50,
};

const PARTITIONS = `
  SELECT inhrelid::regclass::text AS name FROM pg_inherits
   WHERE inhparent = to_regclass(format('%I.%I', current_schema(), $1::text))`;

async function eachPartition(db: QueryRunner, table: string, change: string): Promise<void> {
  const partitions: { name: string }[] = await db.query(PARTITIONS, [table]);
  for (const { name } of partitions) await db.query(`ALTER TABLE ${name} ${change}`);
}

/** Pages of tables whose rows are changed soon keep room for that. It holds for pages that are filled from now on. */
export class RoomForUpdates1763000000111 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE partitioned_tables ADD COLUMN fillfactor integer NOT NULL DEFAULT 100`);
    await db.query(WITH_ROOM);
    for (const [table, fillfactor] of Object.entries(FILLED)) {
      await db.query(`UPDATE partitioned_tables SET fillfactor = $2 WHERE name = $1`, [table, fillfactor]);
      await eachPartition(db, table, `SET (fillfactor = ${fillfactor})`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(ENSURE_MONTHLY_PARTITIONS);
    await db.query(`ALTER TABLE partitioned_tables DROP COLUMN fillfactor`);
    for (const table of Object.keys(FILLED)) await eachPartition(db, table, 'RESET (fillfactor)');
  }
}
