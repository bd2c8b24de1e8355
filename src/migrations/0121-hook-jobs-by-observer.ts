import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex } from './online';

const BY_TIME = 'hook_jobs_by_time';

/** Workers take what one observer is still to be told. */
export class HookJobsByObserver1763000000121 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await addIndex(db, 'hook_jobs_by_observer', 'hook_jobs', '(handler, livemode, due_at) WHERE due_at IS NOT NULL');
    await db.query(`DROP INDEX IF EXISTS ${BY_TIME}`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`CREATE INDEX ${BY_TIME} ON hook_jobs (due_at) WHERE due_at IS NOT NULL`);
    await db.query(`DROP INDEX hook_jobs_by_observer`);
  }
}
