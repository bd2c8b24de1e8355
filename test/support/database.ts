import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  /** As the superuser, who may do what `DATABASE_URL`'s login may do. */
  url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database of its own for a test file; from `template1`, one that no migration ran in. */
export async function createTestDatabase(template = 'duka'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return { url: addressOf(name), drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function run(statement: string): Promise<void> {
  const client = new Client({ connectionString: addressOf('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function addressOf(database: string): string {
  const url = new URL(process.env.DUKA_TEST_POSTGRES!);
  url.pathname = database;
  return url.href;
}
