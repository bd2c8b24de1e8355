import { Client, type DatabaseError, escapeIdentifier } from 'pg';
import type { QueryRunner } from 'typeorm';
import type { Env } from '../config/env';
import { CannotStart } from '../errors/cannot-start';
import { APPLICATION_ROLE, applicationUrl, clientConfig } from './options';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Sees to it that running processes can log in: makes the login, or gives it the password that stands in its address now. */
export async function ensureApplicationLogin(env: Env, owner: QueryRunner): Promise<void> {
  if (await logsIn(env).catch(() => false)) return;
  const url = new URL(applicationUrl(env)!);
  const name = decodeURIComponent(url.username);
  const [{ exists, login }] = await owner.query(
    `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1) AS exists,
            format('ROLE %I LOGIN', $1::text) || CASE WHEN $2 = '' THEN '' ELSE format(' PASSWORD %L', $2::text) END AS login`,
    [name, decodeURIComponent(url.password)],
  );
  try {
    await owner.query(`${exists ? 'ALTER' : 'CREATE'} ${login}`);
    await owner.query(`GRANT ${APPLICATION_ROLE} TO ${escapeIdentifier(name)}`);
  } catch (error) {
    if ((error as { driverError?: DatabaseError }).driverError?.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new CannotStart(
      `Running processes cannot log in as ${name}, and the login of DATABASE_URL may not make it. Somebody who may must: CREATE ROLE … LOGIN PASSWORD '…' IN ROLE ${APPLICATION_ROLE}. Then set DATABASE_APP_URL.`,
    );
  }
  await logsIn(env);
}

async function logsIn(env: Env): Promise<boolean> {
  const client = new Client(clientConfig(env));
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
