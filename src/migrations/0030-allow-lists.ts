import type { MigrationInterface, QueryRunner } from 'typeorm';

const BITS = { v4: '(/(3[0-2]|[12]?[0-9]))?', v6: '(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?' };

/** Ranges whose bits were misspelled were read as /0. They are taken out; a list that is left empty lets in nobody. */
export class AllowLists1763000000030 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      UPDATE api_keys SET allowed_ips = ARRAY(
        SELECT CASE WHEN masklen(range) = CASE family(range) WHEN 4 THEN 32 ELSE 128 END THEN host(range) ELSE
          network(range)::text END
          FROM (SELECT entry::inet AS range, position
                  FROM unnest(allowed_ips) WITH ORDINALITY AS entries (entry, position)
                 WHERE entry ~ '^[0-9.]+${BITS.v4}$' OR entry ~ '^[0-9A-Fa-f:]*:[0-9A-Fa-f:]*${BITS.v6}$'
                OFFSET 0) strict
         ORDER BY position)
       WHERE allowed_ips IS NOT NULL`);
  }

  /** What a range was misread as is not worth having back. */
  async down(): Promise<void> {}
}
