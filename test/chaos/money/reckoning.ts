import type { Findings } from '../cards/findings';
import type { Shop } from '../cards/shop';
import { arrivedAt, reckonTransfers } from '../cards/transfer-clients';
import type { Batches } from './batches';
import type { Buyers } from './buyers';
import type { Payouts } from './payouts';

export interface Told {
  readonly batches: Batches;
  readonly buyers: Buyers;
  readonly payouts: Payouts;
}

/** Compares records and wallets of an account with what its clients were told. */
export async function reckonAccount(shop: Shop, told: Told, isLapsed: boolean, findings: Findings): Promise<void> {
  const arrived = await reckonTransfers(shop, { isLapsed }, findings);
  const bought = await reckonBought(shop, told, findings);
  for (const { id, balance } of await shop.all('/v4/wallets')) {
    const taken = (told.batches.taken.get(id) ?? 0) + bought(id) + (await told.payouts.takenFrom(id));
    findings.compare('wallets', id, {
      told: [(shop.opening.get(id) ?? 0) - taken + arrivedAt(id, arrived), 0],
      found: [balance.available, balance.held],
    });
  }
}

/** Gives what single purchases took from a wallet. */
async function reckonBought(
  shop: Shop,
  { batches, buyers, payouts }: Told,
  findings: Findings,
): Promise<(wallet: string) => number> {
  const rows = await shop.all('/v4/transactions');
  const isBuyer = [...shop.wallets.NGN].includes(buyers.wallet);
  const byId = new Map(rows.map((row) => [row.id as string, row]));
  if (isBuyer)
    for (const [id, total] of buyers.bought) {
      const row = byId.get(id);
      if (row === undefined) findings.add('lost', id);
      else findings.compare('transactions', id, { told: ['successful', total], found: [row.status, row.total] });
    }
  const known = new Set([...buyers.bought.keys(), ...batches.made, ...payouts.told.map(({ id }) => id)]);
  for (const { id, type, reverses } of rows)
    if (['airtime_purchase', 'payout', 'reversal'].includes(type) && !known.has(reverses ?? id))
      findings.add('unasked', `${type} ${id}`);
  const sum = [...buyers.bought.values()].reduce((total, each) => total + each, 0);
  return (wallet) => (wallet === buyers.wallet ? sum : 0);
}
