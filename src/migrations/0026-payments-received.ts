import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain, inPieces } from './online';

/** What a gateway received, in which currency, and what a person decided about it, beside what was asked for. */
export class PaymentsReceived1763000000026 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE payments ADD COLUMN IF NOT EXISTS currency_received text, ADD COLUMN IF NOT EXISTS resolution text,
        ADD COLUMN IF NOT EXISTS credit_wallet_id uuid`,
    );
    await inPieces(
      db,
      'payments',
      `UPDATE payments SET currency_received = currency
        WHERE amount_received IS NOT NULL AND currency_received IS NULL`,
    );
    await constrain(db, 'payments', {
      payments_received: '(amount_received IS NULL) = (currency_received IS NULL)',
      payments_resolution: `resolution IN ('accept_received', 'accept_requested', 'refund_payer')`,
    });
    // What gateways said is kept word by word: the payment itself shows the last word only.
    await db.query(
      `ALTER TABLE payment_checks ADD COLUMN IF NOT EXISTS amount bigint, ADD COLUMN IF NOT EXISTS currency text`,
    );
    await constrain(db, 'payment_resolutions', {
      payment_resolutions_outcome: `outcome IN ('accept_received', 'accept_requested', 'refund_payer', 'successful',
        'failed', 'reversed', 'unchanged')`,
    });
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
    await db.query(
      `ALTER TABLE payments DROP COLUMN currency_received, DROP COLUMN resolution, DROP COLUMN credit_wallet_id`,
    );
  }
}
