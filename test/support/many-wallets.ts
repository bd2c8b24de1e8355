import { decodeId, encodeId, newIdOf } from '../../src/core/http/ids';
import type { Duka } from './duka';

/** A label as long as the API takes it in one word and in many. */
const LONG = `${'Lagos Island branch '.repeat(3)}${'x'.repeat(20)}`;

export const SEEDED = 300;
/** Twelve digits before the point, as the largest of them. */
export const FLOAT_MINOR = 1_200_000_000_000;
export const FULLEST_MINOR = 12_345_678_901_234;

export interface Seeded {
  /** Public ids, oldest first: the float, two in dollars, and shops. */
  readonly wallets: readonly string[];
  /** Takes it all away again: no posting stands behind the balances. */
  readonly remove: () => Promise<void>;
}

interface Wallet {
  readonly id: string;
  readonly currency: string;
  readonly label: string;
  readonly available: number;
  readonly held: number;
}

function wanted(at: number): Omit<Wallet, 'id'> {
  if (at === 0) return { currency: 'NGN', label: 'Float', available: FLOAT_MINOR, held: FLOAT_MINOR / 4 };
  if (at <= 2) return { currency: 'USD', label: `Dollars ${at}`, available: 500_000 * at, held: 0 };
  if (at === 3) return { currency: 'NGN', label: LONG, available: FULLEST_MINOR, held: FULLEST_MINOR };
  if (at === 4) return { currency: 'EUR', label: 'Euros', available: 123_456, held: 0 };
  return {
    currency: 'NGN',
    label: at % 10 === 0 ? `${LONG.slice(0, 76)} ${at}` : `Shop ${at}`,
    available: at,
    held: 0,
  };
}

/** As a large account has them: 300 wallets, up to hundreds of billions of naira, labels of 80 characters. */
export async function seedWallets(duka: Duka, accountId: string): Promise<Seeded> {
  const account = decodeId('acct', accountId)!;
  const wallets = Array.from({ length: SEEDED }, (_, at): Wallet => ({ id: newIdOf(account), ...wanted(at) }));
  const rows = JSON.stringify(wallets);
  const read = `jsonb_to_recordset($2::jsonb) AS v(id uuid, currency text, label text, available bigint, held bigint)`;
  await duka.asOwner(
    `INSERT INTO ledger_accounts (account_id, id, name, currency, livemode, available, held)
     SELECT $1::uuid, v.id, 'wallet', v.currency, false, v.available, v.held FROM ${read}`,
    [account, rows],
  );
  await duka.asOwner(
    `INSERT INTO wallets (account_id, livemode, id, currency, label)
     SELECT $1::uuid, false, v.id, v.currency, v.label FROM ${read}`,
    [account, rows],
  );
  const ids = wallets.map(({ id }) => id);
  return {
    wallets: ids.map((id) => encodeId('wal', id)),
    remove: async () => {
      for (const table of ['wallets', 'ledger_accounts'])
        await duka.asOwner(`DELETE FROM ${table} WHERE account_id = $1 AND id = ANY ($2::uuid[])`, [account, ids]);
    },
  };
}

interface SeededTransactions {
  readonly accountId: string;
  readonly walletId: string;
  readonly type: string;
  readonly currency: string;
  readonly status?: string;
  readonly amount: number;
  readonly count: number;
  /** Today where nothing is said. */
  readonly daysAgo?: number;
}

const DAY_MS = 86_400_000;

/** Transactions of one day, each a millisecond before the next. They go with `removeTransactions`. */
export async function seedTransactions(duka: Duka, wanted: SeededTransactions): Promise<void> {
  const { accountId, walletId, type, currency, status = 'successful', amount, count, daysAgo = 0 } = wanted;
  await duka.asOwner(
    `INSERT INTO transactions (account_id, livemode, id, wallet_id, type, direction, status, amount, currency, updated_at)
     SELECT $1::text::uuid, false,
            (lpad(to_hex($7::bigint - n / 4096), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
              || '8' || left(md5(n::text || $2::text || $3), 12) || right($1, 3))::uuid,
            $2::uuid, $3, 'debit', $4, $5::bigint, $6, now()
       FROM generate_series(1, $8::bigint) AS n`,
    [
      decodeId('acct', accountId),
      decodeId('wal', walletId),
      type,
      status,
      amount,
      currency,
      Date.now() - daysAgo * DAY_MS,
      count,
    ],
  );
}

export async function removeTransactions(duka: Duka, accountId: string): Promise<void> {
  await duka.asOwner(
    `DELETE FROM transactions t WHERE account_id = $1
       AND NOT EXISTS (SELECT 1 FROM ledger_entries e WHERE e.transaction_id = t.id)`,
    [decodeId('acct', accountId)],
  );
}
