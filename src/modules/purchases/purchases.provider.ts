import type {
  AboutOrder,
  AcceptedOutcome,
  CallbackRequest,
  NotKnownOutcome,
  Refused,
  UnknownOutcome,
} from '../../providers/answers';
import type { Currency } from '../../core/money/money';
import type { Checkable } from '../../providers/registry';

/** What a provider is asked for. `Item` is the product's own: phone and network, plan code, biller and customer. */
export interface Order<Item extends object = object> {
  /** Ours, stored before the provider is asked and the same in every repetition: the provider sells once for it. */
  readonly reference: string;
  readonly accountId: string;
  readonly livemode: boolean;
  /** Transaction uuid. */
  readonly purchaseId: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly item: Item;
  /** What filters of `svc_payment_gateway` set for this provider. JSON. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What the provider called it when it answered before: for its requery. Null: it never gave one. */
  readonly providerReference: string | null;
  /** `X-Sandbox-Scenario` header of a test purchase; for sandbox providers only. */
  readonly scenario: string | null;
}

/** An order before it is placed. */
export type OrderDraft<Item extends object = object> = Omit<Order<Item>, 'reference' | 'options' | 'providerReference'>;

/** What a provider does not sell. */
export interface Unsellable {
  readonly outcome: 'refused';
  /** A sentence for the caller. */
  readonly message: string;
  /** Where in the request it stands: `/amount`. */
  readonly param?: string;
}

/** The provider did what was asked. */
export interface Delivered {
  readonly outcome: 'delivered';
  readonly providerReference: string;
  /** Minor units that arrived, as the provider tells it; absent: it does not tell, and all that was asked counts. */
  readonly deliveredAmount?: bigint;
  /**
   * Minor units that our float there went down by: less than what arrived where the provider leaves a commission.
   * Absent: as much as arrived.
   */
  readonly cost?: bigint;
  /** Of the cost, where our float there is in another currency. Absent: that of the order. */
  readonly costCurrency?: Currency;
  /**
   * Facts for `details` of the transaction, snake_case: `{operator_reference}`. How much arrived is said above, and
   * only there.
   */
  readonly details?: Readonly<Record<string, unknown>> & { readonly delivered_amount?: never };
  /**
   * Facts that are as good as cash (meter tokens, PINs): encrypted at rest, masked wherever `details` are shown in
   * numbers.
   */
  readonly secrets?: Readonly<Record<string, unknown>>;
  /** The provider may still take it back: it is asked again after this time. */
  readonly recheckAfterMs?: number;
}

/** The provider certainly did not, and will not. */
export interface NotDelivered extends Refused {
  readonly outcome: 'not_delivered';
  /** Another provider may succeed. */
  readonly retryElsewhere: boolean;
  /** The provider may turn out to have delivered after all: it is asked once more after this time. */
  readonly recheckAfterMs?: number;
}

/** Why a provider did not: what an adapter keeps in the table of its manual's refusals. */
export type Refusal = Omit<NotDelivered, 'outcome' | 'recheckAfterMs'>;

/** The provider has the order and is at it, or says so: asked again like `unknown`, but nothing is wrong there. */
export interface Accepted extends AcceptedOutcome {
  /** Theirs, when they gave one already. */
  readonly providerReference?: string;
}

/** From which nothing follows yet: the hold stays, and the provider is asked again. */
export type Unsettled = Accepted | UnknownOutcome;

/** The four values that a provider answers with. A provider that throws has answered `unknown`. */
export type ProviderResult = Delivered | NotDelivered | Unsettled;

/**
 * What a requery finds. Beside the four: the reference is not known there, or what was delivered was taken back. Words
 * about our account (locked, empty, suspended) say nothing of an order that was sent before: they are `unknown`.
 */
export type FindResult =
  | Delivered
  | (NotDelivered & AboutOrder)
  | Unsettled
  | NotKnownOutcome
  | { readonly outcome: 'reversed'; readonly code: string; readonly message: string };

/**
 * `genuine`: the provider's own, about our order `reference`; `other`: its own, about nothing of ours. `says`: its word
 * in snake_case, for the timeline. Never believed: `find` decides.
 */
export type OrderCallback =
  | { readonly outcome: 'genuine'; readonly reference: string; readonly says?: string }
  | { readonly outcome: 'other' }
  | { readonly outcome: 'forged' };

/** A port to whoever delivers. Adapters live in `<product>/providers/<name>/` or in an extension. */
export interface Provider<Item extends object = object> extends Checkable {
  /** Sells. Repeated with the same reference it sells once and answers alike. No database transaction is open. */
  purchase(order: Order<Item>, signal: AbortSignal): Promise<ProviderResult>;
  /** Requery: what became of the reference. */
  find(order: Order<Item>, signal: AbortSignal): Promise<FindResult>;
  /**
   * Asked before money is held; false when it could not sell this now, e.g. because its float is empty; a refusal when
   * it never sells such a thing, whoever asks: then, and if nobody else sells it, the caller hears why. Quick: no
   * answer within 2 s is a no.
   */
  canSell?(order: OrderDraft<Item>): boolean | Unsellable | Promise<boolean | Unsellable>;
  /** Our float at the provider, in minor units. */
  balance?(currency: Currency, signal: AbortSignal): Promise<bigint>;
  /**
   * Whether a callback is signed by the provider, over its raw bytes and compared in constant time; and which order it
   * is about. Absent: the provider makes none. One that throws has not found it genuine.
   */
  verify?(callback: CallbackRequest): OrderCallback | Promise<OrderCallback>;
}

export { ProviderOutage } from '../../providers/breakers';
