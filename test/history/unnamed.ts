import type { Entry } from './books';
import type { Findings } from './contradiction';
import type { Log } from './log';
import type { Order, Orders } from './orders';

/**
 * Entries whose transaction nobody told of: each must be of a request whose outcome is not known, for that wallet and amount. A hold
 * may be of any purchase of its wallet, since what it costs is not known before it is answered.
 */
export function checkUnnamed(logs: Iterable<Log>, orders: Orders, findings: Findings): void {
  const named = [...logs].filter(({ unnamed }) => unnamed.size > 0);
  if (named.length === 0) return;
  const [unknown, refused] = [new Map<string, number>(), new Map<string, Order>()];
  for (const order of orders) {
    if (order.known !== null) continue;
    for (const shape of shapesOf(order))
      if (order.mayHaveTakenPlace) unknown.set(shape, (unknown.get(shape) ?? 0) + 1);
      else refused.set(shape, order);
  }
  for (const { wallet, unnamed } of named) {
    for (const [transaction, sequence] of unnamed) {
      const entry = wallet.entries[sequence - 1]!;
      const shape = shapeOf(wallet.id, entry, wallet.entries[sequence]);
      const left = unknown.get(shape) ?? 0;
      unknown.set(shape, left - 1);
      if (left > 0) continue;
      const order = refused.get(shape);
      const what = `Entry ${sequence} of ${wallet.id} (${entry.amount} ${entry.bucket}) is of ${transaction}`;
      if (order === undefined) findings.add('unasked-effect', `${what}, which nobody asked for.`, entry.call);
      else
        findings.add(
          'refused-yet-applied',
          `${what}: only ${order.text} was like it, and refused.`,
          order.refused,
          entry.call,
        );
    }
  }
}

function shapeOf(wallet: string, entry: Entry, next: Entry | undefined): string {
  const isHeld = entry.bucket === 'held' || (next?.bucket === 'held' && next.transaction === entry.transaction);
  return isHeld ? `${wallet} hold` : `${wallet} ${entry.amount}`;
}

function shapesOf({ kind, ask }: Order): string[] {
  switch (kind) {
    case 'credit':
      return [`${ask.wallet} ${ask.amount}`];
    case 'transfer':
      return [`${ask.from} -${ask.amount}`, `${ask.to} ${ask.amount}`];
    case 'purchase':
      return [`${ask.wallet} hold`];
    default:
      return [];
  }
}
