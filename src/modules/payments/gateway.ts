import type {
  AboutOrder,
  AcceptedOutcome,
  CallbackRequest,
  NotKnownOutcome,
  Refused,
  UnknownOutcome,
} from '../../providers/answers';
import { type AdapterOptions, adapts, type Checkable } from '../../providers/registry';
import type { Currency } from '../../core/money/money';

/** Who pays, as far as the account says. */
export interface Customer {
  readonly email?: string;
  readonly phone?: string;
  readonly name?: string;
}

/** A line that the payer needs, such as an account number. */
export interface Instruction {
  readonly label: string;
  readonly value: string;
}

/** How the payer goes on at the gateway. */
export interface GatewayPage {
  /** The gateway's own page; null where instructions are all there is. */
  readonly url: string | null;
  readonly instructions: readonly Instruction[];
}

/** What a gateway is asked to collect. */
export interface GatewayOrder {
  /** Ours, the same in every repetition: the gateway opens one order for it. Up to 64 of `[a-z0-9_]`. */
  readonly reference: string;
  readonly accountId: string;
  readonly livemode: boolean;
  /** Payment uuid. */
  readonly paymentId: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly description: string | null;
  readonly customer: Customer | null;
  /** What filters of `svc_payment_gateway` set for this gateway. JSON. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Where the gateway's page sends the payer when it is done. */
  readonly returnUrl: string;
  readonly expiresAt: Date;
}

/** The gateway opened an order: the payer can pay. */
interface Started {
  readonly outcome: 'started';
  /** The gateway's own id. */
  readonly gatewayReference: string;
  /** https, or a path of this service. */
  readonly pageUrl?: string;
  readonly instructions?: readonly Instruction[];
}

/** The gateway certainly opened no order. */
interface NotStarted {
  readonly outcome: 'not_started';
  readonly code: string;
  readonly message: string;
}

export type StartResult = Started | NotStarted | UnknownOutcome;

/** The gateway certainly has the money. */
export interface Received {
  readonly outcome: 'successful';
  readonly gatewayReference: string;
  /** Minor units that arrived. */
  readonly amount: bigint;
  /** ISO 4217, in capitals. */
  readonly currency: string;
  /** Minor units that the gateway keeps of it, where it says so: ours to bear, and not given back with the payment. */
  readonly fee?: bigint;
}

/**
 * The gateway certainly does not have it, and will not. Words about our account (locked, suspended) are `unknown`: the
 * payer may have paid.
 */
export interface NotReceived extends Refused, AboutOrder {
  readonly outcome: 'failed';
}

/** Money that a gateway gave back: a refund or a chargeback, of all of a payment or of a part. */
export interface Reversal {
  /** The gateway's own id of it: each counts once. */
  readonly gatewayReference: string;
  /** Minor units of the currency that arrived. */
  readonly amount: bigint;
  /** Ours, where it is a refund that we asked for and the gateway repeats what we called it. */
  readonly reference?: string;
}

/** The gateway had the money and gave back all of it, or a part. */
export interface GivenBack {
  readonly outcome: 'reversed';
  readonly code: string;
  readonly message: string;
  /** As in `Received`: of the payment, and what arrived before anything went back. */
  readonly gatewayReference: string;
  readonly amount: bigint;
  readonly currency: string;
  /** Every one so far; together at most what arrived. */
  readonly reversals: readonly Reversal[];
}

/**
 * `awaiting`: the payer did nothing yet; `processing`: the payer did, the gateway is at it; `not_known`: no such order
 * there.
 */
export type QueryResult =
  | Received
  | NotReceived
  | GivenBack
  | UnknownOutcome
  | NotKnownOutcome
  | { readonly outcome: 'awaiting' | 'processing' };

/** What a gateway is asked to give back: all of a payment or a part. */
export interface RefundOrder {
  /** Ours, the same in every repetition: the gateway refunds once for it. Up to 64 of `[a-z0-9_]`. */
  readonly reference: string;
  /** The order that was paid. */
  readonly payment: GatewayOrder;
  /** The gateway's own id of that. */
  readonly paymentReference: string;
  /** Minor units. */
  readonly amount: bigint;
  /** Of what arrived; ISO 4217. */
  readonly currency: string;
  readonly reason: string | null;
  /** The gateway's own id of the refund, once it has told one. */
  readonly gatewayReference?: string;
}

/** The gateway certainly gave it back. */
interface Refunded {
  readonly outcome: 'refunded';
  /** The gateway's own id of the refund: the one by which `query` tells of it among the reversals. */
  readonly gatewayReference: string;
  /** Minor units that went back. */
  readonly amount: bigint;
}

/** The gateway certainly did not give it back, and will not. Words about our account are `unknown`. */
interface NotRefunded extends Refused, AboutOrder {
  readonly outcome: 'not_refunded';
}

/** `accepted`: the gateway is at it. */
export type RefundResult =
  | Refunded
  | NotRefunded
  | UnknownOutcome
  | (AcceptedOutcome & { readonly gatewayReference?: string });

/**
 * Of the refunds at a company that bear one reference of ours, the one that was made; else one that failed, or none.
 * Throws where two were made, as two requests at once may be: that is for a person to see.
 */
export function onceMade<Refund extends { readonly status: string }>(asked: readonly Refund[]): Refund | null {
  const [made, twin] = asked.filter(({ status }) => status !== 'failed');
  if (twin) throw new Error('refunded more than once');
  return made ?? asked[0] ?? null;
}

/** `not_known`: no such refund there. */
export type RefundFound = RefundResult | NotKnownOutcome;

export type { CallbackRequest };

/**
 * What a callback says has become of the order. Never believed, but when the gateway's own answer denies it a person
 * must look.
 */
export type Claimed = 'successful' | 'failed' | 'reversed';

/** `genuine`: the gateway's own, about our order `reference`; `other`: its own, about nothing of ours. */
export type CallbackResult =
  | { readonly outcome: 'genuine'; readonly reference: string; readonly says?: string; readonly claims?: Claimed }
  | { readonly outcome: 'other' }
  | { readonly outcome: 'forged' };

/** A port to whoever collects money. Adapters live in `payments/gateways/<name>/` or in an extension. */
export interface Gateway extends Checkable {
  /**
   * Opens an order. Repeated with the same reference it opens one and answers alike. No database transaction is open.
   */
  start(order: GatewayOrder, signal: AbortSignal): Promise<StartResult>;
  /** What became of the order: asked before anything is believed. */
  query(order: GatewayOrder, signal: AbortSignal): Promise<QueryResult>;
  /**
   * Whether a callback is signed by the gateway, over its raw bytes and compared in constant time; and what it is
   * about.
   */
  verify(callback: CallbackRequest): CallbackResult | Promise<CallbackResult>;
  /**
   * Gives money back to the payer. Repeated with the same reference it gives it back once and answers alike. No
   * database transaction is open. A gateway without it takes no refunds: they are made by hand, and told as reversals.
   */
  refund?(order: RefundOrder, signal: AbortSignal): Promise<RefundResult>;
  /** What became of a refund. A gateway has both or neither. */
  findRefund?(order: RefundOrder, signal: AbortSignal): Promise<RefundFound>;
}

/** A way of paying, for which the checkout page has words in every language and a mark. */
export type PaymentMethod = 'card' | 'bank_transfer' | 'ussd' | 'mobile_money';

export interface GatewaySettings extends AdapterOptions {
  /** For the payer, where `methods` say nothing: "Card". In one language. */
  readonly label: string;
  /** What its page offers, most used first. */
  readonly methods?: readonly PaymentMethod[];
  /** Empty: all. */
  readonly currencies?: readonly Currency[];
  /** Origins of its pages, `https://pay.example.com`: forms of the checkout page may lead there and nowhere else. */
  readonly origins?: readonly string[];
}

/** Marks a Nest provider class as a gateway. Takes only a class that is one. */
export const TakesPayments = adapts<Gateway, GatewaySettings>('payment');
