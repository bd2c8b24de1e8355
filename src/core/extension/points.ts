import type { IdPrefix } from '../../vocabulary/id-prefixes';
import type { Operation } from '../../vocabulary/products';
import { AMOUNT_MAX, type Currency, type Money, toJsonNumber } from '../money/money';
import type { EventType } from '../../vocabulary/event-types';

/** What is about to be paid. Plain data: handlers get a frozen copy. */
export interface PaymentDraft {
  /** Minor units, before fee and commission. */
  readonly amount: bigint;
  readonly currency: Currency;
  /** Wallet uuid that pays, or that a payment credits; null while it is not known yet. */
  readonly walletId: string | null;
  /** Who receives: a phone in E.164, a customer's number at the biller, the uuid of a wallet or a card. */
  readonly recipient: string | null;
  /** Slug of the network or code of the biller. */
  readonly network: string | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** What else the operation knows, snake_case. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The object of a payment. Ids are uuids. */
export interface PaymentObject {
  readonly operation: Operation;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly objectType: IdPrefix;
  /**
   * Known before the first gate is asked: the payment has it if it comes to be, and no other ever has it. That of a dry
   * run is never used.
   */
  readonly objectId: string;
}

/** Which payment is looked at, and for whom. */
export interface PaymentContext extends PaymentObject {
  /** Request that asks for it. */
  readonly requestId: string | null;
  /** Nothing will be written: handlers leave no trace either. */
  readonly dryRun: boolean;
  readonly draft: PaymentDraft;
}

export type BeforePayment = PaymentContext;
export type FeeContext = PaymentContext;
export type GatewayContext = PaymentContext;

/** What a gate answers: nothing, or a veto with the caller's reason. `code` is snake_case. */
export type Verdict =
  | void
  | { readonly veto: false }
  | { readonly veto: true; readonly code: string; readonly message: string };

/** A registered gateway, or a provider of a purchase, with the options that go to it. */
export interface GatewayChoice {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** What a string is made from. */
export interface FormatContext {
  readonly money: Money;
}

/** What may be told more than once: `eventId` is the same each time. */
interface Told extends PaymentObject {
  /** Request that asked for it. */
  readonly requestId: string | null;
  readonly eventId: string;
  /** 1 for the first try. */
  readonly attempt: number;
}

/** A payment that is final: also one that was held, and that a provider or issuer then refused. */
export interface AfterPayment extends Told {
  readonly type: EventType;
}

/** Why a payment did not come to be. */
export interface Refusal {
  /** snake_case: the code of the answer, `replayed` (another request made it), `interrupted` (the process ended). */
  readonly code: string;
  /** Where it ended: at a later gate, when it was to be written, or nobody knows, as its process is gone. */
  readonly stage: 'gate' | 'posting' | 'process';
}

/**
 * A payment that a gate let pass and that did not come to be, and never will: there is no object of this id. Each is
 * told here or, if it came to be, by `AfterPayment` when it is final; never both.
 */
export interface PaymentRefused extends Told, Refusal {}

/**
 * Something went wrong during a transaction. Holds no secret, host or stack. Null: not known, or not about one
 * payment.
 */
export interface OnErrorContext {
  readonly operation: Operation | null;
  readonly accountId: string | null;
  readonly livemode: boolean | null;
  readonly objectType: IdPrefix | null;
  readonly objectId: string | null;
  readonly requestId: string | null;
  readonly dryRun: boolean;
  readonly draft: (Partial<PaymentDraft> & { readonly transactionId?: string | null }) | null;
  readonly error: PaymentError;
}

interface PaymentError {
  /** Who failed: a provider or gateway, a hook or filter, or the service itself. */
  readonly stage: 'provider' | 'extension' | 'platform';
  /** Name of the provider or id of the extension. */
  readonly by?: string | null;
  /** snake_case. */
  readonly code: string;
  readonly message: string;
  /** `unknown`: nobody can say yet whether it took place. */
  readonly outcome?: string;
}

/** A point that can stop something. */
export interface GatePoint<Context> {
  readonly kind: 'gate';
  readonly value: never;
  readonly context: Context;
}

/** A point that passes a value through its handlers. `sync`: they answer at once, never with a promise. */
export interface FilterPoint<Value, Context, Timing extends 'sync' | 'async' = 'async'> {
  readonly kind: 'filter';
  readonly value: Value;
  readonly context: Context;
  readonly timing: Timing;
}

/** A point that tells and takes no answer. */
interface ObserverPoint<Context> {
  readonly kind: 'observer';
  readonly value: never;
  readonly context: Context;
}

/**
 * Every point by its name. Modules and teams add theirs by declaration merging, and publish them with `publishPoint`.
 */
export interface ExtensionPoints {
  svc_before_payment: GatePoint<BeforePayment>;
  svc_after_payment: ObserverPoint<AfterPayment>;
  svc_payment_refused: ObserverPoint<PaymentRefused>;
  svc_on_error: ObserverPoint<OnErrorContext>;
  svc_payment_gateway: FilterPoint<readonly GatewayChoice[], GatewayContext>;
  svc_transaction_fee: FilterPoint<Money, FeeContext>;
  svc_currency_format: FilterPoint<string, FormatContext, 'sync'>;
}

export type PointName = keyof ExtensionPoints;

/** One filter's effect, ready for JSON: amounts are numbers of minor units. Kept on the transaction. */
export interface FilterChange {
  /** Id of the extension. */
  readonly by: string;
  readonly before: unknown;
  readonly after: unknown;
  /** It only watched: its result was not used. */
  readonly shadow?: true;
}

/** A value after its filters. */
export interface Filtered<T> {
  readonly value: T;
  readonly changes: readonly FilterChange[];
}

type Named<Kind extends string> = { [P in PointName]: ExtensionPoints[P]['kind'] extends Kind ? P : never }[PointName];

export type GateName = Named<'gate'>;
export type FilterName = Named<'filter'>;
export type ObserverName = Named<'observer'>;
/** Told by jobs, at least once; all other observers at once, and at most once. */
export type DurableName = 'svc_after_payment' | 'svc_payment_refused';

export type ContextOf<P extends PointName> = ExtensionPoints[P]['context'];
export type ValueOf<P extends FilterName> = ExtensionPoints[P]['value'];

interface Timing {
  /** How long a handler may take where it does not say so itself. */
  readonly timeoutMs: number;
}

export interface FilterRules<Value = unknown> extends Timing {
  readonly kind: 'filter';
  /** Handlers answer at once: they get no signal, and a promise is a bad result. */
  readonly sync: boolean;
  /**
   * A handler's result as it is used. Throws an error that says what is wrong with it. `original`: the value before
   * all filters.
   */
  readonly accept: (result: unknown, original: Value) => Value;
  /** The value as it is kept in a list of changes. */
  readonly toJson: (value: Value) => unknown;
}

export type PointRules = FilterRules | (Timing & { readonly kind: 'gate' | 'observer' });

type RulesOf<P extends PointName> = P extends FilterName
  ? FilterRules<ValueOf<P>>
  : Timing & { readonly kind: ExtensionPoints[P]['kind'] };

const GATE_MS = 500;
const FILTER_MS = 250;
const OBSERVER_MS = 5_000;
const TEXT_MAX = 200;

const table = new Map<string, PointRules>();

/**
 * Adds a point that a module or a team declared in `ExtensionPoints`. Call it where the file that runs the point is
 * loaded.
 */
export function publishPoint<P extends PointName>(name: P, rules: RulesOf<P>): void {
  if (table.has(name)) throw new Error(`the point "${name}" is published twice`);
  table.set(name, rules as unknown as PointRules);
}

/** Undefined: nobody published such a point. */
export const rulesOf = (name: string): PointRules | undefined => table.get(name);

/** PostgreSQL keeps neither NUL nor half a surrogate pair, and text from here is stored with money. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** Whether JSON can carry a value, and PostgreSQL can keep it. */
function isStorable(value: unknown): boolean {
  try {
    return !UNSTORABLE.test(JSON.stringify(value));
  } catch {
    return false;
  }
}

const assert = (isRight: boolean, wrong: string): void => {
  if (!isRight) throw new TypeError(wrong);
};

function acceptMoney(result: unknown, original: Money): Money {
  const { amount, currency } = (result ?? {}) as Money;
  assert(
    typeof amount === 'bigint' && amount >= 0n && amount <= AMOUNT_MAX,
    'it is not an amount of 0 or more minor units, as a bigint',
  );
  assert(currency === original.currency, `it is not in ${original.currency}`);
  return { amount, currency };
}

function acceptGateways(result: unknown, registered: readonly GatewayChoice[]): readonly GatewayChoice[] {
  assert(Array.isArray(result), 'it is not a list');
  const choices = (result as Partial<GatewayChoice>[]).map((choice) => {
    const { name, options } = choice ?? {};
    assert(
      registered.some((known) => known.name === name),
      `"${name}" is no registered gateway`,
    );
    assert(
      typeof options === 'object' && options !== null && !Array.isArray(options) && isStorable(options),
      `the options of "${name}" are no JSON object`,
    );
    return { name, options } as GatewayChoice;
  });
  assert(new Set(choices.map(({ name }) => name)).size === choices.length, 'it names a gateway twice');
  return choices;
}

function acceptText(result: unknown): string {
  assert(
    typeof result === 'string' && result.length <= TEXT_MAX && isStorable(result),
    `it is not plain text of at most ${TEXT_MAX} characters`,
  );
  return result as string;
}

publishPoint('svc_before_payment', { kind: 'gate', timeoutMs: GATE_MS });
publishPoint('svc_after_payment', { kind: 'observer', timeoutMs: OBSERVER_MS });
publishPoint('svc_payment_refused', { kind: 'observer', timeoutMs: OBSERVER_MS });
publishPoint('svc_on_error', { kind: 'observer', timeoutMs: OBSERVER_MS });
publishPoint('svc_payment_gateway', {
  kind: 'filter',
  sync: false,
  timeoutMs: FILTER_MS,
  accept: acceptGateways,
  toJson: (list) => list,
});
publishPoint('svc_transaction_fee', {
  kind: 'filter',
  sync: false,
  timeoutMs: FILTER_MS,
  accept: acceptMoney,
  toJson: ({ amount }) => toJsonNumber(amount),
});
publishPoint('svc_currency_format', {
  kind: 'filter',
  sync: true,
  timeoutMs: FILTER_MS,
  accept: acceptText,
  toJson: (text) => text,
});
