import type { Recovery } from '../../../core/errors/domain-error';
import type { FindResult, ProviderResult, Unknown } from '../../../modules/purchases/purchases.provider';
import refusals from './refusals.json';
import type { TopupAnswer } from './topup-client';

type Refusals = Readonly<Record<string, { code: string; message: string; recovery: string; retryElsewhere: boolean }>>;

/** Reasons that the service's manual gives for a refusal. What is not listed here is no refusal. */
const OF_ORDER: Refusals = refusals.order;
/** Those that are about our account end an order which is being sent, and say nothing of one that was sent before. */
const ALL: Refusals = { ...OF_ORDER, ...refusals.account };

const UNREADABLE: Unknown = { outcome: 'unknown', code: 'unreadable_answer' };

/** What a top-up looks like, if it is one. Every field may be missing or wrong: the answer comes from elsewhere. */
interface Topup {
  readonly reference: unknown;
  readonly status: unknown;
  readonly id: unknown;
  readonly amount: unknown;
  readonly operator_reference: unknown;
  readonly reason: unknown;
}

/**
 * The outcome, if the answer leaves no doubt about it: a success and a refusal are both proven, everything else is
 * unknown.
 */
export function resultOf({ status, body }: TopupAnswer, reference: string, listed = ALL): ProviderResult {
  const topup = topupOf(body, reference);
  if (status !== 200 || topup === null) return UNREADABLE;
  if (topup.status === 'pending') return { outcome: 'accepted' };
  if (topup.status === 'refused') return refusalOf(topup, listed);
  return topup.status === 'done' ? deliveryOf(topup) : UNREADABLE;
}

/**
 * The same for an order that was sent before: only words about the order end it. And whether the service says that it
 * does not know the reference; a 404 alone proves nothing: a proxy makes one too.
 */
export function findingOf({ status, body }: TopupAnswer, reference: string): FindResult {
  const isUnheardOf =
    status === 404 &&
    (body as { error?: unknown } | null)?.error === 'unknown_reference' &&
    topupOf(body, reference) !== null;
  if (isUnheardOf) return { outcome: 'not_known' };
  const result = resultOf({ status, body }, reference, OF_ORDER);
  return result.outcome === 'not_delivered' ? { ...result, about: 'order' } : result;
}

/** Null: not about this order. */
function topupOf(body: unknown, reference: string): Topup | null {
  return typeof body === 'object' && body !== null && (body as Topup).reference === reference ? (body as Topup) : null;
}

function deliveryOf({ id, amount, operator_reference: operatorReference }: Topup): ProviderResult {
  const delivered = minorUnits(amount);
  if (!isText(id) || delivered === null || delivered === 0n) return UNREADABLE;
  const details = { operator_reference: isText(operatorReference) ? operatorReference : null };
  return { outcome: 'delivered', providerReference: id, deliveredAmount: delivered, details };
}

function refusalOf({ reason }: Topup, listed: Refusals): ProviderResult {
  const refusal = isText(reason) && Object.hasOwn(listed, reason) ? listed[reason]! : null;
  return refusal === null
    ? UNREADABLE
    : { outcome: 'not_delivered', ...refusal, recovery: refusal.recovery as Recovery };
}

/** The service writes amounts as text: `"105000"`. */
export const minorUnits = (amount: unknown): bigint | null =>
  isText(amount) && /^\d{1,15}$/.test(amount) ? BigInt(amount) : null;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
