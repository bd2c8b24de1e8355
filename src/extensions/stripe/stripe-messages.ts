import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DeclineReason, Merchant, Told as Beside } from '../../modules/cards/card-transaction.entity';
import type { DisputeMessage, IssuerMessage } from '../../modules/cards/issuer-messages';
import { type CallbackRequest, fieldsOf, isObject, isReference } from '../../providers/answers';
import { parseJson } from '../../providers/http';
import { minorOf, referenceOf, type Told } from './stripe';
import { standingOf } from './stripe-disputes';
import { ISSUER } from './stripe-issuer';

// https://docs.stripe.com/webhooks#verify-manually, https://docs.stripe.com/issuing/controls/real-time-authorizations,
// https://docs.stripe.com/issuing/purchases/authorizations, …/transactions, read on 2026-11-25.

/** Seconds by which a signature may be old, or early: Stripe's own default. */
const TOLERANCE_S = 300;

/** An event of Stripe's, as far as it was signed: nothing of it is known to be well-formed but these. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly object: Told;
  /** What `updated` changed, as it was before. */
  readonly before: Told;
}

export type Verified =
  | { readonly outcome: 'genuine'; readonly event: StripeEvent }
  | { readonly outcome: 'other' }
  | { readonly outcome: 'forged' };

/** `Stripe-Signature: t=…,v1=…[,v1=…]`: HMAC-SHA256 of `<t>.<bytes>`, by any of the secrets. */
export function verified({ body, headers }: CallbackRequest, secrets: readonly string[], now = Date.now()): Verified {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim().split('='));
  const [, stamp = ''] = parts.find(([scheme]) => scheme === 't') ?? [];
  const given = parts.flatMap(([scheme, value = '']) =>
    scheme === 'v1' && /^[0-9a-f]{64}$/.test(value) ? [value] : [],
  );
  const isRecent = /^\d{1,12}$/.test(stamp) && Math.abs(Math.floor(now / 1_000) - +stamp) <= TOLERANCE_S;
  if (!isRecent || given.length === 0) return { outcome: 'forged' };
  const isSigned = secrets.some((secret) => {
    const own = createHmac('sha256', secret).update(`${stamp}.`).update(body).digest();
    return given.some((one) => timingSafeEqual(Buffer.from(one, 'hex'), own));
  });
  if (!isSigned) return { outcome: 'forged' };
  const event = eventOf(parseJson(body.toString()));
  return event === null ? { outcome: 'other' } : { outcome: 'genuine', event };
}

function eventOf(told: unknown): StripeEvent | null {
  if (!isObject(told) || !isReference(told.id) || typeof told.type !== 'string' || !isObject(told.data)) return null;
  const { object, previous_attributes: before } = told.data;
  return isObject(object) ? { id: told.id, type: told.type, object, before: isObject(before) ? before : {} } : null;
}

/** A message, and what the service may answer to it that is no fault: that it was done before, or need not be. */
export interface Step {
  readonly message: IssuerMessage;
  readonly passes: readonly string[];
}

const ONCE = ['duplicate_reference'];
/** Of what is released: nothing may be held any more, or never was. */
const LENIENT = ['duplicate_reference', 'invalid_state_transition', 'not_found'];

const NOTHING = { issuer: ISSUER, amount: null, merchant: null, authorization: null, declineReason: null } as const;

/** How many increments a merchant asked for after the first request. */
const incrementsOf = ({ request_history: history }: Told): number =>
  Array.isArray(history) ? Math.max(0, history.length - 1) : 0;

/** Of the increment `n` of an authorization; the first request has that of the authorization alone. */
const authorizationId = (id: string, n: number): string => (n === 0 ? id : `${id}:${n}`);

/**
 * The question of a real-time authorization. `amount`: minor units, zero where only the card is verified; null: not one
 * of a card of ours, or not understood.
 */
export interface Question {
  readonly message: IssuerMessage;
  readonly amount: bigint;
  /** Whether less than that may be approved. */
  readonly isControllable: boolean;
}

/** An increment is a request of its own, for what is added: as many as the history has came before it. */
export function questionOf({ object }: StripeEvent): Question | null {
  const { id, card, pending_request: pending, request_history: history } = object;
  const cardId = isObject(card) ? referenceOf(card) : null;
  if (cardId === null || !isReference(id) || !isObject(pending)) return null;
  const amount = minorOf(pending.amount);
  const merchant = merchantOf(object.merchant_data);
  if (amount === null || merchant === null) return null;
  const n = Array.isArray(history) ? history.length : 0;
  const message: IssuerMessage = {
    ...NOTHING,
    id: `${id}/${n}`,
    cardId,
    kind: 'authorization',
    amount,
    merchant,
    authorization: authorizationId(id, n),
    told: besideOf(pending),
  };
  return { message, amount, isControllable: pending.is_amount_controllable === true };
}

/**
 * Stripe decided, by our answer or without it. Declined, though we may have promised: then that is let go, after the
 * decline is kept, which a promise that is still on its way finds.
 */
export function createdSteps({ object }: StripeEvent, cardId: string): Step[] {
  const { id, approved, request_history: history } = object;
  const last = Array.isArray(history) ? (history.at(-1) as unknown) : null;
  const asked = isObject(last) ? last : {};
  const amount = minorOf(object.amount) || minorOf(asked.amount);
  const merchant = merchantOf(object.merchant_data);
  if (!isReference(id) || !amount || merchant === null) return [];
  const message = { ...NOTHING, cardId, amount, merchant, authorization: id, told: besideOf(object) };
  if (approved === true) return [{ message: { ...message, id: `${id}/told`, kind: 'authorization' }, passes: ONCE }];
  return approved === false ? declineSteps(message, asked.reason) : [];
}

/** The void comes after the decline is kept, which a promise that is still on its way finds. */
function declineSteps(asked: Omit<IssuerMessage, 'id' | 'kind'> & { authorization: string }, reason: unknown): Step[] {
  const { cardId, authorization } = asked;
  const declineReason = DECLINES[String(reason)] ?? 'issuer_declined';
  const late = { ...NOTHING, cardId, id: `${authorization}/late`, kind: 'void', authorization } as const;
  return [
    { message: { ...asked, id: `${authorization}/told`, kind: 'decline', declineReason }, passes: ONCE },
    { message: late, passes: LENIENT },
  ];
}

/**
 * Increments that Stripe decided, by our answer or without it: no event tells of each, so every event of the
 * authorization does. What is over need not be held any more.
 */
function decidedIncrementSteps(authorization: Told, cardId: string): Step[] {
  const { id, status, request_history: history } = authorization;
  const merchant = merchantOf(authorization.merchant_data);
  return (Array.isArray(history) ? history : []).flatMap((request, n) => {
    const asked = fieldsOf(request);
    const amount = minorOf(asked.amount);
    if (n === 0 || !amount || merchant === null) return [];
    const name = authorizationId(id as string, n);
    const message = { ...NOTHING, cardId, amount, merchant, authorization: name, told: besideOf(asked) };
    if (asked.approved === false) return declineSteps(message, asked.reason);
    const isHeld = asked.approved === true && status === 'pending';
    return isHeld ? [{ message: { ...message, id: `${name}/told`, kind: 'authorization' }, passes: ONCE }] : [];
  });
}

/** Why Stripe declined by itself, where our states have a word for it. */
const DECLINES: Readonly<Record<string, DeclineReason>> = {
  card_inactive: 'card_frozen',
  card_canceled: 'card_terminated',
  card_expired: 'card_expired',
};

/**
 * Of `total`, what is held for each request of an authorization: for the first one first, so that what the merchant
 * gives up is let go of the newest increment before.
 */
function sharesOf({ request_history: history }: Told, total: bigint): bigint[] {
  let left = total;
  const [first = 0n, ...increments] = (Array.isArray(history) ? history : []).map((request) => {
    const { approved, amount } = fieldsOf(request);
    const asked = (approved === true && minorOf(amount)) || 0n;
    const share = asked < left ? asked : left;
    left -= share;
    return share;
  });
  return [first + left, ...increments];
}

/** What became of increments, and then what is over. */
export const updatedSteps = (event: StripeEvent, cardId: string): Step[] =>
  isReference(event.object.id) ? [...decidedIncrementSteps(event.object, cardId), ...endedSteps(event, cardId)] : [];

/** What of an authorization is over: all, or what the merchant gave up. Captures that came with it count first. */
function endedSteps({ id: eventId, object, before }: StripeEvent, cardId: string): Step[] {
  const { status, amount, transactions } = object;
  const id = object.id as string;
  const release = { ...NOTHING, cardId, kind: 'void' } as const;
  if (status === 'pending') {
    const [was, is] = [minorOf(before.amount), minorOf(amount)];
    if (was === null || is === null || was <= is) return [];
    const after = sharesOf(object, is);
    const steps = sharesOf(object, was).map((held, n) => {
      const message = { id: n === 0 ? eventId : `${eventId}/${n}`, authorization: authorizationId(id, n) };
      return { message: { ...release, ...message, amount: held - after[n]! }, passes: LENIENT };
    });
    return steps.filter(({ message }) => message.amount > 0n).reverse();
  }
  if (status !== 'closed' && status !== 'reversed' && status !== 'expired') return [];
  const captures = (Array.isArray(transactions) ? transactions : []).filter(isObject);
  return [
    ...incrementSteps(object, cardId),
    ...captures.flatMap((one) => transactionSteps(one, cardId)),
    { message: { ...release, id: `${id}/${status}`, authorization: id }, passes: LENIENT },
  ];
}

/** What was held for increments is let go: a capture names only the authorization. */
export const incrementSteps = (authorization: Told, cardId: string): Step[] =>
  Array.from({ length: incrementsOf(authorization) }, (_, i) => {
    const one = authorizationId(authorization.id as string, i + 1);
    return {
      message: { ...NOTHING, cardId, id: `${one}/over`, kind: 'void' as const, authorization: one },
      passes: LENIENT,
    };
  });

/** Money that moved: out with a capture, where Stripe's amount is negative, and back with a refund. */
export function transactionSteps(transaction: Told, cardId: string): Step[] {
  const { id, type, amount } = transaction;
  const isCapture = type === 'capture';
  const moved = typeof amount === 'number' ? minorOf(isCapture ? -amount : amount) : null;
  if (!isReference(id) || (!isCapture && type !== 'refund') || !moved) return [];
  const authorization = idOf(transaction.authorization);
  const message: IssuerMessage = {
    ...NOTHING,
    id,
    cardId,
    kind: isCapture ? 'clearing' : 'refund',
    amount: moved,
    merchant: merchantOf(transaction.merchant_data),
    // What was captured without an authorization is known by its own id: a dispute needs it.
    authorization: authorization ?? (isCapture ? id : null),
    told: besideOf(transaction),
  };
  return [{ message, passes: ONCE }];
}

/** Null: not about a dispute of ours, or it stands as nobody need be told. */
export function disputeMessageOf({ object }: StripeEvent): DisputeMessage | null {
  const disputeId = referenceOf(object);
  const cardId = isObject(object.metadata) ? object.metadata.card : null;
  const standing = standingOf(object);
  if (disputeId === null || typeof cardId !== 'string') return null;
  const isStanding = !['accepted', 'unknown'].includes(standing.outcome);
  return isStanding ? ({ issuer: ISSUER, cardId, disputeId, standing } as DisputeMessage) : null;
}

/** An id, or an object that has one; null: neither. */
export function idOf(value: unknown): string | null {
  const id = isObject(value) ? value.id : value;
  return isReference(id) ? id : null;
}

function merchantOf(value: unknown): Merchant | null {
  if (!isObject(value)) return null;
  const { name, category_code: mcc, country } = value;
  if (typeof mcc !== 'string' || !/^\d{4}$/.test(mcc)) return null;
  const isCountry = typeof country === 'string' && /^[A-Z]{2}$/.test(country);
  // ISO 3166-1 leaves ZZ to those who do not know.
  return { name: typeof name === 'string' && name !== '' ? name : 'Unknown', mcc, country: isCountry ? country : 'ZZ' };
}

/**
 * In the merchant's currency, and what a cash machine took, which is part of the amount. Zero, as of what was never
 * authorized, tells nothing.
 */
function besideOf({
  merchant_amount: amount,
  merchant_currency: currency,
  amount_details: details,
}: Told): Partial<Beside> {
  const merchantAmount = typeof amount === 'number' ? minorOf(Math.abs(amount)) : null;
  const isCurrency = typeof currency === 'string' && /^[a-z]{3}$/.test(currency);
  const fee = isObject(details) && typeof details.atm_fee === 'number' ? Math.abs(details.atm_fee) : 0;
  return {
    ...(merchantAmount && isCurrency && { merchantAmount, merchantCurrency: currency.toUpperCase() }),
    ...(fee > 0 && { fees: [{ type: 'atm_fee', amount: fee }] }),
  };
}
