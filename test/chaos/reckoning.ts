import { Client } from 'pg';
import { decodeId } from '../../src/core/http/ids';
import { brokenChecks } from '../support/books';
import type { Load } from './load';
import type { Service } from './service';

export interface Reckoning {
  /** Answered with 201 and not in the books, or there with other content. */
  readonly lost: number;
  /** In the books more than once. */
  readonly duplicated: number;
  /** In the books though no client was told so. */
  readonly unasked: number;
  /** Wallets whose balance is not what the accepted transfers make it. */
  readonly wrongBalances: readonly string[];
  /** Money that appeared (or, negative, vanished), in minor units. */
  readonly drift: number;
  readonly brokenChecks: readonly object[];
}

interface Row {
  readonly id: string;
  readonly reference: string;
  /** What its ledger entries say: how many there are, and wallet and amount of both sides. */
  readonly entries: number;
  readonly from: string;
  readonly to: string;
  readonly paid: string;
  readonly received: string;
}

const TRANSFERS = `
  SELECT t.id, t.reference, count(*)::int AS entries,
         (min(e.ledger_account_id::text) FILTER (WHERE e.amount < 0)) AS "from", -min(e.amount) AS paid,
         (min(e.ledger_account_id::text) FILTER (WHERE e.amount > 0)) AS "to", max(e.amount) AS received
    FROM transfers t LEFT JOIN ledger_entries e ON e.posting_id = t.id
   GROUP BY t.account_id, t.livemode, t.id`;

/** Compares what clients were told with what PostgreSQL has. */
export async function reckon(service: Service, load: Load, opening: ReadonlyMap<string, number>): Promise<Reckoning> {
  const rows = Map.groupBy(await transfers(service.databaseUrl), ({ reference }) => reference);
  const told = [...load.accepted.values()];
  const isRight = (row: Row, order: (typeof told)[number]): boolean =>
    row.entries === 2 &&
    row.id === decodeId('trf', order.id) &&
    row.from === decodeId('wal', order.from_wallet) &&
    row.to === decodeId('wal', order.to_wallet) &&
    row.paid === String(order.amount) &&
    row.received === row.paid;
  const expected = new Map(opening);
  for (const { from_wallet, to_wallet, amount } of told) {
    expected.set(from_wallet, expected.get(from_wallet)! - amount);
    expected.set(to_wallet, expected.get(to_wallet)! + amount);
  }
  const found = await balances(service);
  return {
    lost: told.filter((order) => !rows.get(order.reference)?.some((row) => isRight(row, order))).length,
    duplicated: [...rows.values()].filter(({ length }) => length > 1).length,
    unasked: [...rows.keys()].filter((reference) => !load.accepted.has(reference)).length,
    wrongBalances: [...expected].filter(([id, balance]) => found.get(id) !== balance).map(([id]) => id),
    drift: sum(found) - sum(opening),
    brokenChecks: await brokenChecks(service.databaseUrl),
  };
}

async function transfers(url: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(TRANSFERS)).rows;
  } finally {
    await client.end();
  }
}

/** Of the wallets that have ever had money, as the account sees them. */
export async function balances({ url, key }: Service): Promise<Map<string, number>> {
  const response = await fetch(`${url}/v4/wallets?limit=100`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: { id: string; balance: { ledger: number } }[] };
  return new Map(data.map(({ id, balance }) => [id, balance.ledger]));
}

const sum = (amounts: ReadonlyMap<string, number>): number =>
  [...amounts.values()].reduce((total, amount) => total + amount, 0);
