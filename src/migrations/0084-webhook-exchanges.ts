import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

/**
 * What an account sends along with its webhooks, what went to and fro in their attempts, and how an endpoint is doing.
 * Attempts of before name no endpoint, so figures of endpoints begin with this.
 */
export class WebhookExchanges1763000000084 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    // Values are secrets as a rule: sealed. Names are shown.
    await db.query(`
      ALTER TABLE webhook_endpoints
        ADD COLUMN IF NOT EXISTS headers bytea,
        ADD COLUMN IF NOT EXISTS header_names text[] NOT NULL DEFAULT '{}',
        ADD COLUMN IF NOT EXISTS is_down boolean NOT NULL DEFAULT false`);
    await db.query(`ALTER TABLE webhook_deliveries ADD COLUMN IF NOT EXISTS last_http_status integer`);
    await db.query(`
      ALTER TABLE webhook_attempts
        ADD COLUMN IF NOT EXISTS endpoint_id uuid, ADD COLUMN IF NOT EXISTS request_headers jsonb,
        ADD COLUMN IF NOT EXISTS response_headers jsonb`);
    // All that the figures of an endpoint are counted from.
    await addIndex(
      db,
      'webhook_attempts_by_endpoint',
      'webhook_attempts',
      '(account_id, livemode, endpoint_id, id) INCLUDE (code, duration_ms)',
    );
    await addIndex(
      db,
      'webhook_attempts_failed',
      'webhook_attempts',
      `(account_id, livemode, endpoint_id, id) WHERE code NOT IN ('ok', 'not_made')`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP INDEX webhook_attempts_by_endpoint, webhook_attempts_failed`);
    await db.query(`
      ALTER TABLE webhook_attempts
        DROP COLUMN endpoint_id, DROP COLUMN request_headers, DROP COLUMN response_headers`);
    await db.query(`ALTER TABLE webhook_deliveries DROP COLUMN last_http_status`);
    await db.query(`
      ALTER TABLE webhook_endpoints DROP COLUMN headers, DROP COLUMN header_names, DROP COLUMN is_down`);
  }
}
