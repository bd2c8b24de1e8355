import { type Currency, isCurrency } from '../../core/money/money';
import type {
  Delivered,
  FindResult,
  NotDelivered,
  Order,
  ProviderResult,
  Refusal,
} from '../../modules/purchases/purchases.provider';
import {
  ACCOUNT_LOCKED,
  AMOUNT_NOT_SOLD,
  FLOAT_EMPTY,
  INVALID_RECIPIENT,
  LIMIT_REACHED,
  OPERATOR_UNKNOWN,
  refused,
} from '../../modules/purchases/refusals';
import { fieldsOf, type Given, isObject, isText, type UnknownOutcome } from '../../providers/answers';
import { minorOf } from '../../providers/decimals';
import type { CompanyAnswer } from '../../providers/http';

/** What a reader must know of the order that the answer is about. */
export type Asked = Pick<Order, 'reference' | 'currency' | 'providerReference'>;

const RECIPIENT_LIMIT: Refusal = {
  code: 'recipient_limit_reached',
  message: 'The number was topped up as much as its operator allows.',
  recovery: 'retry_later',
  retryElsewhere: true,
};

const PRODUCT_NOT_SOLD: Refusal = {
  code: 'product_not_sold',
  message: 'The provider does not sell this for the operator.',
  recovery: 'caller_must_fix',
  retryElsewhere: true,
};

/**
 * `code`s of errors that refuse a request, each before anything is done, whatever the order: those about our account,
 * too. 5xx and what is not listed refuse nothing.
 */
export const ERRORS: Readonly<Record<string, Refusal>> = {
  1000400: {
    code: 'invalid_request',
    message: 'The provider did not understand the order.',
    recovery: 'none',
    retryElsewhere: true,
  },
  1000429: LIMIT_REACHED,
  1003001: PRODUCT_NOT_SOLD,
  1003002: AMOUNT_NOT_SOLD,
  1003003: {
    code: 'currency_not_sold',
    message: 'The provider does not sell amounts of this currency for this operator.',
    recovery: 'caller_must_fix',
    retryElsewhere: true,
  },
  1005003: INVALID_RECIPIENT,
  1005004: PRODUCT_NOT_SOLD,
  1005005: OPERATOR_UNKNOWN,
  1005006: OPERATOR_UNKNOWN,
  1006001: FLOAT_EMPTY,
  1006009: ACCOUNT_LOCKED,
};

/** Why a transaction ended without success: what follows `REJECTED-` (DT One) or `DECLINED-` (the operator). */
export const REASONS: Readonly<Record<string, Refusal>> = {
  'INVALID-CREDIT-PARTY': INVALID_RECIPIENT,
  'BARRED-CREDIT-PARTY': {
    code: 'recipient_barred',
    message: 'The operator sells nothing to this number.',
    recovery: 'recipient_must_act',
    retryElsewhere: false,
  },
  'INELIGIBLE-CREDIT-PARTY': {
    code: 'recipient_not_eligible',
    message: 'The operator does not sell this to the number.',
    recovery: 'caller_must_fix',
    retryElsewhere: true,
  },
  'INVALID-DEBIT-PARTY': ACCOUNT_LOCKED,
  'BARRED-DEBIT-PARTY': ACCOUNT_LOCKED,
  'LIMITATIONS-ON-OPERATOR-AMOUNT': LIMIT_REACHED,
  'LIMITATIONS-ON-OPERATOR-QUANTITY': LIMIT_REACHED,
  'LIMITATIONS-ON-CUSTOMER-AMOUNT': LIMIT_REACHED,
  'LIMITATIONS-ON-CUSTOMER-QUANTITY': LIMIT_REACHED,
  'LIMITATIONS-ON-CREDIT-PARTY-AMOUNT': RECIPIENT_LIMIT,
  'LIMITATIONS-ON-CREDIT-PARTY-QUANTITY': RECIPIENT_LIMIT,
  // The operator takes it for one that it had before: another provider would sell that one once more.
  'DUPLICATED-TRANSACTION': {
    code: 'recently_recharged',
    message: 'The number had a top-up like this one just before.',
    recovery: 'retry_later',
    retryElsewhere: false,
  },
  'OPERATOR-CURRENTLY-UNAVAILABLE': {
    code: 'operator_unavailable',
    message: 'The operator sells nothing at the moment.',
    recovery: 'retry_later',
    retryElsewhere: true,
  },
  'INSUFFICIENT-BALANCE': FLOAT_EMPTY,
};

/** Of a class that gives no reason, or one that is not listed: the money came back all the same. */
const NOT_TOPPED_UP: Refusal = {
  code: 'topup_failed',
  message: 'The operator did not deliver the top-up.',
  recovery: 'retry_later',
  retryElsewhere: true,
};

/** Classes of statuses, which decide; with their ids. */
const CLASSES = {
  CREATED: 1,
  CONFIRMED: 2,
  REJECTED: 3,
  CANCELLED: 4,
  SUBMITTED: 5,
  COMPLETED: 7,
  REVERSED: 8,
  DECLINED: 9,
} as const;
type Class = keyof typeof CLASSES;

/** "In rare cases" somebody there takes back what was completed: looked at so often, beside their callback. */
const RECHECK_MS = 2 * 24 * 60 * 60_000;

const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unreadable_answer' };

/** The reference was sold under before: what became of it says the list. */
export const REFERENCE_USED: UnknownOutcome = { outcome: 'unknown', code: 'reference_already_used' };

/** They promise that it cannot be. For a person to see. */
const SOLD_TWICE: UnknownOutcome = { outcome: 'unknown', code: 'sold_more_than_once' };

const NOT_KNOWN = { outcome: 'not_known' } as const;

const TAKEN_BACK = {
  outcome: 'reversed',
  code: 'reversed_by_provider',
  message: 'The provider took the top-up back.',
} as const;

/** `{errors: [{code, message}]}`; null: another answer. */
function errorsOf(body: unknown): string[] | null {
  const { errors } = fieldsOf(body);
  return Array.isArray(errors) && errors.length > 0 ? errors.map((error) => String(fieldsOf(error).code)) : null;
}

const isRefusing = (code: string): boolean => Object.hasOwn(ERRORS, code);

/** Why they refuse, if they do: a 4xx whose errors are all listed. */
export function refusalOf({ status, body }: CompanyAnswer): NotDelivered | null {
  const codes = errorsOf(body);
  return status >= 400 && status < 500 && codes?.every(isRefusing) ? refused(ERRORS[codes[0]!]!) : null;
}

/** What `POST /sync/transactions` and `POST /async/transactions` answer. */
export function resultOf(answer: CompanyAnswer, asked: Asked): ProviderResult {
  if (answer.status === 200 || answer.status === 201) return asResult(outcomeOf(answer.body, asked));
  if (answer.status === 400 && errorsOf(answer.body)?.includes('1007001')) return REFERENCE_USED;
  return refusalOf(answer) ?? UNREADABLE;
}

/** What `GET /transactions/{id}` answers. Only words about the transaction end it. */
export function transactionOf({ status, body }: CompanyAnswer, asked: Asked): FindResult {
  return status === 200 ? aboutOrder(outcomeOf(body, asked)) : UNREADABLE;
}

/** What `GET /transactions?external_id=…` answers. */
export function listingOf(answer: CompanyAnswer & { readonly headers: Given }, asked: Asked): FindResult {
  const { status, body, headers } = answer;
  if (status === 404) return errorsOf(body)?.every((code) => code === '1008004') ? NOT_KNOWN : UNREADABLE;
  if (status !== 200 || !Array.isArray(body)) return UNREADABLE;
  if (body.length === 0) return (headers['x-total'] ?? '0') === '0' ? NOT_KNOWN : UNREADABLE;
  const ours = body.filter((row) => fieldsOf(row).external_id === asked.reference);
  if (ours.length > 1) return SOLD_TWICE;
  return ours.length === 1 ? aboutOrder(outcomeOf(ours[0], asked)) : UNREADABLE;
}

type Outcome = ProviderResult | typeof TAKEN_BACK;

const aboutOrder = (outcome: Outcome): FindResult =>
  outcome.outcome === 'not_delivered' ? { ...outcome, about: 'order' } : outcome;

/** Whoever sells hears nothing of what was taken back before: the requery tells. */
export const asResult = (outcome: Exclude<FindResult, typeof NOT_KNOWN> | Outcome): ProviderResult =>
  outcome.outcome === 'reversed' ? { outcome: 'unknown', code: outcome.code } : outcome;

/** A transaction. Every field may be missing or wrong: the answer comes from elsewhere. */
function outcomeOf(body: unknown, asked: Asked): Outcome {
  const told = fieldsOf(body);
  const id = idOf(told.id);
  const isOurs = told.external_id === asked.reference && (asked.providerReference ?? id) === id;
  const { message } = fieldsOf(told.status);
  const of = classOf(told.status);
  if (id === null || !isOurs || of === null || typeof message !== 'string') return UNREADABLE;
  switch (of) {
    case 'CREATED':
    case 'CONFIRMED':
    case 'SUBMITTED':
      return { outcome: 'accepted', providerReference: id };
    case 'COMPLETED':
      return deliveryOf(told, id, asked.currency);
    case 'REVERSED':
      return TAKEN_BACK;
    case 'CANCELLED':
      return refused(NOT_TOPPED_UP);
    case 'REJECTED':
    case 'DECLINED':
      return refused(reasonOf(message.slice(of.length + 1)));
  }
}

/** `{id: 90200, message: 'DECLINED-INVALID-CREDIT-PARTY', class: {id: 9, message: 'DECLINED'}}`. */
function classOf(status: unknown): Class | null {
  const { message, class: of } = fieldsOf(status);
  const { id, message: word } = fieldsOf(of);
  const isKnown = (given: unknown): given is Class => typeof given === 'string' && Object.hasOwn(CLASSES, given);
  if (!isKnown(word) || CLASSES[word] !== id) return null;
  return message === word || (typeof message === 'string' && message.startsWith(`${word}-`)) ? word : null;
}

const reasonOf = (reason: string): Refusal => (Object.hasOwn(REASONS, reason) ? REASONS[reason]! : NOT_TOPPED_UP);

function deliveryOf(told: Given, id: string, currency: Currency): ProviderResult {
  const deliveredAmount = amountOf(told, currency);
  if (deliveredAmount === null) return UNREADABLE;
  const cost = costOf(told, currency);
  const secrets = pinOf(told.pin);
  return {
    outcome: 'delivered',
    providerReference: id,
    ...(deliveredAmount !== undefined && { deliveredAmount }),
    ...cost,
    details: { operator_reference: isText(told.operator_reference) ? told.operator_reference : null },
    ...(secrets && { secrets }),
    recheckAfterMs: RECHECK_MS,
  };
}

/**
 * What arrived, in the order's currency, rounded down; null: they say it, and it is no such amount. Of a product with a
 * fixed value they say nothing: `undefined`, as all of it arrived or none.
 */
function amountOf({ adjusted_values: adjusted, requested_values: requested }: Given, currency: Currency) {
  const values = adjusted ?? requested;
  if (values === undefined || values === null) return undefined;
  const { destination, source } = fieldsOf(values);
  const told = [destination, source].map(fieldsOf).find(({ unit }) => unit === currency);
  return minorOf(told?.amount, currency)?.down || null;
}

/** What our balance went down by, rounded up, in the currency that it has; nothing where nothing is said. */
function costOf({ prices }: Given, currency: Currency): Pick<Delivered, 'cost' | 'costCurrency'> {
  const { unit, amount, fee } = fieldsOf(fieldsOf(prices).wholesale);
  if (!isCurrency(unit)) return {};
  const [price, more] = [amount, fee ?? 0].map((part) => minorOf(part, unit));
  if (!price || !more || price.up + more.up === 0n) return {};
  return { cost: price.up + more.up, ...(unit !== currency && { costCurrency: unit }) };
}

/** Of products that are PINs, and in the sandbox: what the recipient enters. */
function pinOf(pin: unknown): Delivered['secrets'] | null {
  const { code, serial } = fieldsOf(pin);
  return isObject(pin) && isText(code) ? { pin: code, serial: isText(serial) ? serial : null } : null;
}

export function idOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,18}$/.test(text) ? text : null;
}
