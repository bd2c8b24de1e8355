import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Of } from '../../core/config/settings';
import { type Currency, isCurrency } from '../../core/money/money';
import {
  type CallbackRequest,
  type CallbackResult,
  type Claimed,
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
  envelopeOf,
  FLUTTERWAVE,
  flutterwaveOf,
  idOf,
  isGenuine,
  isRefusal,
  majorOf,
  UNREADABLE,
} from './flutterwave';
import {
  chargebacksOf,
  type FlutterwaveRefund,
  isAsked,
  isDone,
  mayBeAsked,
  refundOf,
  refundResultOf,
  refundsOf,
  settledOf,
  transactionOf,
} from './refunds';
import { attemptsOf, findingOf, isPaid, receivedOf, standingOf, startOf } from './transactions';

/** Of attempts, refunds or chargebacks, where Flutterwave lists more than those of the payment. */
const PAGES_MAX = 20;
const LIST_BYTES_MAX = 256 * 1_024;
/** Pages of checkouts that one process remembers. */
const REMEMBERED_MAX = 10_000;
/** A page stays open for a day at most. */
const SESSION_MINUTES_MAX = 1_440;
const MINUTE_MS = 60_000;
/** Of whom a callback is about: Flutterwave waits for the answer. */
const LOOKUP_MS = 10_000;

/**
 * Collects money through the checkout page of Flutterwave. It has no transaction until a payer tries to pay, and one
 * for each try.
 */
@Injectable()
@TakesPayments({
  name: 'flutterwave',
  label: 'Card, bank transfer or mobile money',
  methods: ['card', 'bank_transfer', 'mobile_money'],
  mode: 'live',
  when: FLUTTERWAVE,
  currencies: ['NGN', 'GHS', 'KES', 'ZAR', 'USD', 'EUR', 'GBP', 'TZS', 'ZMW', 'UGX', 'RWF', 'XOF', 'XAF'],
  origins: ['https://checkout.flutterwave.com', 'https://api.flutterwave.com'],
})
export class FlutterwaveGateway implements Gateway, Checkable {
  private readonly flutterwave: Outside;
  private readonly opened = new LRUCache<string, StartResult>({ max: REMEMBERED_MAX });

  constructor(
    @Inject(FLUTTERWAVE) private readonly settings: Of<typeof FLUTTERWAVE>,
    http: ProviderHttp,
  ) {
    this.flutterwave = flutterwaveOf(settings, http);
  }

  async start(order: GatewayOrder, signal: AbortSignal): Promise<StartResult> {
    const before = this.opened.get(order.reference);
    if (before) return before;
    const email = order.customer?.email ?? this.settings.email;
    if (email === undefined) return NO_EMAIL;
    const json = paymentOf(order, email);
    const result = startOf(await this.flutterwave.ask({ method: 'POST', path: 'payments', json, signal }));
    if (result.outcome === 'started') this.opened.set(order.reference, result);
    return result;
  }

  async query(order: GatewayOrder, signal: AbortSignal): Promise<QueryResult> {
    const { reference } = order;
    const query = { tx_ref: reference };
    const answer = await this.flutterwave.ask({ path: 'transactions/verify_by_reference', query, signal });
    const found = findingOf(answer, reference);
    if ('attempt' in found) return this.attempted(order, found.attempt, signal);
    return found.outcome === 'not_known' && this.opened.has(reference) ? { outcome: 'awaiting' } : found;
  }

  async refund(order: RefundOrder, signal: AbortSignal): Promise<RefundResult> {
    const whose = whoseOf(order);
    const made = await this.madeFor(order, signal);
    if (made) return refundResultOf(made);
    const json = { amount: majorOf(order.amount, whose.currency), comments: order.reference };
    const path = `transactions/${whose.transaction}/refund`;
    return refundOf(await this.flutterwave.ask({ method: 'POST', path, json, signal }), whose, order.amount);
  }

  async findRefund(order: RefundOrder, signal: AbortSignal): Promise<RefundFound> {
    const made = await this.madeFor(order, signal);
    return made ? refundResultOf(made) : { outcome: 'not_known' };
  }

  async verify(callback: CallbackRequest): Promise<CallbackResult> {
    if (!isGenuine(callback, this.settings.secretHash)) return { outcome: 'forged' };
    const heard = heardOf(JSON.parse(callback.body.toString()));
    if (heard === null) return { outcome: 'other' };
    const { says, claims } = heard;
    const reference = heard.reference ?? (await this.referenceOf(heard.transaction));
    return isOurs(reference)
      ? { outcome: 'genuine', reference, says, ...(claims && { claims }) }
      : { outcome: 'other' };
  }

  check(signal: AbortSignal): Promise<CheckResult> {
    return checkOf(this.flutterwave, this.settings.secretKey, signal);
  }

  /** Of several tries by one reference the one that is paid counts. Which one is told of is not documented. */
  private async attempted(order: GatewayOrder, told: Given, signal: AbortSignal): Promise<QueryResult> {
    if (isPaid(told)) return this.settled(told, signal);
    const attempts = attemptsOf(await this.list('transactions', { tx_ref: order.reference }, signal), order.reference);
    const paid = attempts.find(isPaid);
    if (paid) return this.paidBy(idOf(paid.id)!, order.reference, signal);
    const isOver = order.expiresAt.getTime() <= Date.now();
    const isWhole = attempts.some(({ id }) => idOf(id) === idOf(told.id));
    return isOver && !isWhole ? UNTOLD : standingOf([...attempts, told], isOver);
  }

  private async paidBy(transaction: string, reference: string, signal: AbortSignal): Promise<QueryResult> {
    const found = findingOf(await this.verified(transaction, signal), reference);
    return 'attempt' in found && isPaid(found.attempt) ? this.settled(found.attempt, signal) : UNREADABLE;
  }

  private async settled(paid: Given, signal: AbortSignal): Promise<QueryResult> {
    const received = receivedOf(paid);
    if (received === null) return UNREADABLE;
    const whose = { transaction: received.gatewayReference, currency: received.currency };
    const [refunds, chargebacks] = await Promise.all([
      this.list('refunds', { id: whose.transaction }, signal),
      this.list('chargebacks', { id: whose.transaction }, signal),
    ]);
    const back = { refunds: refundsOf(refunds, whose), chargebacks: chargebacksOf(chargebacks, whose) };
    return settledOf(received, back);
  }

  /** The refund that was made for ours; null: Flutterwave has none. Throws where that is not certain. */
  private async madeFor(order: RefundOrder, signal: AbortSignal): Promise<FlutterwaveRefund | null> {
    const whose = whoseOf(order);
    let refunds = refundsOf(await this.list('refunds', { id: whose.transaction }, signal), whose);
    // Were `id` taken for the refund's own none would ever be found, and each repetition would make another.
    if (refunds.length === 0) {
      const found = findingOf(await this.verified(whose.transaction, signal), order.payment.reference);
      const name = 'attempt' in found ? found.attempt.flw_ref : null;
      if (!isText(name)) throw new Error('not a transaction of the payment');
      refunds = refundsOf(await this.list('refunds', { flw_ref: name }, signal), whose);
    }
    const made = onceMade(refunds.filter((one) => isAsked(one, order)));
    // One that Flutterwave has told of before is not asked for again, be it listed or not.
    const isOpen = order.gatewayReference !== undefined || refunds.some((one) => mayBeAsked(one, order));
    if (!made && isOpen) throw new Error('a refund is not listed, or does not tell whose it is');
    return made;
  }

  /** Ours, of a callback that tells the transaction only. */
  private async referenceOf(transaction: string): Promise<unknown> {
    const envelope = envelopeOf(await this.verified(transaction, AbortSignal.timeout(LOOKUP_MS)));
    if (!envelope?.isDone) throw new Error('nobody can say what the callback is about');
    return fieldsOf(envelope.data).tx_ref;
  }

  private verified(transaction: string, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.flutterwave.ask({ path: `transactions/${transaction}/verify`, signal });
  }

  /** All rows. Throws where they are not told, or are too many. */
  private async list(path: string, filter: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Given[]> {
    const rows: Given[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { ...filter, page: String(page) };
      const envelope = envelopeOf(await this.flutterwave.ask({ path, query, bytesMax: LIST_BYTES_MAX, signal }));
      if (page === 1 && isRefusal(envelope) && NONE.test(envelope.words)) return [];
      if (!envelope?.isDone || !Array.isArray(envelope.data)) throw new Error(`${path}: no list`);
      rows.push(...envelope.data.map((row) => fieldsOf(row)));
      const { total_pages: pages } = fieldsOf(envelope.meta.page_info);
      if (typeof pages === 'number' ? page >= pages : envelope.data.length === 0) return rows;
    }
    throw new Error(`${path}: more than ${PAGES_MAX} pages`);
  }
}

/** That a list is empty, should it be told so. */
const NONE = /^no (?:transactions?|refunds?|chargebacks?)\b.*\bfound\b/;

const UNTOLD = { ...UNREADABLE, code: 'attempts_untold' };

const NO_EMAIL: StartResult = {
  outcome: 'not_started',
  code: 'payer_email_missing',
  message: 'Flutterwave takes no payment without the e-mail address of the payer.',
};

/** Ours, if it is one: others may collect with the same key. */
const isOurs = (reference: unknown): reference is string =>
  isText(reference) && /^pay_[0-9a-z]{26}_[0-9a-z]{26}$/.test(reference);

/** Without the transaction's id its refunds are not found, and each repetition would make another. */
function whoseOf({ paymentReference, currency }: RefundOrder): { transaction: string; currency: Currency } {
  const transaction = idOf(paymentReference);
  if (transaction === null || !isCurrency(currency)) throw new Error('not the id of a transaction, or no currency');
  return { transaction, currency };
}

function paymentOf(order: GatewayOrder, email: string) {
  const { reference, amount, currency, description, customer, options, returnUrl, expiresAt } = order;
  const minutes = Math.floor((expiresAt.getTime() - Date.now()) / MINUTE_MS);
  const { payment_options: methods } = options;
  return {
    tx_ref: reference,
    amount: majorOf(amount, currency),
    currency,
    redirect_url: returnUrl,
    session_duration: Math.min(Math.max(minutes, 1), SESSION_MINUTES_MAX),
    ...(isText(methods) && { payment_options: methods }),
    customer: {
      email,
      ...(customer?.name !== undefined && { name: customer.name }),
      ...(customer?.phone !== undefined && { phonenumber: customer.phone }),
    },
    ...(description !== null && { customizations: { description } }),
  };
}

/** What a genuine callback is about: a reference, or only a transaction. */
type Heard = { readonly says: string; readonly claims?: Claimed } & (
  | { readonly reference: string }
  | { readonly reference?: undefined; readonly transaction: string }
);

/** Null: neither about a payment nor about what went back of one. Callbacks of refunds have no `event`. */
export function heardOf(body: unknown): Heard | null {
  const { event, data } = fieldsOf(body);
  if (!isText(event)) return backOf('refund', fieldsOf(body));
  const [kind] = event.split('.');
  if (kind === 'refund' || kind === 'chargeback') return backOf(event, fieldsOf(data));
  const { tx_ref: reference, status } = fieldsOf(data);
  if (kind !== 'charge' || !isText(reference)) return null;
  // A failed attempt ends nothing.
  return { reference, says: wordOf(event), ...(status === 'successful' && { claims: 'successful' }) };
}

function backOf(event: string, data: Given): Heard | null {
  const transaction = transactionOf(data);
  const said = {
    says: wordOf(event === 'refund' && isText(data.status) ? `refund_${data.status}` : event),
    ...(event.startsWith('refund') && isDone(data.status) && { claims: 'reversed' as const }),
  };
  if (isText(data.tx_ref)) return { reference: data.tx_ref, ...said };
  return transaction === null ? null : { transaction, ...said };
}

/** `charge.completed` → `charge_completed`. */
const wordOf = (event: string): string => event.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
