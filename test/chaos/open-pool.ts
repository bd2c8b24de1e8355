import { Pool } from 'pg';
import type { Lifetime } from '../../src/core/process/lifetime';

/** For what an ordeal reads of the database itself, until the end of its lifetime. */
export async function openPool(lifetime: Lifetime, connectionString: string, max = 1): Promise<Pool> {
  const pool = await lifetime.own(Promise.resolve(new Pool({ connectionString, max })), (opened) => opened.end());
  // Sessions that PostgreSQL ends when it stops are no news: they are closed a moment after `end`.
  pool.on('error', () => undefined);
  return pool;
}
