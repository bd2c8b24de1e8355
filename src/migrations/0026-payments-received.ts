import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a gateway received, in which currency, and what a person decided about it, beside what was asked for. */
export class PaymentsReceived1763000000026 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE payments ADD COLUMN currency_received text, ADD COLUMN resolution text,
        ADD COLUMN credit_wallet_id uuid`,
    );
    await db.query(`UPDATE payments SET currency_received = currency WHERE amount_received IS NOT NULL`);
    await db.query(`
      ALTER TABLE payments
        ADD CONSTRAINT payments_received CHECK ((amount_received IS NULL) = (currency_received IS NULL)),
        ADD CONSTRAINT payments_resolution CHECK (resolution IN ('accept_received', 'accept_requested',
          'refund_payer'))`);
    await db.query(`CREATE INDEX payments_to_refund ON payments (account_id, id) WHERE resolution = 'refund_payer'`);
    // What gateways said is kept word by word: the payment itself shows the last word only.
    await db.query(`ALTER TABLE payment_checks ADD COLUMN amount bigint, ADD COLUMN currency text`);
    await db.query(`
      ALTER TABLE payment_resolutions
        DROP CONSTRAINT payment_resolutions_outcome,
        ADD CONSTRAINT payment_resolutions_outcome
          CHECK (outcome IN ('accept_received', 'accept_requested', 'refund_payer', 'successful', 'failed', 'reversed',
            'unchanged'))`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      `DELETE FROM payment_resolutions WHERE outcome IN ('accept_received', 'accept_requested', 'refund_payer')`,
    );
    await db.query(`
      ALTER TABLE payment_resolutions
        DROP CONSTRAINT payment_resolutions_outcome,
        ADD CONSTRAINT payment_resolutions_outcome CHECK (outcome IN ('successful', 'failed', 'reversed',
          'unchanged'))`);
    await db.query(`ALTER TABLE payment_checks DROP COLUMN amount, DROP COLUMN currency`);
    await db.query(`DROP INDEX payments_to_refund`);
    await db.query(
      `ALTER TABLE payments DROP COLUMN currency_received, DROP COLUMN resolution, DROP COLUMN credit_wallet_id`,
    );
  }
}
