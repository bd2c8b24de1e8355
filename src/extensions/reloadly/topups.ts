import { type Currency, isCurrency } from '../../core/money/money';
import type {
  Accepted,
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
import { fieldsOf, type Given, isObject, type UnknownOutcome } from '../../providers/answers';
import { minorOf } from '../../providers/decimals';
import type { CompanyAnswer } from '../../providers/http';

/** What a reader must know of the order that the answer is about. */
export type Asked = Pick<Order, 'reference' | 'currency' | 'providerReference'>;

export const OPERATOR_UNAVAILABLE: Refusal = {
  code: 'operator_unavailable',
  message: 'The operator sells nothing at the moment.',
  recovery: 'retry_later',
  retryElsewhere: true,
};

export const CURRENCY_NOT_SOLD: Refusal = {
  code: 'currency_not_sold',
  message: 'The provider does not sell amounts of this currency for this operator.',
  recovery: 'caller_must_fix',
  retryElsewhere: true,
};

/** `errorCode`s that refuse an order, each before anything is done. What is not listed refuses nothing. */
export const OF_ORDER: Readonly<Record<string, Refusal>> = {
  INVALID_RECIPIENT_PHONE: INVALID_RECIPIENT,
  INVALID_PHONE_NUMBER: INVALID_RECIPIENT,
  COULD_NOT_AUTO_DETECT_OPERATOR: OPERATOR_UNKNOWN,
  OPERATOR_AND_RECIPIENT_PHONE_MISMATCH: {
    code: 'operator_mismatch',
    message: 'The number is not one of this operator.',
    recovery: 'caller_must_fix',
    retryElsewhere: true,
  },
  COUNTRY_NOT_SUPPORTED: {
    code: 'country_not_supported',
    message: 'The provider does not sell in this country.',
    recovery: 'caller_must_fix',
    retryElsewhere: true,
  },
  OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE: OPERATOR_UNAVAILABLE,
  OPERATOR_NOT_IN_SERVICE: OPERATOR_UNAVAILABLE,
  INVALID_AMOUNT: AMOUNT_NOT_SOLD,
  INVALID_AMOUNT_FOR_OPERATOR: AMOUNT_NOT_SOLD,
  INVALID_LOCAL_AMOUNT_FOR_OPERATOR: AMOUNT_NOT_SOLD,
  LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR: CURRENCY_NOT_SOLD,
  PHONE_RECENTLY_RECHARGED: {
    code: 'recently_recharged',
    message: 'The number was topped up less than two minutes ago.',
    recovery: 'retry_later',
    retryElsewhere: true,
  },
};

/** With those about our account: they end an order which is being sent, and say nothing of one that was sent before. */
export const REFUSALS: Readonly<Record<string, Refusal>> = {
  ...OF_ORDER,
  INSUFFICIENT_BALANCE: FLOAT_EMPTY,
  INACTIVE_ACCOUNT: ACCOUNT_LOCKED,
  ACCOUNT_NOT_FOUND: ACCOUNT_LOCKED,
  MAX_DAILY_TRANSACTION_COUNT_REACHED: LIMIT_REACHED,
  MAX_DAILY_TRANSACTION_AMOUNT_REACHED: LIMIT_REACHED,
  RATE_LIMIT_REACHED: LIMIT_REACHED,
};

/** A top-up that they took, and that the operator did not deliver. */
const NOT_TOPPED_UP: Refusal = {
  code: 'topup_failed',
  message: 'The operator did not deliver the top-up.',
  recovery: 'retry_later',
  retryElsewhere: true,
};

const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unreadable_answer' };

/** The reference was sold under before: what became of it says the report. */
export const REFERENCE_USED: UnknownOutcome = { outcome: 'unknown', code: 'reference_already_used' };

/** Their check of references is not atomic: two requests at once may both be sold. For a person to see. */
const SOLD_TWICE: UnknownOutcome = { outcome: 'unknown', code: 'sold_more_than_once' };

/** Why they refuse, if they do: a 4xx with an `errorCode` that is listed. Never a 5xx, nor another server's page. */
export function refusalOf({ status, body }: CompanyAnswer, listed = REFUSALS): NotDelivered | null {
  const { errorCode } = fieldsOf(body);
  const isListed = typeof errorCode === 'string' && Object.hasOwn(listed, errorCode);
  return status >= 400 && status < 500 && isListed ? refused(listed[errorCode]!) : null;
}

/** What `POST /topups` answers. A success and a refusal are both proven, everything else is unknown. */
export function resultOf(answer: CompanyAnswer, asked: Asked): ProviderResult {
  if (answer.status === 200) return outcomeOf(answer.body, asked);
  if (answer.status === 400 && fieldsOf(answer.body).errorCode === 'CUSTOM_IDENTIFIER_ALREADY_USED')
    return REFERENCE_USED;
  return refusalOf(answer) ?? UNREADABLE;
}

/** What `POST /topups-async` answers: that they have it, and what they call it. */
export function acceptanceOf(answer: CompanyAnswer, asked: Asked): ProviderResult {
  const id = answer.status === 200 ? idOf(fieldsOf(answer.body).transactionId) : null;
  if (id !== null) return { outcome: 'accepted', providerReference: id };
  return answer.status === 200 ? UNREADABLE : resultOf(answer, asked);
}

type Found = Exclude<FindResult, { readonly outcome: 'reversed' }>;

/** What `GET /topups/{transactionId}/status` answers. Only words about the top-up end it. */
export function statusOf({ status, body }: CompanyAnswer, asked: Asked): Found {
  return status === 200 ? aboutOrder(outcomeOf(body, asked)) : UNREADABLE;
}

/**
 * What `GET /topups/reports/transactions?customIdentifier=…` answers. What they refused leaves no record: a page that
 * says that there is nothing says that they do not know the reference.
 */
export function reportOf({ status, body }: CompanyAnswer, asked: Asked): Found {
  const { content, totalElements } = fieldsOf(body);
  if (status !== 200 || !Array.isArray(content)) return UNREADABLE;
  if (content.length === 0) return totalElements === 0 ? { outcome: 'not_known' } : UNREADABLE;
  const ours = content.filter((row) => fieldsOf(row).customIdentifier === asked.reference);
  if (ours.length > 1) return SOLD_TWICE;
  return ours.length === 1 ? aboutOrder(outcomeOf(ours[0], asked)) : UNREADABLE;
}

const aboutOrder = (result: ProviderResult): Found =>
  result.outcome === 'not_delivered' ? { ...result, about: 'order' } : result;

/**
 * A transaction comes by itself, or as `{code, message, status, transaction}`, where `transaction` is null until there
 * is something to tell of it. Every field may be missing or wrong: the answer comes from elsewhere.
 */
function outcomeOf(body: unknown, asked: Asked): ProviderResult {
  const said = fieldsOf(body);
  const topup = isObject(said.transaction) ? said.transaction : 'transactionId' in said ? said : null;
  if (topup === null ? said.transaction !== null : !isAbout(topup, asked)) return UNREADABLE;
  const status = said.status ?? topup?.status;
  if (topup?.status !== undefined && topup.status !== status) return UNREADABLE;
  if (status === 'PROCESSING') return acceptedOf(topup);
  if (status === 'SUCCESSFUL') return topup === null ? UNREADABLE : deliveryOf(topup, asked.currency);
  return status === 'FAILED' || status === 'REFUNDED' ? failureOf(said) : UNREADABLE;
}

function isAbout({ customIdentifier, transactionId }: Given, { reference, providerReference }: Asked): boolean {
  const id = idOf(transactionId);
  return customIdentifier === reference && id !== null && (providerReference === null || id === providerReference);
}

const acceptedOf = (topup: Given | null): Accepted => ({
  outcome: 'accepted',
  ...(topup !== null && { providerReference: idOf(topup.transactionId)! }),
});

/** FAILED: nothing was debited. REFUNDED: it came back. `code` may say why, in the words of refusals. */
function failureOf({ code }: Given): NotDelivered {
  const isListed = typeof code === 'string' && Object.hasOwn(OF_ORDER, code);
  return refused(isListed ? OF_ORDER[code]! : NOT_TOPPED_UP);
}

function deliveryOf(topup: Given, currency: Currency): ProviderResult {
  const delivered = deliveredOf(topup, currency);
  if (delivered === null || delivered === 0n) return UNREADABLE;
  const cost = costOf(topup, currency);
  const secrets = pinOf(topup.pinDetail);
  return {
    outcome: 'delivered',
    providerReference: idOf(topup.transactionId)!,
    deliveredAmount: delivered,
    ...cost,
    details: { operator_reference: textOf(topup.operatorTransactionId) },
    ...(secrets && { secrets }),
  };
}

/**
 * What arrived, in the order's currency; of an order in the sender's currency what was asked for, as what arrives is
 * told in the operator's. Rounded down to the minor unit.
 */
function deliveredOf(topup: Given, currency: Currency): bigint | null {
  if (topup.deliveredAmountCurrencyCode === currency) return minorOf(topup.deliveredAmount, currency)?.down ?? null;
  return topup.requestedAmountCurrencyCode === currency
    ? (minorOf(topup.requestedAmount, currency)?.down ?? null)
    : null;
}

/**
 * What our float went down by, rounded up, in the currency that it has; nothing where nothing is said. Without
 * `balanceInfo` it is the amount less the discount, and what the operator adds, if both are in the order's currency.
 */
function costOf(topup: Given, currency: Currency): Pick<Delivered, 'cost' | 'costCurrency'> {
  const { cost: told, currencyCode: unit } = fieldsOf(topup.balanceInfo);
  if (unit !== undefined && !isCurrency(unit)) return {};
  const isSilent = unit === undefined || (unit === currency && told === undefined);
  const cost = isSilent ? discounted(topup, currency) : minorOf(told, unit)?.up;
  if (!cost || cost < 0n) return {};
  return { cost, ...(!isSilent && unit !== currency && { costCurrency: unit }) };
}

function discounted(topup: Given, currency: Currency): bigint | null {
  const isOurs = topup.requestedAmountCurrencyCode === currency && topup.discountCurrencyCode === currency;
  const [asked, discount, fee] = [topup.requestedAmount, topup.discount, topup.fee ?? 0].map((amount) =>
    minorOf(amount, currency),
  );
  return isOurs && asked && discount && fee ? asked.up - discount.down + fee.up : null;
}

/** Of operators that sell PINs: what the recipient enters. */
function pinOf(detail: unknown): Delivered['secrets'] | null {
  const { code, serial } = fieldsOf(detail);
  const pin = textOf(code);
  return pin === null ? null : { pin, serial: textOf(serial) };
}

export function idOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,18}$/.test(text) ? text : null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
