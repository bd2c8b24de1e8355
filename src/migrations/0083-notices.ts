import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, once } from './online';

/** Up to when a person has read what needs somebody. */
const MARKS = `
  CREATE TABLE notice_marks (
    account_id uuid        NOT NULL,
    user_id    uuid        NOT NULL,
    livemode   boolean     NOT NULL,
    read_until timestamptz NOT NULL,
    CONSTRAINT notice_marks_pkey PRIMARY KEY (account_id, user_id, livemode)
  )`;

/** Who does something after events, and behind which place in the order of commits it goes on. */
const READERS = `
  CREATE TABLE event_readers (
    name    text        NOT NULL,
    number  bigint      NOT NULL,
    id      uuid        NOT NULL,
    read_at timestamptz NOT NULL,
    CONSTRAINT event_readers_pkey PRIMARY KEY (name)
  )`;

/** From here on: what happened to endpoints before is no news. */
const BEGIN = `
  INSERT INTO event_readers (name, number, id, read_at)
  SELECT 'endpoint_mails', (epoch::bigint << 48) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
         '00000000-0000-0000-0000-000000000000', now()
    FROM relay_position WHERE name = 'webhooks'`;

export class Notices1763000000083 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await once(db, 'notice_marks', () => this.makeTables(db));
    // Few of all events, and no account has to look through the others for them.
    await addIndex(
      db,
      'events_of_notices',
      'events',
      `(account_id, livemode, object_id, id) WHERE object_type = 'whk' OR type = 'wallet.low_balance'`,
    );
    await addIndex(
      db,
      'payout_approvals_waiting',
      'payout_approvals',
      '(account_id, livemode, id) WHERE decision IS NULL',
    );
  }

  private async makeTables(db: QueryRunner): Promise<void> {
    await db.query(MARKS);
    await db.query(`GRANT UPDATE (read_until) ON notice_marks TO duka_app`);
    await db.query(READERS);
    await db.query(BEGIN);
    await db.query(`GRANT UPDATE (number, id, read_at) ON event_readers TO duka_app`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP INDEX payout_approvals_waiting, events_of_notices`);
    await db.query(`DROP TABLE event_readers, notice_marks`);
  }
}
