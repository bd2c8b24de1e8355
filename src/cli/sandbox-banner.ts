import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxFacts } from './seed-sandbox';

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
