import { DataSource } from 'typeorm';
import type { Env } from '../core/config/env';
import { dataSourceOptions, ensureApplicationLogin } from '../core/database/options';
import { migrateQueue } from '../core/queue/queue-options';
import { TEAMS } from '../extensions/extensions.module';
import { MIGRATIONS } from '../migrations/migrations';

/** Those of the service and of teams. */
export const allMigrations = (): Function[] => [...MIGRATIONS, ...TEAMS.flatMap(({ migrations = [] }) => migrations)];

/** Brings the database up to date, as the login itself, and returns the names of the migrations that it ran. */
export async function runMigrations(env: Env): Promise<string[]> {
  // Two connections: one holds the lock while the other migrates.
  const options = { ...dataSourceOptions(env, 'owner'), migrations: allMigrations(), poolSize: 2 };
  const dataSource = await new DataSource(options).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    // Servers that are rolled out together all migrate: one does it, the others wait here and find nothing to do.
    await lock.query('SET lock_timeout = 0');
    await lock.query(`SELECT pg_advisory_lock(hashtextextended('duka migrations', 0))`);
    const ran = await dataSource.runMigrations();
    await migrateQueue(env);
    await ensureApplicationLogin(env, lock);
    return ran.map((migration) => migration.name);
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}
