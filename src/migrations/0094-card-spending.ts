import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

/** What a card was used for, by merchant category: a sum over one index, without its rows. */
export class CardSpending1763000000094 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await addIndex(
      db,
      'card_transactions_spent',
      'card_transactions',
      `(account_id, livemode, card_id, made_at)
        INCLUDE (mcc, type, amount, over, released, refunded, decline_reason)`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP INDEX card_transactions_spent`);
  }
}
