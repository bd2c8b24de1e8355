import type { AboutOrder, UnknownOutcome } from '../../../providers/answers';
import { durationMs } from '../../../core/clock/clock';
import { DomainError } from '../../../core/errors/domain-error';
import type { Accepted, Delivered, FindResult, NotDelivered, Order, ProviderResult } from '../purchases.provider';
import { type Behaviour, type Calling, CALLINGS, type Ending, SCENARIOS, type SettledAs } from './scenarios';

/** What one provider does with one order. JSON: it is kept with the order. */
export interface Plan extends Omit<Behaviour, 'refusedBy' | 'isUnsellable'> {
  /** The last word would be spoken at once, were it not for the delay. */
  readonly isDelayed?: boolean;
}

export interface TimedPlan {
  readonly plan: Plan;
  readonly isSellable: boolean;
  readonly delayMs: number;
}

const PHONE = /^\+234800\d{4}(\d)(\d{2})$/;
const DELIVERED: Behaviour = { answer: 'delivered' };

const phoneOutcomes = new Map(SCENARIOS.phones.outcomes.map((outcome) => [outcome.code, outcome]));
const phoneDelaysMs = new Map(SCENARIOS.phones.delays.map(({ digit, delay }) => [digit, durationMs(delay)!]));

/**
 * By the scenario of the request, else by the phone number that the order is for, else delivered. Throws
 * `InvalidScenario`.
 */
export function planOf(provider: string, { scenario, item }: Pick<Order, 'scenario' | 'item'>): TimedPlan {
  const { behaviour, delayMs } = scenario === null ? ofPhone(item) : parseScenario(scenario);
  const { answer, later, refusal, isShort, callback, refusedBy, isUnsellable = false } = behaviour;
  const own: Plan =
    refusedBy === undefined || refusedBy.includes(provider) ? { answer, later, refusal, isShort, callback } : DELIVERED;
  return { plan: delayMs > 0 && own.later === undefined ? delayed(own) : own, isSellable: !isUnsellable, delayMs };
}

/** Whether what becomes of the order cannot be told from the order alone. */
export const needsMemory = ({ later }: Plan): boolean => later !== undefined;

/** What a requery finds once the delay is over. */
export const endingOf = ({ later, answer }: Plan): Ending => later ?? (answer as 'delivered' | 'failed');

const delayed = (plan: Plan): Plan => ({ ...plan, answer: 'processing', later: endingOf(plan), isDelayed: true });

interface Timed {
  readonly behaviour: Behaviour;
  readonly delayMs: number;
}

const AT_ONCE: Timed = { behaviour: DELIVERED, delayMs: 0 };

function ofPhone(item: { readonly phone?: unknown }): Timed {
  const [, delay, code] = (typeof item.phone === 'string' && PHONE.exec(item.phone)) || [];
  const behaviour = code === undefined ? undefined : phoneOutcomes.get(code);
  const delayMs = delay === undefined ? undefined : phoneDelaysMs.get(delay);
  if (behaviour === undefined || delayMs === undefined) return AT_ONCE;
  return { behaviour, delayMs: delayMs + durationMs(behaviour.delay ?? '0s')! };
}

const TEXT_MAX = 200;
const PAIR = /^([a-z]+)\s*=\s*(\S+)$/;
const FIELDS = ['outcome', 'then', 'delay', 'code', 'callback'];
const CODE = /^[a-z][a-z0-9_]{0,63}$/;
const DELAY_MAX_MS = 365 * 24 * 3_600 * 1_000;

/** The header that says how a test purchase is to end cannot be read. */
class InvalidScenario extends DomainError {
  constructor(detail: string) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail: `X-Sandbox-Scenario: ${detail}`,
    });
  }
}

/** Throws `InvalidScenario` (400) for a header that cannot be read. */
export function assertScenario(scenario: string | null): void {
  if (scenario !== null) parseScenario(scenario);
}

/** `outcome=timeout; then=delivered; delay=3s`. Throws `InvalidScenario`. */
export function parseScenario(text: string): Timed {
  const { outcome, then, delay = '0s', code, callback } = pairsOf(text);
  const known = SCENARIOS.header.outcomes.find((one) => one.outcome === outcome);
  if (known === undefined)
    throw new InvalidScenario(`outcome must be one of ${list(SCENARIOS.header.outcomes.map((one) => one.outcome))}.`);
  const { then: allowed, otherwise, outcome: _, description: __, ...behaviour } = known;
  if (then !== undefined && !allowed.includes(then as Ending))
    throw new InvalidScenario(`after outcome=${outcome}, then may be ${list(allowed) || 'nothing'}.`);
  const ending = (then as Ending | undefined) ?? otherwise;
  const delayMs = durationMs(delay);
  if (delayMs === null || delayMs > DELAY_MAX_MS)
    throw new InvalidScenario('delay must be a time of at most a year, like 20s, 5m or 2h.');
  if (code !== undefined && !CODE.test(code)) throw new InvalidScenario('code must be a word in snake_case.');
  const isRefusal = (ending ?? behaviour.answer) === 'failed';
  if (code !== undefined && !isRefusal) throw new InvalidScenario('code is the reason of a refusal: it needs one.');
  if (callback !== undefined && !CALLINGS.includes(callback as Calling))
    throw new InvalidScenario(`callback must be one of ${list(CALLINGS)}.`);
  const isTold = ending === undefined ? delayMs > 0 : ending !== 'settled' && ending !== 'never';
  if (callback !== undefined && !isTold)
    throw new InvalidScenario('callback tells how it ends: it needs an order that ends later, by then or delay.');
  const more = { ...(ending && { later: ending }), ...(code && { refusal: code }) };
  return { behaviour: { ...behaviour, ...more, ...(callback && { callback: callback as Calling }) }, delayMs };
}

function pairsOf(text: string): Partial<Record<string, string>> {
  if (text.length > TEXT_MAX) throw new InvalidScenario(`at most ${TEXT_MAX} characters.`);
  const pairs: Partial<Record<string, string>> = {};
  for (const part of text
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean)) {
    const [, name, value] = PAIR.exec(part) ?? [];
    if (name === undefined || !FIELDS.includes(name))
      throw new InvalidScenario(`each part is name=value, with the names ${list(FIELDS)}.`);
    if (name in pairs) throw new InvalidScenario(`${name} is there twice.`);
    pairs[name] = value;
  }
  return pairs;
}

const list = (words: readonly string[]): string => words.join(', ');

/** An order that the operator remembers. Times are those of the account's clock. */
export interface KnownOrder {
  readonly plan: Plan;
  readonly soldAt: Date;
  /** From when on a requery finds the ending. */
  readonly readyAt: Date;
}

/** A body that no adapter could read. */
const GARBAGE = '<html><body>502 Bad Gateway</body></html>' as unknown as ProviderResult;
const PROCESSING: Accepted = { outcome: 'accepted' };
const SILENT: UnknownOutcome = { outcome: 'unknown', code: 'timeout' };
const REFUSED = { message: 'The operator refused.', recovery: 'none', retryElsewhere: false } as const;

/**
 * What the operator says when it is asked to sell: for one order the same each time. Throws where a real one would not
 * answer.
 */
export function firstAnswer(order: Order, { plan, soldAt, readyAt }: KnownOrder): ProviderResult {
  // The delay was over when this provider was asked: another one of the same purchase had taken its time.
  if (plan.isDelayed && readyAt <= soldAt) return ending(order, plan) as ProviderResult;
  switch (plan.answer) {
    case 'delivered':
      return delivered(order, plan, mayTell(plan) ? readyAt.getTime() - soldAt.getTime() : undefined);
    case 'failed':
      return refused(plan);
    case 'processing':
      return PROCESSING;
    case 'garbage':
      return GARBAGE;
    // What `AbortSignal.timeout` gives, without the wait.
    case 'timeout':
      throw new DOMException('The operator did not answer in time.', 'TimeoutError');
    case 'error':
      throw new Error('The operator answered with an error.');
  }
}

/** It knows now that it takes the delivery back: what a callback tells of comes out of the blue. */
const mayTell = ({ later, callback }: Plan): boolean => later === 'reversed' && callback === undefined;

/** What a requery finds at `now`. */
export function laterAnswer(order: Order, { plan, readyAt }: KnownOrder, now: Date): FindResult {
  if (now >= readyAt) return ending(order, plan);
  if (plan.later !== 'reversed') return PROCESSING;
  return delivered(order, plan, mayTell(plan) ? readyAt.getTime() - now.getTime() : undefined);
}

/** What a requery finds after a tester has decided. */
export function settledAnswer(order: Order, as: SettledAs): FindResult {
  const endings = { successful: 'delivered', failed: 'failed', reversed: 'reversed' } as const;
  return ending(order, { answer: 'processing', later: endings[as] });
}

/** What is found of an order that is told by itself: delivered, or refused, at once. */
export function ending(order: Order, plan: Plan): FindResult {
  const what = endingOf(plan);
  switch (what) {
    case 'delivered':
      return delivered(order, plan);
    case 'failed':
      return refused(plan);
    case 'reversed':
      return { outcome: 'reversed', code: 'reversed_by_operator', message: 'The operator took the delivery back.' };
    case 'settled':
      return PROCESSING;
    case 'never':
      return SILENT;
  }
}

function delivered({ reference, amount, item }: Order, { isShort = false }: Plan, recheckAfterMs?: number): Delivered {
  const providerReference = `sbx-${reference}`;
  const isTopUp = 'phone' in item;
  return {
    outcome: 'delivered',
    providerReference,
    ...(isTopUp && { deliveredAmount: isShort ? amount / 2n : amount }),
    details: { operator_reference: providerReference },
    ...(recheckAfterMs !== undefined && { recheckAfterMs }),
  };
}

function refused({ refusal: code = 'declined' }: Plan): NotDelivered & AboutOrder {
  const { message, recovery, retryElsewhere } = SCENARIOS.refusals[code] ?? REFUSED;
  return { outcome: 'not_delivered', about: 'order', code, message, recovery, retryElsewhere };
}
