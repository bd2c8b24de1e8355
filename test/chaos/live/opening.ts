import { NestFactory } from '@nestjs/core';
import type { Pool } from 'pg';
import { AppModule } from '../../../src/app.module';
import { Env } from '../../../src/core/config/env';
import { ApiKeysService } from '../../../src/modules/accounts/api-keys.service';
import { FloatBookings } from '../../../src/modules/purchases/float-bookings';
import { DepositsService } from '../../../src/modules/wallets/deposits.service';
import { WalletChangesService } from '../../../src/modules/wallets/wallet-changes.service';
import { WalletsService } from '../../../src/modules/wallets/wallets.service';
import { decodeId } from '../../../src/core/http/ids';
import type { Service } from '../service';
import type { Market } from './market';

/** All of a product at one position: who is asked first is drawn by lot. */
const ROUTE = `
  INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ($1, $2, true, $3, 1)`;
const ROUTES: readonly (readonly [product: string, network: string, provider: string])[] = [
  ['airtime', '*', 'vtpass'],
  ['airtime', '*', 'reloadly'],
  ['payout', '*', 'monnify'],
  ['payout', '*', 'paystack'],
  ['cards', '*', 'stripe'],
];
/** One person may have all the cards of a run. */
const NO_LIMITS = 'DELETE FROM kyc_tier_limits WHERE livemode';
/** Wide enough for all: each payout must find the counter as it read it. */
const RULE = `INSERT INTO payout_rules (account_id, livemode, currency, daily_limit) VALUES ($1, true, 'NGN', 100000000000)`;

/** What `duka provider:reconcile` is told of the first line of each statement. */
export const OPENING = 'opening';

export interface Account {
  readonly id: string;
  /** Live. */
  readonly key: string;
}

/** Opens an account in live mode, with routes, and books what we have at each company. */
export async function openLive(
  { databaseUrl, env }: Service,
  db: Pool,
  { desks, gateways }: Pick<Market, 'desks' | 'gateways'>,
): Promise<Account> {
  for (const route of [...ROUTES, ...gateways.map(({ name }) => ['payment', 'NGN', name])])
    await db.query(ROUTE, [...route]);
  await db.query(NO_LIMITS);
  return inside({ databaseUrl, env }, async (get) => {
    const { id: accountId } = await get(WalletChangesService).openAccount('Live');
    await db.query('UPDATE accounts SET live_enabled = true WHERE id = $1', [accountId]);
    await db.query(RULE, [accountId]);
    const wanted = { accountId, livemode: true, name: 'Live', scopes: null, allowedIps: null, expiresAt: null };
    const { secret: key } = await get(ApiKeysService).create(wanted);
    for (const { name: provider, balance: amount } of desks)
      await get(FloatBookings).move({
        provider,
        currency: 'NGN',
        amount,
        reference: OPENING,
        person: 'Ada',
        reason: 'bank transfer',
      });
    return { id: accountId, key };
  });
}

/** Puts money into a live wallet, as an operator does. */
export const fund = (service: Service, wallet: string, amount: bigint): Promise<unknown> =>
  inside(service, async (get) => {
    const found = (await get(WalletsService).findAny(decodeId('wal', wallet)!))!;
    const claim = { key: null, fingerprint: Buffer.alloc(32) };
    const deposit = { wallet: found, amount, source: 'opening', reference: null, metadata: {} } as const;
    await get(DepositsService).deposit(deposit, claim, { requestId: null, idempotencyKey: null });
  });

type Get = <One>(what: abstract new (...args: never[]) => One) => One;

/** With the service in this process, as the command line has it. */
async function inside<Result>(
  { databaseUrl, env }: Pick<Service, 'databaseUrl' | 'env'>,
  work: (get: Get) => Promise<Result>,
): Promise<Result> {
  const settings = Object.assign(new Env(), { DATABASE_URL: databaseUrl, SECRETS_KEY: env.SECRETS_KEY });
  const app = await NestFactory.createApplicationContext(AppModule.register(settings), {
    abortOnError: false,
    logger: false,
  });
  try {
    return await work((what) => app.get(what as never, { strict: false }));
  } finally {
    await app.close();
  }
}
