import type { Pool } from 'pg';
import type { Lifetime } from '../../../src/core/process/lifetime';
import { Fleet } from '../cards/fleet';
import { Wire } from '../cards/wire';
import { Cards } from './cards';
import { Client } from './client';
import { type Market, openMarket } from './market';
import { fund, openLive } from './opening';
import { moneyFor } from './orders';
import { SIZE } from './sizes';
import { openPool } from '../open-pool';

/** A wallet, and what was put into it before the run. Minor units. */
interface Purse {
  readonly wallet: string;
  readonly funds: bigint;
}

/** Where a run takes place: companies, two processes, an account with money. */
export interface Stage {
  readonly market: Market;
  readonly fleet: Fleet;
  readonly db: Pool;
  readonly wire: Wire;
  readonly client: Client;
  /** Who has the cards. */
  readonly customer: string;
  readonly purses: Readonly<Record<'orders' | 'payments' | 'cards', Purse>>;
  /** Our money at each company before the run, by its name. */
  readonly openings: ReadonlyMap<string, bigint>;
}

/** Of whatever is given back without having been credited before. */
const SPARE_NAIRA = 10_000_000n;
const CENTS_PER_CARD = 100_000n;
const VERIFIED = `
  UPDATE customers SET kyc_status = 'verified', kyc_tier = 3, kyc_reference = id, kyc_provider = 'test',
         kyc_verified_at = now() WHERE livemode`;

export async function openStage(lifetime: Lifetime): Promise<Stage> {
  const market = openMarket();
  for (const company of market.companies) await lifetime.own(company.listen(), () => company.stop());
  const settings = Object.assign({}, ...market.companies.map((company) => company.settings)) as Record<string, string>;
  const fleet = await Fleet.start(lifetime, { ...settings, LOG_LEVEL: 'info' });
  const { service, urls } = fleet;
  const db = await openPool(lifetime, service.databaseUrl);
  const { desks, stripe } = market;
  const openings = new Map(desks.map(({ name, balance }) => [name, balance])).set('stripe', stripe.balance);
  const { id: account, key } = await openLive(service, db, market);
  const wire = new Wire(urls);
  const client = new Client(wire, account, key);
  const purse = async (name: string, currency: string, funds: bigint): Promise<Purse> => {
    const { id: wallet } = await client.post('/v4/wallets', { currency }, { key: `wallet-${name}` });
    await fund(service, wallet, funds);
    return { wallet, funds };
  };
  const purses = {
    orders: await purse('orders', 'NGN', moneyFor(SIZE.orders)),
    payments: await purse('payments', 'NGN', SPARE_NAIRA),
    cards: await purse('cards', 'USD', CENTS_PER_CARD * BigInt(SIZE.cards)),
  };
  const customer = await Cards.customer(client);
  await db.query(VERIFIED);
  return { market, fleet, db, wire, client, customer, purses, openings };
}
