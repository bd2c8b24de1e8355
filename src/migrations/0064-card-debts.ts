import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, constrain } from './online';

const SUMS = ['over', 'from_wallet', 'from_debt', 'debt_paid'];

const TYPES = ['authorization', 'refund', 'fee'];

const typesOf = (types: readonly string[]): string => types.map((type) => `'${type}'`).join(', ');

/**
 * Clearings of what was never promised: what the card lacks is paid by its wallet, and else is a debt, which is below
 * zero on a ledger account of the platform for each account, currency and mode.
 */
export class CardDebts1763000000064 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE cards ADD COLUMN IF NOT EXISTS debt bigint NOT NULL DEFAULT 0`);
    await constrain(db, 'cards', { cards_debt: `debt >= 0 AND (debt = 0 OR status <> 'active')` });
    await addIndex(db, 'cards_overdrawn', 'cards', '(account_id, livemode, id) WHERE debt > 0');
    const sums = SUMS.map((name) => `ADD COLUMN IF NOT EXISTS ${name} bigint NOT NULL DEFAULT 0`);
    await db.query(`ALTER TABLE card_transactions ${sums.join(', ')}`);
    await constrain(db, 'card_transactions', {
      card_transactions_type: `type IN (${typesOf([...TYPES, 'clearing'])})`,
      card_transactions_amounts: `amount > 0 AND cleared >= over AND over >= 0 AND released >= 0
        AND cleared - over + released <= amount AND refunded >= 0 AND refunded <= cleared`,
      card_transactions_debts:
        'from_wallet >= 0 AND from_debt >= 0 AND debt_paid >= 0 AND from_wallet + from_debt <= cleared',
      card_transactions_declined: `status <> 'declined' OR decline_reason IS NOT NULL`,
    });
    await constrain(db, 'ledger_accounts', {
      ledger_accounts_debts_are_no_money: `available <= 0 OR NOT starts_with(name, 'card_debts:')`,
    });
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
