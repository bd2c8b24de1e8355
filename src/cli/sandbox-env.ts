import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, loadEnv } from '../core/config/env';
import { keepSecret } from '../core/config/secrets-keys';
import { isLoopback } from '../core/text/ip-address';

const FRESH_KEY = randomBytes(32).toString('base64');

/**
 * Settings of `npm start`: a quiet log, a key of its own kept in DATA_DIR, and webhooks to receivers on the same
 * machine, unless others reach the service: they would reach through it what only this machine should.
 */
export function loadSandboxEnv(): Env {
  const defaults = { SECRETS_KEY: FRESH_KEY, LOG_LEVEL: 'warn', SHUTDOWN_NOTICE_SECONDS: '0' };
  const isReached = isReachedByOthers(loadEnv({ defaults }));
  return withKeptKey(loadEnv({ defaults: { ...defaults, WEBHOOK_ALLOW_PRIVATE_NETWORKS: `${!isReached}` } }));
}

const isReachedByOthers = ({ HOST, PUBLIC_URL }: Env): boolean =>
  !isLoopback(HOST) || (PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname));

/** Settings of the command line: those of the server that the environment names, else of the sandbox in DATA_DIR. */
export function loadCommandEnv(): Env {
  const env = loadEnv({ defaults: { SECRETS_KEY: FRESH_KEY, LOG_LEVEL: 'warn' } });
  // A key made up here would seal a server's secrets for nobody.
  return env.DATABASE_URL ? loadEnv({ defaults: { LOG_LEVEL: 'warn' } }) : withKeptKey(env);
}

function withKeptKey(env: Env): Env {
  if (env.SECRETS_KEY !== FRESH_KEY) return env;
  mkdirSync(env.DATA_DIR, { recursive: true });
  return Object.assign(env, { SECRETS_KEY: keepSecret(join(env.DATA_DIR, 'secrets.key'), FRESH_KEY) });
}
