import { Client } from 'pg';
import { decodeId } from '../src/core/http/ids';
import { type TestAccount, Duka } from './support/duka';
import { until } from './support/recurring-probe';

const ROWS = 20_000;
/** Far more than sockets take on their own. */
const RECIPIENT = 'x'.repeat(1_500);

let duka: Duka;
let shop: TestAccount;
let owner: Client;

beforeAll(async () => {
  duka = await Duka.start();
  shop = await duka.account();
  owner = new Client({ connectionString: duka.env.DATABASE_URL });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await duka.stop();
});

/** Deposits that failed, one a millisecond, the last of them at `at`. */
async function addRows(wallet: string, rows: number, at: string): Promise<void> {
  await owner.query(
    `INSERT INTO transactions (account_id, livemode, id, wallet_id, type, direction, status, amount, currency, recipient, updated_at)
     SELECT a.account_id, false, 
            overlay(uuid_v7_floor($4::timestamptz - i * interval '1 millisecond')::text PLACING right(a.account_id::text, 3) FROM 34)::uuid, a.id, 'deposit', 'credit', 'failed', 1, 'NGN', $3, now()
       FROM ledger_accounts a, generate_series(0, $2 - 1) i WHERE a.id = $1`,
    [decodeId('wal', wallet), rows, RECIPIENT, at],
  );
}

/** What vacuum has to wait for. */
const OPEN = `
  SELECT count(*)::int AS open FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND (xact_start IS NOT NULL OR backend_xmin IS NOT NULL)`;

it('a CSV that is read slowly keeps no snapshot, and rows that come meanwhile change nothing of it', async () => {
  const wallet = await shop.api.wallet();
  await addRows(wallet, ROWS, '2026-01-01T00:01:00Z');
  const response = await fetch(`${duka.url}/v4/transactions?format=csv`, {
    headers: { authorization: `Bearer ${shop.key}` },
  });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = decoder.decode((await reader.read()).value, { stream: true });
  // The reader stands still: what is open now would stay so until it goes on.
  await until(async () => (await owner.query(OPEN)).rows[0].open === 0);
  await addRows(wallet, 1_500, '2026-01-02T00:00:00Z');
  for (let read = await reader.read(); !read.done; read = await reader.read())
    text += decoder.decode(read.value, { stream: true });
  const ids = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => decodeId('txn', line.split(',')[0]!)!);
  expect(ids).toHaveLength(ROWS);
  expect(new Set(ids).size).toBe(ROWS);
  expect([...ids].sort().reverse()).toEqual(ids);
});
