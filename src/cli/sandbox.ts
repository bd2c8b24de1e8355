import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Env, loadEnv } from '../core/config/env';
import { keepSecret } from '../core/secrets/secret-box';
import { encodeId, newId, newIdOf } from '../core/http/ids';
import type { Currency } from '../core/money/money';
import { isReachedByOthers } from '../core/http/this-machine';
import { ApiKeysService } from '../modules/accounts/api-keys.service';
import { DepositsService } from '../modules/wallets/deposits.service';
import { WalletChangesService } from '../modules/wallets/wallet-changes.service';
import { WalletsService } from '../modules/wallets/wallets.service';
import { NO_ORIGIN } from '../core/outbox/outbox';

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

/** What a newcomer needs to know of the sandbox. Also the content of `sandbox.json`. */
export interface SandboxFacts {
  readonly account_id: string;
  readonly test_key: string;
  readonly wallets: readonly { readonly id: string; readonly currency: Currency }[];
}

const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };
/** The wallets beside the one that every account starts with, and test money in minor units. */
const WALLETS = [
  { currency: 'NGN', label: 'Main', opened: true, amount: 10_000_000n },
  { currency: 'NGN', label: 'To send to', opened: false, amount: 0n },
  { currency: 'USD', label: 'Dollars', opened: false, amount: 100_000n },
] as const;

/** The sandbox account with its wallets and test key: found again by the key in `sandbox.json`, else made. */
export async function seedSandbox(app: INestApplicationContext): Promise<SandboxFacts> {
  const testKey = rememberedKey(app.get(Env).DATA_DIR);
  const usable = testKey === null ? null : await app.get(ApiKeysService).findUsable(testKey);
  if (testKey === null || usable === null) return makeSandbox(app);
  return factsOf(app, usable.key.accountId, testKey);
}

async function makeSandbox(app: INestApplicationContext): Promise<SandboxFacts> {
  const { id: accountId } = await app.get(WalletChangesService).openAccount('Sandbox');
  const caller = { accountId, livemode: false, keyId: newIdOf(accountId), scopes: null, requestId: newId() };
  const [first] = await app.get(WalletsService).list(caller, {}, null, 1);
  for (const { currency, label, opened, amount } of WALLETS) {
    const own = { currency, label, reference: null, lowBalanceThreshold: null, metadata: {} };
    const { made: wallet } = opened
      ? await app.get(WalletChangesService).update(caller, first!.id, { label }, NO_CLAIM)
      : await app.get(WalletChangesService).create(caller, own, NO_CLAIM);
    if (amount === 0n) continue;
    const deposit = { wallet, amount, source: 'sandbox_source', reference: null, metadata: {} } as const;
    await app.get(DepositsService).deposit(deposit, NO_CLAIM, NO_ORIGIN);
  }
  const key = { accountId, livemode: false, name: 'Sandbox', scopes: null, allowedIps: null, expiresAt: null };
  const { secret } = await app.get(ApiKeysService).create(key);
  return factsOf(app, accountId, secret);
}

/** Oldest first: the main wallet leads. */
async function factsOf(app: INestApplicationContext, accountId: string, testKey: string): Promise<SandboxFacts> {
  const wallets = await app.get(WalletsService).list({ accountId, livemode: false }, {}, null, 100);
  return {
    account_id: encodeId('acct', accountId),
    test_key: testKey,
    wallets: wallets.reverse().map(({ id, currency }) => ({ id: encodeId('wal', id), currency })),
  };
}

function rememberedKey(dataDir: string): string | null {
  try {
    return (JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFacts).test_key;
  } catch {
    return null;
  }
}

/**
 * For programs: the same facts that the banner tells. Never seen half written; holds a key, so only its owner may read
 * it.
 */
export function writeSandboxFile(dataDir: string, baseUrl: string, facts: SandboxFacts): void {
  const file = join(dataDir, 'sandbox.json');
  const { account_id, test_key, wallets } = facts;
  // With DATABASE_URL and SECRETS_KEY nothing else has been kept there.
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify({ base_url: baseUrl, account_id, test_key, wallets }, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(`${file}.new`, file);
}

/** For people: where it is and three commands to paste. */
export function sandboxBanner(dataDir: string, baseUrl: string, { test_key, wallets }: SandboxFacts): string {
  const [mine, other] = wallets.filter(({ currency }) => currency === 'NGN').map(({ id }) => id);
  const post = (path: string, key: string, body: object) => [
    `  curl ${baseUrl}${path} \\`,
    `    -H 'Authorization: Bearer ${test_key}' -H "Idempotency-Key: ${key}-$(date +%s)" \\`,
    `    -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
    '',
  ];
  return [
    '',
    '  Duka sandbox is running. Ctrl-C stops it; what you do is kept.',
    '',
    `  API        ${baseUrl}`,
    `  Dashboard  ${baseUrl}/dashboard`,
    `  Docs       ${baseUrl}/docs`,
    `  Test key   ${test_key}`,
    `  Data       ${dataDir}`,
    '',
    '  Put test money in, send some of it, look at what is left:',
    '',
    ...post(`/v4/sandbox/wallets/${mine}/credit`, 'credit', { amount: 500_000 }),
    ...post('/v4/wallets/transfer', 'transfer', { from_wallet: mine, to_wallet: other, amount: 150_000 }),
    `  curl ${baseUrl}/v4/wallets/${mine} -H 'Authorization: Bearer ${test_key}'`,
    '',
  ].join('\n');
}
