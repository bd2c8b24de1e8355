import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Command lines that ask for a key, until a person has decided and they have fetched it. The code that a person enters
 * is kept under a key of this service's, as it is short; of the device's a digest is enough.
 */
const DEVICE_LOGINS = `
  CREATE TABLE device_logins (
    id               uuid        NOT NULL,
    device_code_hash bytea       NOT NULL,
    user_code_hash   bytea       NOT NULL,
    name             text        NOT NULL,
    ip               text        NOT NULL,
    user_agent       text,
    status           text        NOT NULL DEFAULT 'pending',
    interval_seconds integer     NOT NULL,
    polled_at        timestamptz,
    for_account      uuid,
    by_user          uuid,
    livemode         boolean,
    scopes           text[],
    created_at       timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL,
    CONSTRAINT device_logins_pkey PRIMARY KEY (id),
    CONSTRAINT device_logins_device_code UNIQUE (device_code_hash),
    CONSTRAINT device_logins_user_code UNIQUE (user_code_hash),
    CONSTRAINT device_logins_hashes CHECK (octet_length(device_code_hash) = 32 AND octet_length(user_code_hash) = 32),
    CONSTRAINT device_logins_status CHECK (status IN ('pending', 'approved', 'denied')),
    CONSTRAINT device_logins_approved CHECK (
      (status = 'approved') = (for_account IS NOT NULL AND by_user IS NOT NULL AND livemode IS NOT NULL))
  )`;

export class DeviceLogins1763000000098 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(DEVICE_LOGINS);
    await db.query(`CREATE INDEX device_logins_by_end ON device_logins (expires_at)`);
    await db.query(`
      GRANT UPDATE (status, interval_seconds, polled_at, for_account, by_user, livemode, scopes), DELETE
         ON device_logins TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP TABLE device_logins`);
  }
}
