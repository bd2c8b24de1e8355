import {
  codeOf,
  fieldsOf,
  type Given,
  isObject,
  isReference,
  NOT_ABOUT_ORDER,
  recoveryOf,
  scrub,
} from '../../core/adapters/answers';
import { AMOUNT_MAX } from '../../core/money/money';
import type { Delivered, FindResult, NotDelivered, ProviderResult } from './purchases.types';

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asProviderResult(value: unknown): ProviderResult {
  const given = fieldsOf(value);
  if (given.outcome === 'delivered') return asDelivered(given);
  if (given.outcome === 'not_delivered') return asNotDelivered(given);
  if (given.outcome === 'accepted')
    return {
      outcome: 'accepted',
      ...(isReference(given.providerReference) && { providerReference: given.providerReference }),
    };
  return {
    outcome: 'unknown',
    code: given.outcome === 'unknown' ? codeOf(given.code, 'unknown') : 'unparsable_answer',
  };
}

export function asFindResult(value: unknown): FindResult {
  const given = fieldsOf(value);
  if (given.outcome === 'not_known') return { outcome: 'not_known' };
  if (given.outcome === 'reversed')
    return { outcome: 'reversed', code: codeOf(given.code, 'reversed_by_provider'), message: scrub(given.message) };
  if (given.outcome !== 'not_delivered') return asProviderResult(value) as Exclude<ProviderResult, NotDelivered>;
  return given.about === 'order'
    ? { ...asNotDelivered(given), about: 'order' }
    : { outcome: 'unknown', code: NOT_ABOUT_ORDER };
}

function asDelivered(given: Given): ProviderResult {
  const { providerReference, deliveredAmount, details, secrets, recheckAfterMs } = given;
  // Without a reference nobody could prove the delivery later; what arrived is an amount, or it is not known.
  const isProven =
    isReference(providerReference) &&
    isAmount(deliveredAmount) &&
    !(isObject(details) && 'delivered_amount' in details);
  if (!isProven) return { outcome: 'unknown', code: 'unparsable_answer' };
  const delivered: Delivered = { outcome: 'delivered', providerReference };
  return {
    ...delivered,
    ...(deliveredAmount !== undefined && { deliveredAmount }),
    ...(isObject(details) && { details }),
    ...(isObject(secrets) && { secrets }),
    ...(typeof recheckAfterMs === 'number' && recheckAfterMs >= 0 && { recheckAfterMs }),
  };
}

const isAmount = (value: unknown): value is bigint | undefined =>
  value === undefined || (typeof value === 'bigint' && value > 0n && value <= AMOUNT_MAX);

function asNotDelivered({ code, message, recovery, retryElsewhere }: Given): NotDelivered {
  return {
    outcome: 'not_delivered',
    code: codeOf(code, 'provider_refused'),
    message: scrub(message),
    recovery: recoveryOf(recovery),
    retryElsewhere: retryElsewhere === true,
  };
}
