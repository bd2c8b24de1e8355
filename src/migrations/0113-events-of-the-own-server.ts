import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RENEW_EVENT_EPOCH } from './0110-epochs-of-moves';

const REPLACING = RENEW_EVENT_EPOCH.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');

/** One that was copied by the transaction whose number it has by chance is not its own: that one copied others, too. */
export const EVENTS_TOLD_APART = REPLACING.replace(
  'xmin::text::bigint = (xact & 4294967295)',
  `xmin::text::bigint = (xact & 4294967295) AND xmin::text NOT IN (
           SELECT xmin::text FROM events WHERE id >= uuid_v7_floor(place.at - interval '1 day')
            GROUP BY xmin HAVING min(xact) <> max(xact))`,
);

/** After a restore, what was told on the server before is not told again. */
export class EventsOfTheOwnServer1763000000113 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(EVENTS_TOLD_APART);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(REPLACING);
  }
}
