import type { AboutOrder } from '../../core/adapters/answers';
import type { Accepted, Delivered, FindResult, NotDelivered, Order, ProviderResult, Unknown } from './purchases.types';
import { endingOf, type Plan, SCENARIOS } from './sandbox-plan.batch';
import type { SettledAs } from './sandbox-scenarios.types';

/** An order that the operator remembers. Times are those of the account's clock. */
export interface KnownOrder {
  readonly plan: Plan;
  readonly soldAt: Date;
  /** From when on a requery finds the ending. */
  readonly readyAt: Date;
}

/** A body that no adapter could read. */
const GARBAGE = '<html><body>502 Bad Gateway</body></html>' as unknown as ProviderResult;
const PROCESSING: Accepted = { outcome: 'accepted' };
const SILENT: Unknown = { outcome: 'unknown', code: 'timeout' };
const REFUSED = { message: 'The operator refused.', recovery: 'none', retryElsewhere: false } as const;

/** What the operator says when it is asked to sell: for one order the same each time. Throws where a real one would not answer. */
export function firstAnswer(order: Order, { plan, soldAt, readyAt }: KnownOrder): ProviderResult {
  // The delay was over when this provider was asked: another one of the same purchase had taken its time.
  if (plan.isDelayed && readyAt <= soldAt) return ending(order, plan) as ProviderResult;
  switch (plan.answer) {
    case 'delivered':
      return delivered(order, plan, plan.later === 'reversed' ? readyAt.getTime() - soldAt.getTime() : undefined);
    case 'failed':
      return refused(plan);
    case 'processing':
      return PROCESSING;
    case 'garbage':
      return GARBAGE;
    // What `AbortSignal.timeout` gives, without the wait.
    case 'timeout':
      throw new DOMException('The operator did not answer in time.', 'TimeoutError');
    case 'error':
      throw new Error('The operator answered with an error.');
  }
}

/** What a requery finds at `now`. */
export function laterAnswer(order: Order, { plan, readyAt }: KnownOrder, now: Date): FindResult {
  if (now >= readyAt) return ending(order, plan);
  return plan.later === 'reversed' ? delivered(order, plan, readyAt.getTime() - now.getTime()) : PROCESSING;
}

/** What a requery finds after a tester has decided. */
export function settledAnswer(order: Order, as: SettledAs): FindResult {
  const endings = { successful: 'delivered', failed: 'failed', reversed: 'reversed' } as const;
  return ending(order, { answer: 'processing', later: endings[as] });
}

/** What is found of an order that is told by itself: delivered, or refused, at once. */
export function ending(order: Order, plan: Plan): FindResult {
  const what = endingOf(plan);
  switch (what) {
    case 'delivered':
      return delivered(order, plan);
    case 'failed':
      return refused(plan);
    case 'reversed':
      return { outcome: 'reversed', code: 'reversed_by_operator', message: 'The operator took the delivery back.' };
    case 'settled':
      return PROCESSING;
    case 'never':
      return SILENT;
  }
}

function delivered({ reference, amount, item }: Order, { isShort = false }: Plan, recheckAfterMs?: number): Delivered {
  const providerReference = `sbx-${reference}`;
  const isTopUp = 'phone' in item;
  return {
    outcome: 'delivered',
    providerReference,
    ...(isTopUp && { deliveredAmount: isShort ? amount / 2n : amount }),
    details: { operator_reference: providerReference },
    ...(recheckAfterMs !== undefined && { recheckAfterMs }),
  };
}

function refused({ refusal: code = 'declined' }: Plan): NotDelivered & AboutOrder {
  const { message, recovery, retryElsewhere } = SCENARIOS.refusals[code] ?? REFUSED;
  return { outcome: 'not_delivered', about: 'order', code, message, recovery, retryElsewhere };
}
