import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Env } from '../core/config/env';
import { encodeId, newId } from '../core/http/ids';
import type { Currency } from '../core/money/currencies';
import { ApiKeysService } from '../modules/api-keys/api-keys.service';
import { DepositsService } from '../modules/wallets/deposits.service';
import { WalletChangesService } from '../modules/wallets/wallet-changes.service';
import { WalletsService } from '../modules/wallets/wallets.service';

/** What a newcomer needs to know of the sandbox. Also the content of `sandbox.json`. */
export interface SandboxFacts {
  readonly account_id: string;
  readonly test_key: string;
  readonly wallets: readonly { readonly id: string; readonly currency: Currency }[];
}

const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };
const NO_ORIGIN = { requestId: null, idempotencyKey: null };

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
  const caller = { accountId, livemode: false, keyId: newId(), scopes: null, requestId: newId() };
  const [first] = await app.get(WalletsService).list(caller, {}, null, 1);
  for (const { currency, label, opened, amount } of WALLETS) {
    const own = { currency, label, reference: null, lowBalanceThreshold: null, metadata: {} };
    const { wallet } = opened
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
