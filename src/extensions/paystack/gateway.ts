import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Of } from '../../core/config/settings';
import { toJsonNumber } from '../../core/money/money';
import {
  type CallbackRequest,
  type CallbackResult,
  type Gateway,
  type GatewayOrder,
  onceMade,
  type QueryResult,
  type RefundFound,
  type RefundOrder,
  type RefundResult,
  type StartResult,
  TakesPayments,
} from '../../modules/payments/gateway';
import { fieldsOf, type Given, isText } from '../../providers/answers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import type { Checkable, CheckResult } from '../../providers/registry';
import {
  checkOf,
  dataAbout,
  envelopeOf,
  eventOf,
  idOf,
  PAYSTACK,
  paystackOf,
  saysNotFound,
  UNREADABLE,
  wordOf,
  wordsOf,
} from './paystack';
import { receivedOf, settledOf } from './reversals';
import { disputesOf, isAllBack, isAsked, type PaystackRefund, refundOf, refundResultOf, refundsOf } from './refunds';

/** As many as Paystack lists where nobody asks for more. */
const PAGE_SIZE = 50;
/** Of refunds or disputes, where Paystack lists more than those of the payment. */
const PAGES_MAX = 20;
/** With the log of all that the payer did on the page. */
const TRANSACTION_BYTES_MAX = 128 * 1_024;
const LIST_BYTES_MAX = 1_024 * 1_024;
/** Pages of checkouts that one process remembers. */
const REMEMBERED_MAX = 10_000;

/**
 * Collects money through the checkout page of Paystack. It takes a reference once and tells the page only then: a
 * repetition is answered from memory, and is `unknown` where the first answer was lost.
 */
@Injectable()
@TakesPayments({
  name: 'paystack',
  label: 'Card, bank or mobile money',
  methods: ['card', 'bank_transfer', 'ussd', 'mobile_money'],
  mode: 'live',
  when: PAYSTACK,
  // Not XOF, which has no subunit: whether Paystack counts it in hundredths could not be verified.
  currencies: ['NGN', 'GHS', 'KES', 'ZAR', 'USD'],
  origins: ['https://checkout.paystack.com'],
})
export class PaystackGateway implements Gateway, Checkable {
  private readonly paystack: Outside;
  private readonly opened = new LRUCache<string, StartResult>({ max: REMEMBERED_MAX });

  constructor(
    @Inject(PAYSTACK) private readonly settings: Of<typeof PAYSTACK>,
    http: ProviderHttp,
  ) {
    this.paystack = paystackOf(settings, http);
  }

  async start(order: GatewayOrder, signal: AbortSignal): Promise<StartResult> {
    const before = this.opened.get(order.reference);
    if (before) return before;
    const email = order.customer?.email ?? this.settings.email;
    if (email === undefined) return NO_EMAIL;
    const json = initializationOf(order, email);
    const answer = await this.paystack.ask({ method: 'POST', path: 'transaction/initialize', json, signal });
    const result = startOf(answer, json.reference);
    if (result.outcome === 'started') this.opened.set(order.reference, result);
    return result;
  }

  async query(order: GatewayOrder, signal: AbortSignal): Promise<QueryResult> {
    const reference = theirsOf(order.reference);
    const answer = await this.paystack.ask({
      path: `transaction/verify/${encodeURIComponent(reference)}`,
      bytesMax: TRANSACTION_BYTES_MAX,
      signal,
    });
    const found = findingOf(answer, { reference, isOver: order.expiresAt.getTime() <= Date.now() });
    if (!('paid' in found)) return found;
    const received = receivedOf(found.paid);
    if (received === null) return UNREADABLE;
    const refunds = await this.refunds(received.gatewayReference, signal);
    const isReversed = found.paid.status === 'reversed';
    // Of a chargeback there may be no refund: then the dispute tells how much went back.
    const isTold = !isReversed || isAllBack(refunds, received.amount);
    const disputes = isTold ? [] : await this.disputes(received.gatewayReference, signal);
    return settledOf(received, { isReversed, refunds, disputes });
  }

  async refund(order: RefundOrder, signal: AbortSignal): Promise<RefundResult> {
    const made = await this.madeFor(order, signal);
    if (made) return refundResultOf(made);
    const { reference, payment, amount, currency, reason } = order;
    const json = {
      transaction: theirsOf(payment.reference),
      amount: toJsonNumber(amount),
      currency,
      merchant_note: reference,
      ...(reason !== null && { customer_note: reason }),
    };
    const answer = await this.paystack.ask({ method: 'POST', path: 'refund', json, signal });
    const result = refundOf(answer, order);
    if (result.outcome !== 'not_refunded') return result;
    // What one request made, the next is refused for.
    const after = await this.madeFor(order, signal);
    return after ? refundResultOf(after) : result;
  }

  async findRefund(order: RefundOrder, signal: AbortSignal): Promise<RefundFound> {
    const made = await this.madeFor(order, signal);
    return made ? refundResultOf(made) : { outcome: 'not_known' };
  }

  verify(callback: CallbackRequest): CallbackResult {
    return callbackOf(callback, this.settings.secretKey);
  }

  check(signal: AbortSignal): Promise<CheckResult> {
    return checkOf(this.paystack, this.settings.secretKey, signal);
  }

  /** The refund that was made for ours; null: Paystack has none. Throws where there is more than one. */
  private async madeFor(
    { reference, paymentReference }: RefundOrder,
    signal: AbortSignal,
  ): Promise<PaystackRefund | null> {
    // Without the transaction's id its refunds are not found, and each repetition would make another.
    if (idOf(paymentReference) === null) throw new Error('not the id of a transaction');
    const refunds = await this.refunds(paymentReference, signal);
    return onceMade(refunds.filter((one) => isAsked(one, reference)));
  }

  private async refunds(transaction: string, signal: AbortSignal): Promise<readonly PaystackRefund[]> {
    return refundsOf(await this.list('refund', { transaction }, signal), transaction);
  }

  private async disputes(transaction: string, signal: AbortSignal): Promise<ReturnType<typeof disputesOf>> {
    return disputesOf(await this.list('dispute', { transaction, status: 'resolved' }, signal), transaction);
  }

  /** All rows. Throws where they are not told, or are too many. */
  private async list(path: string, filter: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Given[]> {
    const rows: Given[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { ...filter, perPage: String(PAGE_SIZE), page: String(page) };
      const envelope = envelopeOf(await this.paystack.ask({ path, query, bytesMax: LIST_BYTES_MAX, signal }));
      if (!envelope?.isDone || !Array.isArray(envelope.data)) throw new Error(`${path}: no list`);
      rows.push(...envelope.data.map((row) => fieldsOf(row)));
      const { pageCount } = envelope.meta;
      if (typeof pageCount === 'number' ? page >= pageCount : envelope.data.length < PAGE_SIZE) return rows;
    }
    throw new Error(`${path}: more than ${PAGES_MAX} pages`);
  }
}

const NO_EMAIL: StartResult = {
  outcome: 'not_started',
  code: 'payer_email_missing',
  message: 'Paystack takes no payment without the e-mail address of the payer.',
};

/** Paystack's references are of `[A-Za-z0-9.=-]`, ours of `[a-z0-9_]`. */
export const theirsOf = (reference: string): string => reference.replaceAll('_', '-');

/** Ours, if it is one: others may collect with the same key. */
const oursOf = (reference: unknown): string | null =>
  isText(reference) && /^pay-[0-9a-z]{26}-[0-9a-z]{26}$/.test(reference) ? reference.replaceAll('-', '_') : null;

function initializationOf(
  { reference, amount, currency, description, options, returnUrl }: GatewayOrder,
  email: string,
) {
  const { channels } = options;
  return {
    reference: theirsOf(reference),
    email,
    amount: amount.toString(),
    currency,
    callback_url: returnUrl,
    ...(Array.isArray(channels) && { channels }),
    metadata: { cancel_action: returnUrl, ...(description !== null && { description }) },
  };
}

const DUPLICATE = 'duplicate transaction reference';

/** Whether the order is open. What fails Paystack's validation was not opened; everything else is unknown. */
export function startOf(answer: CompanyAnswer, reference: string): StartResult {
  const envelope = envelopeOf(answer);
  if (envelope === null) return UNREADABLE;
  if (envelope.code === 'duplicate_reference' || wordsOf(envelope) === DUPLICATE)
    return { outcome: 'unknown', code: 'page_lost' };
  if (!envelope.isDone && (answer.status === 400 || answer.status === 422) && envelope.type === 'validation_error')
    return { outcome: 'not_started', code: 'gateway_refused', message: 'Paystack takes no such payment.' };
  const { access_code: code, authorization_url: page } = dataAbout(envelope, reference) ?? {};
  return isText(code) && isText(page) && URL.parse(page)?.protocol === 'https:'
    ? { outcome: 'started', gatewayReference: code, pageUrl: page }
    : UNREADABLE;
}

/** States in which the payer did nothing yet, or Paystack is at it. */
const OPEN: Readonly<Record<string, 'awaiting' | 'processing'>> = {
  abandoned: 'awaiting',
  ongoing: 'processing',
  pending: 'processing',
  processing: 'processing',
  queued: 'processing',
};

interface Asked {
  /** Theirs. */
  readonly reference: string;
  /** Our order has expired. */
  readonly isOver: boolean;
}

/** How the transaction stands; `paid`: the money arrived, whatever went back since. */
export function findingOf(
  answer: CompanyAnswer,
  { reference, isOver }: Asked,
): Exclude<QueryResult, { outcome: 'successful' | 'reversed' }> | { readonly paid: Given } {
  const envelope = envelopeOf(answer);
  if (saysNotFound(envelope, 'transaction_not_found', 'transaction reference not found'))
    return { outcome: 'not_known' };
  const transaction = dataAbout(envelope, reference);
  const status = transaction?.status;
  if (transaction === null || !isText(status)) return UNREADABLE;
  if (status === 'success' || status === 'reversed') return { paid: transaction };
  // The page lets the payer try again, with another card for instance: an attempt failed, not yet the payment.
  if (status === 'failed') return isOver ? DECLINED : { outcome: 'awaiting' };
  return Object.hasOwn(OPEN, status) ? { outcome: OPEN[status]! } : UNREADABLE;
}

const DECLINED = {
  outcome: 'failed',
  about: 'order',
  code: 'payment_declined',
  message: 'The payment was declined.',
  recovery: 'recipient_must_act',
} as const;

/** Which of their events claim an end: what `query` answers must not deny it. */
const CLAIMS: Readonly<Record<string, 'successful' | 'reversed'>> = {
  'charge.success': 'successful',
  'refund.processed': 'reversed',
};

/** Where an event has the reference of the transaction. */
const referenceOf = (event: string, data: Given): unknown => {
  if (event.startsWith('refund.')) return data.transaction_reference;
  if (event.startsWith('charge.dispute.')) return fieldsOf(data.transaction).reference;
  return event.startsWith('charge.') ? data.reference : null;
};

function callbackOf(callback: CallbackRequest, secretKey: string): CallbackResult {
  const event = eventOf(callback, secretKey);
  if (event === null) return { outcome: 'forged' };
  const reference = oursOf(referenceOf(event.name, event.data));
  if (reference === null) return { outcome: 'other' };
  const claims = Object.hasOwn(CLAIMS, event.name) ? CLAIMS[event.name] : undefined;
  return { outcome: 'genuine', reference, says: wordOf(event.name), ...(claims && { claims }) };
}
