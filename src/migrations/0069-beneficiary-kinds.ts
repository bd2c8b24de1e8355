import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Beneficiaries of all kinds, not of bank accounts alone: `details` are what is paid, `number` is for searches. */
export class BeneficiaryKinds1763000000069 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE beneficiaries ADD COLUMN kind text, ADD COLUMN details jsonb, ADD COLUMN number text`);
    await db.query(`UPDATE beneficiaries SET kind = 'bank_account', number = account_number,
      details = jsonb_build_object('bank_code', bank_code, 'account_number', account_number)`);
    await db.query(`ALTER TABLE beneficiaries DROP COLUMN bank_code, DROP COLUMN account_number,
      ALTER COLUMN kind SET NOT NULL, ALTER COLUMN details SET NOT NULL, ALTER COLUMN number SET NOT NULL,
      ALTER COLUMN verified_name DROP NOT NULL,
      ADD CONSTRAINT beneficiaries_kind CHECK (kind IN ('bank_account', 'phone', 'meter', 'smartcard', 'wallet'))`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM beneficiaries WHERE kind <> 'bank_account'`);
    await db.query(`ALTER TABLE beneficiaries ADD COLUMN bank_code text, ADD COLUMN account_number text`);
    await db.query(`UPDATE beneficiaries SET bank_code = details ->> 'bank_code', account_number = number`);
    await db.query(`ALTER TABLE beneficiaries DROP CONSTRAINT beneficiaries_kind, DROP COLUMN kind, DROP COLUMN details,
      DROP COLUMN number, ALTER COLUMN bank_code SET NOT NULL, ALTER COLUMN account_number SET NOT NULL,
      ALTER COLUMN verified_name SET NOT NULL`);
  }
}
