import { Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DomainError, type Recovery } from '../core/errors/domain-error';
import { registry } from '../core/metrics/metrics';

// What an adapter returns was made from an answer of somebody else's server: nothing in it is taken at its word.

const RECOVERIES: readonly Recovery[] = [
  'retry_later',
  'caller_must_fix',
  'account_must_act',
  'recipient_must_act',
  'none',
];
const CODE = /^[a-z][a-z0-9_]{0,63}$/;
const TEXT_MAX = 300;
const REFERENCE_MAX = 200;

export type Given = Readonly<Record<string, unknown>>;

/**
 * Whoever asks what became of an order may hear of something else: that our account is locked, empty or suspended.
 * Only a refusal of the order itself ends a matter that is under way, and an adapter says so with these words.
 */
export interface AboutOrder {
  readonly about: 'order';
}

/** A refusal at a requery that is not about the order. */
export const NOT_ABOUT_ORDER: UnknownOutcome = { outcome: 'unknown', code: 'not_about_the_order' };

/**
 * Nobody can say what became of it: a time-out, a torn connection, an answer that is not understood. The matter stays
 * open. Counts against the breaker of who was asked.
 */
export interface UnknownOutcome {
  readonly outcome: 'unknown';
  readonly code: string;
  /** Theirs, when they gave one all the same: the requery is asked by it. */
  readonly providerReference?: string;
}

/** The other side took the order and is at it: asked again, and no sign that anything is wrong there. */
export interface AcceptedOutcome {
  readonly outcome: 'accepted';
}

/** The other side never heard of the reference. */
export interface NotKnownOutcome {
  readonly outcome: 'not_known';
}

/** Why the other side certainly did not do it, and will not; fit to be shown. */
export interface Refused {
  /** snake_case: shown as `failure.code`, of a card also as `status_reason`. */
  readonly code: string;
  readonly message: string;
  readonly recovery: Recovery;
}

/** The breaker is open. What the other side may have had before stays open. */
export const NOT_ASKED: UnknownOutcome = { outcome: 'unknown', code: 'provider_unavailable' };

export const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unparsable_answer' };

/** What is not understood is unknown, too. */
export const unknownOf = ({ outcome, code, providerReference }: Given): UnknownOutcome =>
  outcome === 'unknown'
    ? { outcome, code: codeOf(code, 'unknown'), ...(isReference(providerReference) && { providerReference }) }
    : UNREADABLE;

export const refusalOf = ({ code, message, recovery }: Given, otherwise: string): Refused => ({
  code: codeOf(code, otherwise),
  message: scrub(message),
  recovery: recoveryOf(recovery),
});

/** The fields of an object; none of anything else. */
export const fieldsOf = (value: unknown): Given =>
  typeof value === 'object' && value !== null ? (value as Given) : {};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text that says something. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What the other side calls the matter: without one nobody could prove it later. */
export const isReference = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= REFERENCE_MAX && !value.includes('\0');

/** A code in snake_case, else `otherwise`. */
export const codeOf = (code: unknown, otherwise: string): string =>
  typeof code === 'string' && CODE.test(code) ? code : otherwise;

const recoveryOf = (recovery: unknown): Recovery => RECOVERIES.find((known) => known === recovery) ?? 'none';

/** The code of a call that ended in an error. */
export function faultCode(error: unknown, otherwise: string): string {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? 'connection_failed' : otherwise;
}

/** What the other side says, fit to be shown: no addresses, keys or long numbers. */
export function scrub(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .replace(/\b(?:https?|wss?):\/\/\S+/gi, '[address]')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '[address]')
    .replace(/\b\d(?:[ -]?\d){11,18}\b/g, '[number]')
    .replace(/\bBearer\s+\S+|\bsk_\w+/gi, '[secret]')
    .replace(/\b[A-Za-z0-9+/=_-]{24,}\b/g, '[secret]')
    .replaceAll('\0', '')
    .slice(0, TEXT_MAX)
    .toWellFormed();
}

/** What somebody outside says by itself, as it arrived. */
export interface CallbackRequest {
  readonly body: Buffer;
  /** Names in lower case; a header that came twice is left out. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * Of the address that was called; a name that came twice is left out. Some companies sign nothing: what stands in the
   * address that they were given is all that tells them from others.
   */
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** Of a name that came twice nobody can say which one is meant. */
export function callbackOf(
  body: Buffer | undefined,
  {
    raw: { rawHeaders, url = '' },
  }: { readonly raw: { readonly rawHeaders: readonly string[]; readonly url?: string } },
): CallbackRequest {
  const headers: Record<string, string | undefined> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    headers[name] = Object.hasOwn(headers, name) ? undefined : rawHeaders[i + 1];
  }
  const query: Record<string, string | undefined> = {};
  for (const [name, value] of new URLSearchParams(url.split('?')[1] ?? ''))
    query[name] = Object.hasOwn(query, name) ? undefined : value;
  return { body: body ?? Buffer.alloc(0), headers, query };
}

const callbacks = new Counter({
  name: 'gateway_callbacks_total',
  help: 'Callbacks of gateways, banks and providers: `genuine`, `forged`, or about nothing of ours (`other`).',
  labelNames: ['gateway', 'outcome'],
  registers: [registry],
});

const log = new Logger('callbacks');

/** A callback that whoever it names did not sign. */
class ForgedCallback extends DomainError {
  constructor() {
    super({
      code: 'invalid_signature',
      kind: 'unauthenticated',
      title: 'Invalid signature',
      recovery: 'caller_must_fix',
      detail: 'The callback is not signed by this gateway.',
    });
  }
}

/**
 * What an adapter makes of a callback; null: it is genuine, and about nothing of ours. An adapter that throws has not
 * found it genuine. Throws `ForgedCallback`.
 */
export async function heard<Result extends { readonly outcome: 'genuine' | 'other' | 'forged' }>(
  name: string,
  verify: () => unknown,
  parse: (value: unknown) => Result,
): Promise<Extract<Result, { readonly outcome: 'genuine' }> | null> {
  let value: unknown;
  try {
    value = await verify();
  } catch (error) {
    log.warn({ message: 'a callback could not be verified', gateway: name, err: error });
  }
  const result = parse(value);
  callbacks.inc({ gateway: name, outcome: result.outcome });
  if (result.outcome === 'forged') throw new ForgedCallback();
  return result.outcome === 'genuine' ? (result as Extract<Result, { readonly outcome: 'genuine' }>) : null;
}
