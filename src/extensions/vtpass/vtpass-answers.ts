import type { Recovery } from '../../core/errors/domain-error';
import { fromMajor } from '../../core/money/money';
import type {
  Delivered,
  FindResult,
  NotDelivered,
  ProviderResult,
  Refusal,
} from '../../modules/purchases/purchases.provider';
import {
  type AboutOrder,
  fieldsOf,
  type Given,
  isObject,
  isReference,
  type UnknownOutcome,
} from '../../providers/answers';
import type { CompanyAnswer } from '../../providers/http';

/** What an answer is held against. */
export interface Sale {
  /** What the order is called there. */
  readonly requestId: string;
  /** VTpass tells how much arrived: of airtime and of electricity. Of what has a price of theirs it does not. */
  readonly tellsAmount: boolean;
  /** Facts of a delivery; null: what was bought is not in the answer yet. */
  readonly goodsOf: (body: Given) => Pick<Delivered, 'details' | 'secrets'> | null;
}

const refusal = (code: string, message: string, recovery: Recovery): Refusal => ({
  code,
  message,
  recovery,
  retryElsewhere: true,
});

const sellsNothing = (code: string): Refusal => refusal(code, 'The provider cannot sell at the moment.', 'retry_later');

const FAILED = refusal('transaction_failed', 'The operator did not carry the order out.', 'retry_later');
const REVERSED = refusal('reversed_by_provider', 'The provider took the order back.', 'retry_later');

/** What VTpass says of the order itself, when it is sent and when it is asked about. */
export const OF_ORDER: Readonly<Record<string, Refusal>> = {
  '016': FAILED,
  '091': refusal('not_processed', 'The provider did not process the order.', 'retry_later'),
};

/**
 * Why VTpass takes no order: with these words nothing was begun. They end an order that is being sent; of one that was
 * sent before they say nothing.
 */
export const REFUSALS: Readonly<Record<string, Refusal>> = {
  ...OF_ORDER,
  '010': refusal('item_not_sold', 'The provider does not sell this item.', 'none'),
  '011': refusal('order_incomplete', 'The provider takes no such order.', 'none'),
  '012': refusal('product_not_sold', 'The provider does not sell this product.', 'none'),
  '013': refusal('amount_too_small', 'The amount is below what the provider sells.', 'caller_must_fix'),
  '017': refusal('amount_too_large', 'The amount is above what the provider sells.', 'caller_must_fix'),
  '018': sellsNothing('provider_float_empty'),
  '021': sellsNothing('provider_account_locked'),
  '022': sellsNothing('provider_account_suspended'),
  '023': sellsNothing('provider_access_disabled'),
  '024': sellsNothing('provider_account_inactive'),
  '027': sellsNothing('provider_address_refused'),
  '028': sellsNothing('provider_product_disabled'),
  '030': refusal('operator_unavailable', 'The operator cannot be reached.', 'retry_later'),
  '031': refusal('quantity_too_small', 'The quantity is below what the provider sells.', 'caller_must_fix'),
  '032': refusal('quantity_too_large', 'The quantity is above what the provider sells.', 'caller_must_fix'),
  '034': refusal('product_suspended', 'The provider does not sell this product at the moment.', 'retry_later'),
  '035': refusal('product_inactive', 'The provider does not sell this product at the moment.', 'retry_later'),
  '087': sellsNothing('provider_credentials_refused'),
};

/**
 * Why VTpass takes no order because of one that it may have had before, perhaps this very one: only a requery tells. A
 * refusal when that finds none; null: then nobody knows.
 */
export const OF_EARLIER: Readonly<Record<string, Refusal | null>> = {
  '014': null,
  '019': refusal('likely_duplicate', 'The provider had the same order half a minute ago.', 'retry_later'),
  // The day ended in Lagos between the reference and the order.
  '085': refusal('request_out_of_date', 'The provider takes no order of yesterday.', 'retry_later'),
};

/** An operator may have VTpass take back what was delivered: looked at so often, beside their callback. */
const RECHECK_MS = 24 * 3_600_000;

const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unreadable_answer' };

/** The code of an answer about this order or about none; null where it is about another, or none of theirs. */
export function codeIn({ status, body }: CompanyAnswer, requestId: string): string | null {
  // Beside `{"code":"087"}`: seen of its sandbox, though not in the documentation.
  if (status === 401 && body === 'Invalid Credentials.') return '087';
  const { code, requestId: about } = fieldsOf(body);
  const isOurs = isObject(body) && (about === undefined || about === requestId);
  const isTold = status === 200 || (status === 401 && code === '087');
  return isOurs && isTold && typeof code === 'string' ? code : null;
}

/**
 * The outcome, if the answer leaves no doubt about it. `000` only says that the order was processed: what became of it
 * stands in `content.transactions.status`.
 */
export function resultOf(answer: CompanyAnswer, sale: Sale, listed = REFUSALS): ProviderResult {
  const code = codeIn(answer, sale.requestId);
  if (code === null) return UNREADABLE;
  if (Object.hasOwn(listed, code)) return { outcome: 'not_delivered', ...listed[code]! };
  const body = fieldsOf(answer.body);
  if (code === '099') return { outcome: 'accepted', ...theirReference(body) };
  if (code !== '000' && code !== '040')
    return { outcome: 'unknown', code: /^\d{3}$/.test(code) ? `code_${code}` : 'unreadable_answer' };
  return body.requestId === sale.requestId ? stateOf(code, body, sale) : UNREADABLE;
}

/** The same for an order that was sent before: only words about it end it. */
export function findingOf(answer: CompanyAnswer, sale: Sale): FindResult {
  if (codeIn(answer, sale.requestId) === '015') return { outcome: 'not_known' };
  const result = resultOf(answer, sale, OF_ORDER);
  if (result.outcome !== 'not_delivered') return result;
  const { code, message } = result;
  return code === REVERSED.code ? { outcome: 'reversed', code, message } : aboutOrder(result);
}

const aboutOrder = (result: NotDelivered): NotDelivered & AboutOrder => ({ ...result, about: 'order' });

/** What follows of a requery for an order that VTpass would not take because of an earlier one. */
export function resultOfEarlier(code: string, found: FindResult): ProviderResult {
  if (found.outcome === 'reversed') return { outcome: 'not_delivered', ...REVERSED };
  if (found.outcome !== 'not_known') return found;
  const reason = OF_EARLIER[code] ?? null;
  return reason === null ? { outcome: 'unknown', code: 'request_id_taken' } : { outcome: 'not_delivered', ...reason };
}

function stateOf(code: string, body: Given, sale: Sale): ProviderResult {
  const { status } = transactionIn(body);
  if (status === 'reversed') return { outcome: 'not_delivered', ...REVERSED };
  if (code !== '000') return UNREADABLE;
  if (status === 'initiated' || status === 'pending') return { outcome: 'accepted', ...theirReference(body) };
  if (status === 'failed') return { outcome: 'not_delivered', ...FAILED };
  return status === 'delivered' ? deliveryOf(body, sale) : UNREADABLE;
}

function deliveryOf(body: Given, { tellsAmount, goodsOf }: Sale): ProviderResult {
  const { transactionId, amount, total_amount: total } = transactionIn(body);
  const deliveredAmount = fromMajor(amount, 'NGN');
  const cost = total === undefined || total === null ? undefined : roundedKobo(total);
  const isProven = isReference(transactionId) && cost !== null && cost !== 0n;
  if (!isProven || (tellsAmount && !deliveredAmount)) return UNREADABLE;
  const goods = goodsOf(body);
  // Paid for and done, and what the customer waits for is not there: it is asked for again.
  if (goods === null) return { outcome: 'accepted', providerReference: transactionId };
  return {
    outcome: 'delivered',
    providerReference: transactionId,
    ...(tellsAmount && { deliveredAmount: deliveredAmount! }),
    ...(cost !== undefined && { cost }),
    ...goods,
    recheckAfterMs: RECHECK_MS,
  };
}

const transactionIn = (body: Given): Given => fieldsOf(fieldsOf(body.content).transactions);

function theirReference(body: Given): { providerReference?: string } {
  const { transactionId } = transactionIn(body);
  return isReference(transactionId) ? { providerReference: transactionId } : {};
}

/**
 * Kobo of an amount that VTpass reckoned: of a commission in percent, which may leave less than a kobo, and with a
 * computer's noise (`1081.8199999998`). To the nearest kobo; null for what is no amount.
 */
export function roundedKobo(value: unknown): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,20}))?$/.exec(String(value)) ?? [];
  if (whole === undefined || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const thousandths = BigInt(whole + fraction.slice(0, 3).padEnd(3, '0'));
  return (thousandths + 5n) / 10n;
}
