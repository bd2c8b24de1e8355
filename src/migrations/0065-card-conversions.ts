import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain } from './online';

/**
 * What an issuer tells of a card transaction in the merchant's currency, and of its own fees. Each clearing keeps what
 * was told with it.
 */
export class CardConversions1763000000065 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    for (const table of ['card_transactions', 'card_clearings']) {
      await db.query(`
        ALTER TABLE ${table}
          ADD COLUMN IF NOT EXISTS merchant_amount bigint, ADD COLUMN IF NOT EXISTS merchant_currency text,
          ADD COLUMN IF NOT EXISTS fx_rate text, ADD COLUMN IF NOT EXISTS fees jsonb`);
      await constrain(db, table, {
        [`${table}_conversion`]: `merchant_amount > 0 AND merchant_currency ~ '^[A-Z]{3}$'
          AND fx_rate ~ '^[0-9]+([.][0-9]+)?$'`,
      });
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of ['card_transactions', 'card_clearings']) {
      await db.query(`ALTER TABLE ${table} DROP COLUMN merchant_amount, DROP COLUMN merchant_currency,
        DROP COLUMN fx_rate, DROP COLUMN fees`);
    }
  }
}
