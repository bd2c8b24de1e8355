import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  CallbackRequest,
  CallbackResult,
  QueryResult,
  Received,
  StartResult,
  Unknown,
} from '../../../modules/payments/gateway';
import type { PaylinkAnswer } from './paylink-client';

const UNREADABLE: Unknown = { outcome: 'unknown', code: 'unreadable_answer' };

/** What an order looks like, if it is one. Every field may be missing or wrong: the answer comes from elsewhere. */
interface PaylinkOrder {
  readonly reference: unknown;
  readonly status: unknown;
  readonly id: unknown;
  readonly page: unknown;
  readonly amount: unknown;
  readonly currency: unknown;
  readonly refunds: unknown;
}

const DECLINED = { code: 'payment_declined', message: 'The payment was declined.' } as const;

/** Whether the order is open. Opened and refused are both proven, everything else is unknown. */
export function startOf({ status, body }: PaylinkAnswer, reference: string): StartResult {
  const order = orderOf(body, reference);
  if (order === null) return UNREADABLE;
  if (status === 422 && order.status === 'refused')
    return { outcome: 'not_started', code: 'gateway_refused', message: 'The gateway takes no such payment.' };
  return status === 200 && isText(order.id) && isText(order.page)
    ? { outcome: 'started', gatewayReference: order.id, pageUrl: order.page }
    : UNREADABLE;
}

/** What became of the order. A 404 alone proves nothing: a proxy makes one too. */
export function findingOf({ status, body }: PaylinkAnswer, reference: string): QueryResult {
  const order = orderOf(body, reference);
  if (order === null) return UNREADABLE;
  if (status === 404) return order.status === 'unknown_reference' ? { outcome: 'not_known' } : UNREADABLE;
  if (status !== 200) return UNREADABLE;
  if (order.status === 'open') return { outcome: 'awaiting' };
  if (order.status === 'authorising') return { outcome: 'processing' };
  if (order.status === 'declined')
    return { outcome: 'failed', about: 'order', ...DECLINED, recovery: 'recipient_must_act' };
  const received = order.status === 'paid' || order.status === 'refunded' ? receivedOf(order) : null;
  if (received === null) return UNREADABLE;
  return order.status === 'paid' ? { outcome: 'successful', ...received } : givenBackOf(order, received);
}

/** Signed with HMAC-SHA256 over the bytes; what it says is not believed anyway. */
export function callbackOf({ body, headers }: CallbackRequest, secret: string): CallbackResult {
  const given = headers['x-paylink-signature'] ?? '';
  const own = createHmac('sha256', secret).update(body).digest();
  if (!/^[0-9a-f]{64}$/.test(given) || !timingSafeEqual(Buffer.from(given, 'hex'), own)) return { outcome: 'forged' };
  const { reference, status } = JSON.parse(body.toString()) as { reference?: unknown; status?: unknown };
  if (!isText(reference)) return { outcome: 'other' };
  const says = isText(status) ? status : 'nothing';
  return {
    outcome: 'genuine',
    reference,
    says,
    ...(Object.hasOwn(CLAIMS, says) && { claims: CLAIMS[says as keyof typeof CLAIMS] }),
  };
}

/** Which of their words claim an end: what `query` answers must not deny it. */
const CLAIMS = { paid: 'successful', declined: 'failed', refunded: 'reversed' } as const;

function receivedOf({ id, amount, currency }: PaylinkOrder): Omit<Received, 'outcome'> | null {
  if (!isText(id) || !isAmount(amount) || !isText(currency) || !/^[A-Z]{3}$/.test(currency)) return null;
  return { gatewayReference: id, amount: BigInt(amount), currency };
}

/** All refunds so far, each with their id: a part of the payment, or parts, or all of it. */
function givenBackOf({ refunds }: PaylinkOrder, received: Omit<Received, 'outcome'>): QueryResult {
  const parts = Array.isArray(refunds) ? (refunds as { id?: unknown; amount?: unknown }[]) : [];
  const reversals = parts.flatMap(({ id, amount }) =>
    isText(id) && isAmount(amount) ? [{ gatewayReference: id, amount: BigInt(amount) }] : [],
  );
  if (parts.length === 0 || reversals.length !== parts.length) return UNREADABLE;
  return { outcome: 'reversed', code: 'refunded', message: 'The payment was refunded.', ...received, reversals };
}

/** Null: not about this order. */
const orderOf = (body: unknown, reference: string): PaylinkOrder | null =>
  typeof body === 'object' && body !== null && (body as PaylinkOrder).reference === reference
    ? (body as PaylinkOrder)
    : null;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isAmount = (value: unknown): value is string => isText(value) && /^\d{1,15}$/.test(value);
