import { AMOUNT_MAX, type Money, toJsonNumber } from '../money/money';
import type { ExtensionPoints, FilterName, GatewayChoice, PointName, ValueOf } from './points';

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
