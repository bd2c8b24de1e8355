import { Injectable } from '@nestjs/common';
import { decodeId, encodeId } from '../../core/http/ids';
import {
  codeOf,
  fieldsOf,
  type Given,
  isReference,
  NOT_ABOUT_ORDER,
  NOT_ASKED,
  refusalOf,
  scrub,
  unknownOf,
  UNREADABLE,
} from '../../providers/answers';
import { Client, type Matter } from '../../providers/client';
import { CheckoutLinks } from './checkout/checkout-links';
import { sumOf } from './credit';
import type {
  CallbackResult,
  Claimed,
  Gateway,
  GatewayOrder,
  Instruction,
  QueryResult,
  RefundFound,
  RefundOrder,
  RefundResult,
  Reversal,
  StartResult,
} from './gateway';
import type { Payment } from './payment.entity';

const SUFFIX_LENGTH = 26;

/** What a gateway knows a payment by: it says whose it is, so that a callback finds it without asking every account. */
export const gatewayReferenceOf = ({ accountId, id }: Pick<Payment, 'accountId' | 'id'>): string =>
  `${encodeId('pay', id)}_${encodeId('acct', accountId).slice(-SUFFIX_LENGTH)}`;

/** Null for anything that `gatewayReferenceOf` does not make. */
export function keyOfGatewayReference(reference: string): Pick<Payment, 'accountId' | 'id'> | null {
  const cut = reference.lastIndexOf('_');
  const id = decodeId('pay', reference.slice(0, cut));
  const accountId = decodeId('acct', `acct_${reference.slice(cut + 1)}`);
  return id !== null && accountId !== null ? { accountId, id } : null;
}

/** The breaker is open, and no order was there before. */
const NOT_STARTED: StartResult = {
  outcome: 'not_started',
  code: 'provider_unavailable',
  message: 'The gateway is not asked at the moment.',
};

const CURRENCY = /^[A-Z]{3}$/;
const INSTRUCTIONS_MAX = 20;
const REVERSALS_MAX = 1_000;
const CLAIMS: readonly Claimed[] = ['successful', 'failed', 'reversed'];

/**
 * Speaks with gateways. Whatever happens there is one of the outcomes here: nothing is thrown. No transaction is open.
 */
@Injectable()
export class GatewayClient {
  constructor(
    private readonly client: Client,
    private readonly links: CheckoutLinks,
  ) {}

  /** `isFirst`: the gateway was never asked for this payment before. */
  start(payment: Readonly<Payment>, isFirst: boolean): Promise<StartResult> {
    return this.client.ask<Gateway, StartResult>(matterOf(payment), {
      call: 'start',
      ask: (gateway, signal) => gateway.start(this.orderOf(payment), signal),
      parse: asStartResult,
      whenOpen: isFirst ? NOT_STARTED : NOT_ASKED,
      context: contextOf(payment),
    });
  }

  query(payment: Readonly<Payment>): Promise<QueryResult> {
    return this.client.ask<Gateway, QueryResult>(matterOf(payment), {
      call: 'query',
      ask: (gateway, signal) => gateway.query(this.orderOf(payment), signal),
      parse: asQueryResult,
      context: contextOf(payment),
    });
  }

  refund(payment: Readonly<Payment>, wanted: WantedRefund): Promise<RefundResult> {
    return this.client.ask<Gateway, RefundResult>(matterOf(payment), {
      call: 'refund',
      ask: async (gateway, signal) => gateway.refund?.(this.refundOf(payment, wanted), signal),
      parse: asRefundResult,
      whenOpen: NOT_ASKED,
      context: contextOf(payment),
    });
  }

  findRefund(payment: Readonly<Payment>, wanted: WantedRefund): Promise<RefundFound> {
    return this.client.ask<Gateway, RefundFound>(matterOf(payment), {
      call: 'find_refund',
      ask: async (gateway, signal) => gateway.findRefund?.(this.refundOf(payment, wanted), signal),
      parse: asRefundFound,
      context: contextOf(payment),
    });
  }

  private refundOf(payment: Readonly<Payment>, wanted: WantedRefund): RefundOrder {
    return { ...wanted, payment: this.orderOf(payment), paymentReference: payment.gatewayReference! };
  }

  private orderOf(p: Readonly<Payment>): GatewayOrder {
    const { accountId, livemode, id: paymentId, amount, currency, description, customer, expiresAt } = p;
    return {
      reference: gatewayReferenceOf(p),
      accountId,
      livemode,
      paymentId,
      amount,
      currency,
      description,
      customer,
      expiresAt,
      options: p.options[p.gateway!] ?? {},
      returnUrl: `${this.links.urlOf(p)}/return`,
    };
  }
}

/** What is asked of a gateway beside its payment. */
type WantedRefund = Omit<RefundOrder, 'payment' | 'paymentReference'>;

const matterOf = ({ gateway, currency: network, livemode, accountId, id }: Readonly<Payment>): Matter => ({
  product: 'payment',
  provider: gateway!,
  network,
  livemode,
  accountId,
  id,
});

const contextOf = (payment: Readonly<Payment>) => {
  const { accountId, livemode, id, requestId, amount, currency, walletId, reference, metadata } = payment;
  const draft = { amount, currency, walletId, reference, metadata, details: { payment_id: id } };
  const object = { objectType: 'pay', objectId: id } as const;
  return { operation: 'payment', accountId, livemode, ...object, requestId, dryRun: false, draft } as const;
};

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
  const { outcome, code, message, gatewayReference, amount, currency, fee, about } = given;
  if (outcome === 'awaiting' || outcome === 'processing' || outcome === 'not_known') return { outcome };
  if (outcome === 'failed') {
    return about === 'order' ? { outcome, about, ...refusalOf(given, 'gateway_refused') } : NOT_ABOUT_ORDER;
  }
  if (outcome !== 'successful' && outcome !== 'reversed') return unknownOf(given);
  // Without a reference nobody could prove it later; without an amount and a currency nothing is proven now.
  const isProven =
    isReference(gatewayReference) &&
    typeof amount === 'bigint' &&
    amount >= 0n &&
    typeof currency === 'string' &&
    CURRENCY.test(currency) &&
    (fee === undefined || (typeof fee === 'bigint' && fee >= 0n && fee < amount));
  if (!isProven) return UNREADABLE;
  const received = { gatewayReference, amount, currency };
  if (outcome === 'successful') return { outcome, ...received, ...(fee !== undefined && { fee: fee as bigint }) };
  const reversals = reversalsOf(given.reversals, amount);
  return reversals === null
    ? UNREADABLE
    : { outcome, code: codeOf(code, 'reversed_by_gateway'), message: scrub(message), ...received, reversals };
}

export function asRefundResult(value: unknown): RefundResult {
  const given = fieldsOf(value);
  const { outcome, gatewayReference, amount, about } = given;
  if (outcome === 'refunded')
    return isReference(gatewayReference) && typeof amount === 'bigint' && amount > 0n
      ? { outcome, gatewayReference, amount }
      : UNREADABLE;
  if (outcome === 'accepted') return { outcome, ...(isReference(gatewayReference) && { gatewayReference }) };
  if (outcome !== 'not_refunded') return unknownOf(given);
  return about === 'order' ? { outcome, about, ...refusalOf(given, 'refund_refused') } : NOT_ABOUT_ORDER;
}

export const asRefundFound = (value: unknown): RefundFound =>
  fieldsOf(value).outcome === 'not_known' ? { outcome: 'not_known' } : asRefundResult(value);

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

/**
 * Null: they prove nothing. Each has a reference of its own and an amount, and together they are no more than what
 * arrived.
 */
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
  return reversals.map(({ gatewayReference, amount, reference }) => ({
    gatewayReference,
    amount,
    ...(isReference(reference) && { reference }),
  }));
}

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
