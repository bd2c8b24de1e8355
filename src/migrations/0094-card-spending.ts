import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a card was used for, by merchant category: a sum over one index, without its rows. */
export class CardSpending1763000000094 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // A column, not an expression: only columns can be read from an index alone.
    await db.query(`
      ALTER TABLE card_transactions ADD COLUMN mcc text GENERATED ALWAYS AS (left(merchant ->> 'mcc', 4)) STORED`);
    await db.query(`
      CREATE INDEX card_transactions_spent ON card_transactions (account_id, livemode, card_id, made_at)
        INCLUDE (mcc, type, amount, over, released, refunded, decline_reason)`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP INDEX card_transactions_spent`);
    await db.query(`ALTER TABLE card_transactions DROP COLUMN mcc`);
  }
}
