import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, constrain } from './online';

/** What of a payment went back to its payer, part by part. */
export class PaymentReversals1763000000027 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE payments ADD COLUMN IF NOT EXISTS amount_refunded bigint NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS reversals jsonb NOT NULL DEFAULT '[]'`);
    // All transactions are looked through once: none is found by what it reverses.
    await db.query(`
      WITH r AS MATERIALIZED (SELECT account_id, livemode, reverses, amount, id FROM transactions
                               WHERE reverses IS NOT NULL)
      UPDATE payments p SET amount_refunded = p.amount_received, reversals = jsonb_build_array(jsonb_build_object(
          'reference', 'review', 'amount', p.amount_received::text, 'taken', r.amount::text, 'transactionId', r.id))
        FROM r
       WHERE p.status = 'reversed' AND p.amount_refunded = 0 AND r.account_id = p.account_id
         AND r.livemode = p.livemode AND r.reverses = p.transaction_id`);
    await constrain(db, 'payments', {
      payments_refunded: 'amount_refunded BETWEEN 0 AND coalesce(amount_received, 0)',
    });
    await addIndex(
      db,
      'payments_to_refund',
      'payments',
      `(account_id, id) WHERE resolution = 'refund_payer' AND amount_refunded < amount_received`,
    );
    await db.query(`
      ALTER TABLE sandbox_gateway_orders ADD COLUMN IF NOT EXISTS received bigint,
        ADD COLUMN IF NOT EXISTS received_currency text,
        ADD COLUMN IF NOT EXISTS refunds jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE sandbox_gateway_orders DROP COLUMN received, DROP COLUMN received_currency, DROP COLUMN refunds`,
    );
    await db.query(`DROP INDEX payments_to_refund`);
    await db.query(`ALTER TABLE payments DROP COLUMN amount_refunded, DROP COLUMN reversals`);
  }
}
