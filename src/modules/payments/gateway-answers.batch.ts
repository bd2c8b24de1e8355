import { codeOf, fieldsOf, type Given, isReference, NOT_ABOUT_ORDER, recoveryOf, scrub } from '../../core/adapters/answers';
import type { CallbackResult, Instruction, QueryResult, StartResult, Unknown } from './payments.types';

const CURRENCY = /^[A-Z]{3}$/;
const INSTRUCTIONS_MAX = 20;

const UNREADABLE: Unknown = { outcome: 'unknown', code: 'unparsable_answer' };

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asStartResult(value: unknown): StartResult {
  const given = fieldsOf(value);
  if (given.outcome === 'not_started') return { outcome: 'not_started', code: codeOf(given.code, 'gateway_refused'), message: scrub(given.message) };
  if (given.outcome !== 'started' || !isReference(given.gatewayReference)) return unknownOf(given);
  const { gatewayReference, pageUrl } = given;
  const instructions = instructionsOf(given.instructions);
  if (!isPageUrl(pageUrl) || instructions === null || (pageUrl === undefined && instructions.length === 0)) return UNREADABLE;
  return { outcome: 'started', gatewayReference, ...(pageUrl !== undefined && { pageUrl }), instructions };
}

export function asQueryResult(value: unknown): QueryResult {
  const given = fieldsOf(value);
  const { outcome, code, message, gatewayReference, amount, currency, recovery, about } = given;
  if (outcome === 'awaiting' || outcome === 'processing' || outcome === 'not_known') return { outcome };
  if (outcome === 'failed') {
    if (about !== 'order') return { outcome: 'unknown', code: NOT_ABOUT_ORDER };
    return { outcome, about, code: codeOf(code, 'gateway_refused'), message: scrub(message), recovery: recoveryOf(recovery) };
  }
  if (outcome === 'reversed') return { outcome, code: codeOf(code, 'reversed_by_gateway'), message: scrub(message) };
  if (outcome !== 'successful') return unknownOf(given);
  // Without a reference nobody could prove it later; without an amount and a currency nothing is proven now.
  const isProven = isReference(gatewayReference) && typeof amount === 'bigint' && amount >= 0n && typeof currency === 'string' && CURRENCY.test(currency);
  return isProven ? { outcome, gatewayReference, amount, currency } : UNREADABLE;
}

/** What an adapter makes of a callback. Whatever is not clearly genuine is forged. */
export function asCallbackResult(value: unknown): CallbackResult {
  const { outcome, reference, says } = fieldsOf(value);
  if (outcome === 'other') return { outcome };
  if (outcome !== 'genuine' || typeof reference !== 'string') return { outcome: 'forged' };
  return { outcome, reference, ...(typeof says === 'string' && { says: codeOf(says, 'other') }) };
}

const unknownOf = ({ outcome, code }: Given): Unknown => (outcome === 'unknown' ? { outcome, code: codeOf(code, 'unknown') } : UNREADABLE);

/** An https address, a path of this service, or none. */
function isPageUrl(value: unknown): value is string | undefined {
  if (value === undefined) return true;
  if (typeof value !== 'string') return false;
  return /^\/[a-z]/.test(value) || URL.parse(value)?.protocol === 'https:';
}

function instructionsOf(value: unknown): Instruction[] | null {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > INSTRUCTIONS_MAX) return null;
  const lines = value.map((line) => fieldsOf(line)).filter(({ label, value: text }) => isReference(label) && isReference(text));
  return lines.length === value.length ? lines.map(({ label, value: text }) => ({ label: label as string, value: text as string })) : null;
}
