import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

const IN_TEST = 'webhook_deliveries_due_in_test';

/** Workers take what is due to an endpoint. By the same index what is due by a test clock is found. */
export class DeliveriesDueByEndpoint1763000000112 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await addIndex(
      db,
      'webhook_deliveries_due_by_endpoint',
      'webhook_deliveries',
      '(account_id, livemode, endpoint_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL',
    );
    await db.query(`DROP INDEX IF EXISTS ${IN_TEST}`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX ${IN_TEST} ON webhook_deliveries (account_id, next_attempt_at)
       WHERE next_attempt_at IS NOT NULL AND NOT livemode`);
    await db.query(`DROP INDEX webhook_deliveries_due_by_endpoint`);
  }
}
