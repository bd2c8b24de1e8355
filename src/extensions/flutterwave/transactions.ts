import { type Currency, isCurrency } from '../../core/money/money';
import type { QueryResult, Received, StartResult } from '../../modules/payments/gateway';
import { fieldsOf, type Given, isObject, isText, type UnknownOutcome } from '../../providers/answers';
import type { CompanyAnswer } from '../../providers/http';
import { envelopeOf, idOf, isRefusal, minorOf, roundedMinor, UNREADABLE } from './flutterwave';

/** Words at a refusal that leave it open whether an earlier request has opened the page. */
const OF_EARLIER = /duplicate|already|exist|tx_ref|reference/;

/** Whether a page is open. What fails Flutterwave's validation was not opened; everything else is unknown. */
export function startOf(answer: CompanyAnswer): StartResult {
  const envelope = envelopeOf(answer);
  if (envelope === null) return UNREADABLE;
  if (isRefusal(envelope) && envelope.http === 400)
    return OF_EARLIER.test(envelope.words) ? { outcome: 'unknown', code: 'page_lost' } : REFUSED;
  const { link } = fieldsOf(envelope.isDone ? envelope.data : null);
  const page = isText(link) ? URL.parse(link) : null;
  const name = page?.pathname.split('/').at(-1);
  return page?.protocol === 'https:' && isText(name)
    ? { outcome: 'started', gatewayReference: name, pageUrl: page.href }
    : UNREADABLE;
}

const REFUSED: StartResult = {
  outcome: 'not_started',
  code: 'gateway_refused',
  message: 'Flutterwave takes no such payment.',
};

/** `attempt`: a transaction by our reference, whatever became of it. */
type Finding = UnknownOutcome | { readonly outcome: 'not_known' } | { readonly attempt: Given };

const NOT_FOUND = ['no transaction was found for this id', 'transaction not found'];

/** What Flutterwave has by the reference: nothing, as long as nobody has tried to pay. */
export function findingOf(answer: CompanyAnswer, reference: string): Finding {
  const envelope = envelopeOf(answer);
  if (isRefusal(envelope) && NOT_FOUND.includes(envelope.words)) return { outcome: 'not_known' };
  if (!envelope?.isDone || !isObject(envelope.data)) return UNREADABLE;
  const attempt = envelope.data;
  return isAbout(attempt, reference) ? { attempt } : UNREADABLE;
}

const isAbout = ({ id, tx_ref: reference, status }: Given, ours: string): boolean =>
  reference === ours && idOf(id) !== null && isText(status);

export const isPaid = ({ status }: Given): boolean => status === 'successful';

/** The rows that are about our reference: where Flutterwave does not heed the filter it lists all others, too. */
export const attemptsOf = (rows: readonly Given[], reference: string): readonly Given[] =>
  rows.filter((row) => isAbout(row, reference));

/** How it stands where no attempt is paid. `isOver`: our order has expired, and nobody tries again. */
export function standingOf(attempts: readonly Given[], isOver: boolean): QueryResult {
  const statuses = new Set(attempts.map(({ status }) => status));
  const isPending = statuses.delete('pending');
  statuses.delete('failed');
  if (statuses.size > 0) return UNREADABLE;
  if (isPending) return { outcome: 'processing' };
  // The page lets the payer try again, with another card for instance: an attempt failed, not yet the payment.
  return isOver ? DECLINED : { outcome: 'awaiting' };
}

const DECLINED = {
  outcome: 'failed',
  about: 'order',
  code: 'payment_declined',
  message: 'The payment was declined.',
  recovery: 'recipient_must_act',
} as const;

export type Came = Omit<Received, 'outcome' | 'currency'> & { readonly currency: Currency };

/** What arrived by an attempt that is paid; null: it is not told. */
export function receivedOf(attempt: Given): Came | null {
  const { id, amount, currency } = attempt;
  const reference = idOf(id);
  if (reference === null || !isCurrency(currency)) return null;
  const paid = minorOf(amount, currency);
  if (paid === null) return null;
  const fee = feeOf(attempt, { paid, currency });
  return { gatewayReference: reference, amount: paid, currency, ...(fee !== null && fee < paid && { fee }) };
}

/**
 * What Flutterwave keeps: what is not settled, which is its fee with taxes and stamp duty. As long as that is not told
 * the fee alone, but where the payer bore it on top.
 */
function feeOf(attempt: Given, { paid, currency }: { paid: bigint; currency: Currency }): bigint | null {
  const settled = roundedMinor(attempt.amount_settled, currency);
  if (settled !== null && settled > 0n && settled <= paid) return paid - settled;
  return minorOf(attempt.charged_amount, currency) === paid ? roundedMinor(attempt.app_fee, currency) : null;
}
