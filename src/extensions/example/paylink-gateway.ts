import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Of, secret, Settings, url } from '../../core/config/settings';
import {
  type CallbackRequest,
  type CallbackResult,
  type Gateway,
  type GatewayOrder,
  type QueryResult,
  type Received,
  type RefundFound,
  type RefundOrder,
  type RefundResult,
  type StartResult,
  TakesPayments,
} from '../../modules/payments/gateway';
import { isText, type UnknownOutcome } from '../../providers/answers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const PAYLINK = Settings.of('paylink', {
  url: url({ about: 'Address of the imaginary gateway of the example (https://api.paylink.example.com/v1/).' }),
  key: secret({ about: 'Its key.' }),
  callbackSecret: secret({ about: 'What it signs callbacks with.' }),
});

/** Collects money through an imaginary gateway. It opens one order per reference: a repetition is answered alike. */
@Injectable()
@TakesPayments({
  name: 'paylink',
  label: 'Card or bank',
  methods: ['card', 'bank_transfer'],
  mode: 'live',
  when: PAYLINK,
  currencies: ['NGN', 'GHS'],
  origins: ['https://pay.paylink.example.com'],
})
export class PaylinkGateway implements Gateway {
  private readonly outside: Outside;

  constructor(
    @Inject(PAYLINK) private readonly settings: Of<typeof PAYLINK>,
    http: ProviderHttp,
  ) {
    const { url, key } = settings;
    this.outside = http.to({ name: 'paylink', url, headers: { authorization: `Bearer ${key}` } });
  }

  async start(
    { reference, amount, currency, description, returnUrl }: GatewayOrder,
    signal: AbortSignal,
  ): Promise<StartResult> {
    const body = { reference, amount: amount.toString(), currency, description, return_url: returnUrl };
    return startOf(await this.outside.ask({ method: 'POST', path: 'orders', json: body, signal }), reference);
  }

  async query({ reference }: GatewayOrder, signal: AbortSignal): Promise<QueryResult> {
    return findingOf(await this.outside.ask({ path: `orders/${encodeURIComponent(reference)}`, signal }), reference);
  }

  async refund(
    { reference, payment, amount, currency, reason }: RefundOrder,
    signal: AbortSignal,
  ): Promise<RefundResult> {
    const body = { reference, order: payment.reference, amount: amount.toString(), currency, reason };
    return refundOf(await this.outside.ask({ method: 'POST', path: 'refunds', json: body, signal }), reference);
  }

  async findRefund({ reference }: RefundOrder, signal: AbortSignal): Promise<RefundFound> {
    const answer = await this.outside.ask({ path: `refunds/${encodeURIComponent(reference)}`, signal });
    const isUnknown = answer.status === 404 && orderOf(answer.body, reference)?.status === 'unknown_reference';
    return isUnknown ? { outcome: 'not_known' } : refundOf(answer, reference);
  }

  verify(callback: CallbackRequest): CallbackResult {
    return callbackOf(callback, this.settings.callbackSecret);
  }
}

const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unreadable_answer' };

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
function startOf({ status, body }: CompanyAnswer, reference: string): StartResult {
  const order = orderOf(body, reference);
  if (order === null) return UNREADABLE;
  if (status === 422 && order.status === 'refused')
    return { outcome: 'not_started', code: 'gateway_refused', message: 'The gateway takes no such payment.' };
  return status === 200 && isText(order.id) && isText(order.page)
    ? { outcome: 'started', gatewayReference: order.id, pageUrl: order.page }
    : UNREADABLE;
}

/** What became of the order. A 404 alone proves nothing: a proxy makes one too. */
function findingOf({ status, body }: CompanyAnswer, reference: string): QueryResult {
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

/** What became of a refund. Only that it is done, or declined for good, ends it. */
function refundOf({ status, body }: CompanyAnswer, reference: string): RefundResult {
  const refund = orderOf(body, reference);
  if (refund === null || status !== 200) return UNREADABLE;
  if (refund.status === 'declined')
    return {
      outcome: 'not_refunded',
      about: 'order',
      code: 'refund_declined',
      message: 'The gateway declined the refund.',
      recovery: 'none',
    };
  if (!isText(refund.id)) return UNREADABLE;
  if (refund.status === 'working') return { outcome: 'accepted', gatewayReference: refund.id };
  return refund.status === 'done' && isAmount(refund.amount)
    ? { outcome: 'refunded', gatewayReference: refund.id, amount: BigInt(refund.amount) }
    : UNREADABLE;
}

/** Signed with HMAC-SHA256 over the bytes; what it says is not believed anyway. */
function callbackOf({ body, headers }: CallbackRequest, secret: string): CallbackResult {
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

const isAmount = (value: unknown): value is string => isText(value) && /^\d{1,15}$/.test(value);
