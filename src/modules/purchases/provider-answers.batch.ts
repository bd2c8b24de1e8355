import type { Recovery } from '../../core/errors/domain-error';
import type { Delivered, FindResult, NotDelivered, ProviderResult } from './purchases.types';

const RECOVERIES: readonly Recovery[] = ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'];
const CODE = /^[a-z][a-z0-9_]{0,63}$/;
const TEXT_MAX = 300;
const REFERENCE_MAX = 200;

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asProviderResult(value: unknown): ProviderResult {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (given.outcome === 'delivered') return asDelivered(given);
  if (given.outcome === 'not_delivered') return asNotDelivered(given);
  return { outcome: 'unknown', code: given.outcome === 'unknown' ? codeOf(given.code, 'unknown') : 'unparsable_answer' };
}

export function asFindResult(value: unknown): FindResult {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (given.outcome === 'not_known') return { outcome: 'not_known' };
  if (given.outcome === 'reversed') return { outcome: 'reversed', code: codeOf(given.code, 'reversed_by_provider'), message: scrub(given.message) };
  return asProviderResult(value);
}

/** The code of an attempt that ended in an error. */
export function faultCode(error: unknown): string {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return 'connection_failed';
  return 'provider_error';
}

/** What a provider says, fit to be shown: no addresses, keys or long numbers. */
export function scrub(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .replace(/\b(?:https?|wss?):\/\/\S+/gi, '[address]')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '[address]')
    .replace(/\bBearer\s+\S+|\bsk_\w+/gi, '[secret]')
    .replace(/\b[A-Za-z0-9+/=_-]{24,}\b/g, '[secret]')
    .replaceAll('\0', '')
    .slice(0, TEXT_MAX);
}

function asDelivered(given: Record<string, unknown>): ProviderResult {
  const { providerReference, details, secrets, recheckAfterMs } = given;
  // Without a reference nobody could prove the delivery later.
  if (typeof providerReference !== 'string' || providerReference === '' || providerReference.length > REFERENCE_MAX) {
    return { outcome: 'unknown', code: 'unparsable_answer' };
  }
  const delivered: Delivered = { outcome: 'delivered', providerReference };
  return {
    ...delivered,
    ...(isObject(details) && { details }),
    ...(isObject(secrets) && { secrets }),
    ...(typeof recheckAfterMs === 'number' && recheckAfterMs >= 0 && { recheckAfterMs }),
  };
}

function asNotDelivered({ code, message, recovery, retryElsewhere }: Record<string, unknown>): NotDelivered {
  return {
    outcome: 'not_delivered',
    code: codeOf(code, 'provider_refused'),
    message: scrub(message),
    recovery: RECOVERIES.find((known) => known === recovery) ?? 'none',
    retryElsewhere: retryElsewhere === true,
  };
}

const codeOf = (code: unknown, otherwise: string): string => (typeof code === 'string' && CODE.test(code) ? code : otherwise);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
