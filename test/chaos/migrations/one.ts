import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Env } from '../../../src/core/config/env';
import { runProcess } from '../../../src/core/process/lifetime';
import { allMigrations, runMigrations } from '../../../src/migrations/migrations';

/** Between two, for what is still told of the one before. */
const PAUSE_MS = 500;

type Migration = new () => MigrationInterface;

/** One that says on the standard output when it begins and ends. */
function told(migration: Migration): Migration {
  const { name } = migration;
  class Told extends migration {
    override async up(db: QueryRunner): Promise<void> {
      if (process.argv[3] === 'paced') await sleep(PAUSE_MS);
      process.stdout.write(`begins ${name}\n`);
      await super.up(db);
      process.stdout.write(`ends ${name}\n`);
    }
  }
  return Object.defineProperty(Told, 'name', { value: name });
}

// A child of `npm run test:migrations`: all migrations up to a number.
runProcess(async (lifetime) => {
  const migrations = allMigrations().filter(({ name }) => Number(name.slice(-4)) <= Number(process.argv[2]));
  const env = Object.assign(new Env(), { DATABASE_URL: process.env.DATABASE_URL });
  await runMigrations(
    env,
    migrations.map((migration) => told(migration as Migration)),
  );
  await lifetime.end(0);
});
