import { toJsonNumber } from '../../core/money/money';
import type { Running } from './purchase-step.batch';
import type { Delivered } from './purchases.types';

/** What was delivered, beside what was asked. `short` can be paid for by its part; what `misfits` only a person can settle. */
export function measure(
  { transaction: { amount, commission }, purchase: { product } }: Running,
  { deliveredAmount = amount }: Delivered,
): 'whole' | 'short' | 'misfit' {
  if (deliveredAmount === amount) return 'whole';
  // Half a data plan, half a subscription, or a token over another amount is not half of what was asked for.
  return product === 'airtime' && deliveredAmount < amount && commission < amount ? 'short' : 'misfit';
}

/** The purchase of what was delivered: fee and commission in proportion, rounded down. What was asked for stands in `details`. */
export function shortened(running: Running, delivered: bigint): Running {
  const { transaction: t, purchase } = running;
  const partOf = (sum: bigint): bigint => (sum * delivered) / t.amount;
  const [fee, commission] = [partOf(t.fee), partOf(t.commission)];
  const total = delivered + fee - commission;
  const details = {
    ...t.details,
    requested_amount: toJsonNumber(t.amount),
    released_amount: toJsonNumber(purchase.total - total),
  };
  return {
    ...running,
    transaction: { ...t, amount: delivered, fee, commission, details },
    purchase: { ...purchase, total },
  };
}
