import type { MigrationInterface, QueryRunner } from 'typeorm';

const SUMS = ['over', 'from_wallet', 'from_debt', 'debt_paid'];

const TYPES = ['authorization', 'refund', 'fee'];

const typesOf = (types: readonly string[]): string => types.map((type) => `'${type}'`).join(', ');

/**
 * Clearings of what was never promised: what the card lacks is paid by its wallet, and else is a debt, which is below
 * zero on a ledger account of the platform for each account, currency and mode.
 */
export class CardDebts1763000000064 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE cards ADD COLUMN debt bigint NOT NULL DEFAULT 0,
      ADD CONSTRAINT cards_debt CHECK (debt >= 0 AND (debt = 0 OR status <> 'active'))`);
    await db.query(`CREATE INDEX cards_overdrawn ON cards (account_id, livemode, id) WHERE debt > 0`);
    await db.query(
      `ALTER TABLE card_transactions ${SUMS.map((name) => `ADD COLUMN ${name} bigint NOT NULL DEFAULT 0`).join(', ')}`,
    );
    await db.query(`ALTER TABLE card_transactions DROP CONSTRAINT card_transactions_type,
      DROP CONSTRAINT card_transactions_amounts, DROP CONSTRAINT card_transactions_declined`);
    await db.query(`ALTER TABLE card_transactions
      ADD CONSTRAINT card_transactions_type CHECK (type IN (${typesOf([...TYPES, 'clearing'])})),
      ADD CONSTRAINT card_transactions_amounts
        CHECK (amount > 0 AND cleared >= over AND over >= 0 AND released >= 0
          AND cleared - over + released <= amount AND refunded >= 0 AND refunded <= cleared),
      ADD CONSTRAINT card_transactions_debts
        CHECK (from_wallet >= 0 AND from_debt >= 0 AND debt_paid >= 0 AND from_wallet + from_debt <= cleared),
      ADD CONSTRAINT card_transactions_declined CHECK (status <> 'declined' OR decline_reason IS NOT NULL)`);
    await db.query(`ALTER TABLE ledger_accounts ADD CONSTRAINT ledger_accounts_debts_are_no_money
      CHECK (available <= 0 OR NOT starts_with(name, 'card_debts:'))`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_debts_are_no_money`);
    await db.query(`ALTER TABLE card_transactions DROP CONSTRAINT card_transactions_declined,
      DROP CONSTRAINT card_transactions_debts, DROP CONSTRAINT card_transactions_amounts,
      DROP CONSTRAINT card_transactions_type`);
    await db.query(`ALTER TABLE card_transactions
      ADD CONSTRAINT card_transactions_type CHECK (type IN (${typesOf(TYPES)})),
      ADD CONSTRAINT card_transactions_amounts
        CHECK (amount > 0 AND cleared >= 0 AND released >= 0 AND cleared + released <= amount AND refunded >= 0
          AND refunded <= cleared),
      ADD CONSTRAINT card_transactions_declined CHECK ((status = 'declined') = (decline_reason IS NOT NULL))`);
    await db.query(`ALTER TABLE card_transactions ${SUMS.map((name) => `DROP COLUMN ${name}`).join(', ')}`);
    await db.query(`ALTER TABLE cards DROP COLUMN debt`);
  }
}
