import {
  codeOf,
  fieldsOf,
  type Given,
  isReference,
  NOT_ABOUT_ORDER,
  recoveryOf,
  scrub,
} from '../../core/adapters/answers';
import { sumOf } from './payment-postings.batch';
import type {
  CallbackResult,
  Claimed,
  Instruction,
  QueryResult,
  Reversal,
  StartResult,
  Unknown,
} from './payments.types';

const CURRENCY = /^[A-Z]{3}$/;
const INSTRUCTIONS_MAX = 20;
const REVERSALS_MAX = 1_000;
const CLAIMS: readonly Claimed[] = ['successful', 'failed', 'reversed'];

const UNREADABLE: Unknown = { outcome: 'unknown', code: 'unparsable_answer' };

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asStartResult(value: unknown): StartResult {
  const given = fieldsOf(value);
  if (given.outcome === 'not_started')
    return { outcome: 'not_started', code: codeOf(given.code, 'gateway_refused'), message: scrub(given.message) };
  if (given.outcome !== 'started' || !isReference(given.gatewayReference)) return unknownOf(given);
  const { gatewayReference, pageUrl } = given;
  const instructions = instructionsOf(given.instructions);
  if (!isPageUrl(pageUrl) || instructions === null || (pageUrl === undefined && instructions.length === 0))
    return UNREADABLE;
  return { outcome: 'started', gatewayReference, ...(pageUrl !== undefined && { pageUrl }), instructions };
}

export function asQueryResult(value: unknown): QueryResult {
  const given = fieldsOf(value);
  const { outcome, code, message, gatewayReference, amount, currency, recovery, about } = given;
  if (outcome === 'awaiting' || outcome === 'processing' || outcome === 'not_known') return { outcome };
  if (outcome === 'failed') {
    if (about !== 'order') return { outcome: 'unknown', code: NOT_ABOUT_ORDER };
    return {
      outcome,
      about,
      code: codeOf(code, 'gateway_refused'),
      message: scrub(message),
      recovery: recoveryOf(recovery),
    };
  }
  if (outcome !== 'successful' && outcome !== 'reversed') return unknownOf(given);
  // Without a reference nobody could prove it later; without an amount and a currency nothing is proven now.
  const isProven =
    isReference(gatewayReference) &&
    typeof amount === 'bigint' &&
    amount >= 0n &&
    typeof currency === 'string' &&
    CURRENCY.test(currency);
  if (!isProven) return UNREADABLE;
  const received = { gatewayReference, amount, currency };
  if (outcome === 'successful') return { outcome, ...received };
  const reversals = reversalsOf(given.reversals, amount);
  return reversals === null
    ? UNREADABLE
    : { outcome, code: codeOf(code, 'reversed_by_gateway'), message: scrub(message), ...received, reversals };
}

/** What an adapter makes of a callback. Whatever is not clearly genuine is forged. */
export function asCallbackResult(value: unknown): CallbackResult {
  const { outcome, reference, says, claims } = fieldsOf(value);
  if (outcome === 'other') return { outcome };
  if (outcome !== 'genuine' || typeof reference !== 'string') return { outcome: 'forged' };
  const claimed = CLAIMS.find((known) => known === claims);
  return {
    outcome,
    reference,
    ...(typeof says === 'string' && { says: codeOf(says, 'other') }),
    ...(claimed && { claims: claimed }),
  };
}

/** Null: they prove nothing. Each has a reference of its own and an amount, and together they are no more than what arrived. */
function reversalsOf(value: unknown, received: bigint): Reversal[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > REVERSALS_MAX) return null;
  const reversals = value
    .map((one) => fieldsOf(one))
    .filter(
      (one): one is Reversal & Given =>
        isReference(one.gatewayReference) && typeof one.amount === 'bigint' && one.amount > 0n,
    );
  const isProven =
    reversals.length === value.length &&
    new Set(reversals.map(({ gatewayReference }) => gatewayReference)).size === value.length;
  if (!isProven || sumOf(reversals) > received) return null;
  return reversals.map(({ gatewayReference, amount }) => ({ gatewayReference, amount }));
}

const unknownOf = ({ outcome, code }: Given): Unknown =>
  outcome === 'unknown' ? { outcome, code: codeOf(code, 'unknown') } : UNREADABLE;

/** An https address, a path of this service, or none. */
function isPageUrl(value: unknown): value is string | undefined {
  if (value === undefined) return true;
  if (typeof value !== 'string') return false;
  return /^\/[a-z]/.test(value) || URL.parse(value)?.protocol === 'https:';
}

function instructionsOf(value: unknown): Instruction[] | null {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > INSTRUCTIONS_MAX) return null;
  const lines = value
    .map((line) => fieldsOf(line))
    .filter(({ label, value: text }) => isReference(label) && isReference(text));
  return lines.length === value.length
    ? lines.map(({ label, value: text }) => ({ label: label as string, value: text as string }))
    : null;
}
