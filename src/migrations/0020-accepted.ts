import type { MigrationInterface, QueryRunner } from 'typeorm';
import { constrain } from './online';

const OUTCOMES = {
  purchase_attempts: ['delivered', 'not_delivered', 'unknown'],
  purchase_checks: ['delivered', 'not_delivered', 'unknown', 'not_known', 'reversed'],
  issuer_calls: ['done', 'refused', 'unknown', 'not_known'],
};

/** What is accepted and under way is an answer, beside what nobody can say. */
export class Accepted1763000000020 implements MigrationInterface {
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await allow(db, ['accepted']);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of Object.keys(OUTCOMES))
      await db.query(`UPDATE ${table} SET outcome = 'unknown', code = 'accepted' WHERE outcome = 'accepted'`);
    await allow(db, []);
  }
}

async function allow(db: QueryRunner, more: readonly string[]): Promise<void> {
  for (const [table, outcomes] of Object.entries(OUTCOMES)) {
    const list = [...outcomes, ...more].map((outcome) => `'${outcome}'`).join(', ');
    await constrain(db, table, { [`${table}_outcome`]: `outcome IN (${list})` });
  }
}
