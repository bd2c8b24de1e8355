import { fromMajor } from '../../core/money/money';
import type {
  Arrival,
  ConfirmedArrival,
  ConfirmResult,
  ListResult,
  TransferQuestion,
} from '../../modules/virtual-accounts/virtual-accounts.provider';
import { fieldsOf, type Given, isObject, isReference, isText, UNREADABLE } from '../../providers/answers';
import type { CompanyAnswer } from '../../providers/http';
import { CURRENCY, plain, saidBy } from './monnify';
import { timeOf } from './monnify-time';

const PRODUCT = 'RESERVED_ACCOUNT';

/** https://developers.monnify.com/docs/collections/manage-payments/verify-transactions, read on 2026-11-25. */
const STATES: Readonly<Record<string, 'received' | 'pending' | 'refunded' | 'returned'>> = {
  PAID: 'received',
  OVERPAID: 'received',
  PARTIALLY_PAID: 'received',
  // By whom and how much of it the refunds say.
  REFUNDED: 'refunded',
  PENDING: 'pending',
  REVERSED: 'returned',
};

const UNHEARD_OF: ReadonlySet<string> = new Set([
  'could not find transaction with the specified transaction reference',
  "there's no transaction matching supplied reference. please confirm supplied reference and try again",
  "there's no transaction matching supplied reference. please confirm the supplied reference and try again",
]);

/** `refunded`: the payer has it, or a part of it, back; by us or by somebody at Monnify's dashboard. */
export type Confirmation = ConfirmResult | (Omit<ConfirmedArrival, 'outcome'> & { readonly outcome: 'refunded' });

/** What Monnify says of a transfer into a reserved account. `account`: our reference of it, as Monnify has it. */
export function confirmationOf(answer: CompanyAnswer, { providerReference }: TransferQuestion): Confirmation {
  const said = saidBy(answer);
  if (said.kind === 'no') return UNHEARD_OF.has(plain(said.message)) ? { outcome: 'not_known' } : UNREADABLE;
  if (said.kind === 'nonsense' || said.body.transactionReference !== providerReference) return UNREADABLE;
  const { paymentStatus: status, paidOn, currency } = said.body;
  const state = isText(status) && Object.hasOwn(STATES, status) ? STATES[status]! : null;
  if (state === null) return UNREADABLE;
  if (state === 'pending') return { outcome: 'awaiting' };
  const arrival = arrivalOf(said.body, currency);
  const arrivedAt = timeOf(paidOn);
  if (arrival === null || arrivedAt === null) return UNREADABLE;
  const { accountName, accountNumber, bankName, sessionId } = payerOf(said.body);
  return {
    outcome: state,
    ...arrival,
    ...feeOf(said.body, arrival.amount),
    payer: { name: textOf(accountName) ?? '', bank: textOf(bankName), accountNumber: textOf(accountNumber) },
    sessionId: textOf(sessionId),
    arrivedAt,
  };
}

/** What Monnify settles is less than what was paid; nothing is said before it is settled. */
function feeOf({ settlementAmount }: Given, amount: bigint): { readonly fee?: bigint } {
  const settled = fromMajor(settlementAmount, CURRENCY);
  return settled === null || settled === 0n || settled > amount ? {} : { fee: amount - settled };
}

const textOf = (value: unknown): string | null => (isText(value) ? value : null);

/** Null: it is about no transfer into a reserved account. Amounts are numbers or text, in naira. */
export function arrivalOf(data: Given, currency: unknown): Arrival | null {
  const { type, reference } = fieldsOf(data.product);
  const amount = fromMajor(data.amountPaid, CURRENCY);
  const { transactionReference: providerReference } = data;
  if (type !== PRODUCT || currency !== CURRENCY || amount === null || amount === 0n) return null;
  if (!isReference(reference) || !isReference(providerReference)) return null;
  return { providerReference, account: reference, amount, currency };
}

/** Queries call it `accountDetails`, newer ones `paymentSourceInformation`: one, or a list of them. */
function payerOf({ accountDetails, accountPayments, paymentSourceInformation }: Given): Given {
  const given = [accountDetails, accountPayments, paymentSourceInformation].flat();
  return (given.find((one) => isObject(one) && isText(one.accountName)) as Given | undefined) ?? {};
}

/** What is our account of an e-mail address that was made of its reference. */
const accountOf = (email: unknown, domain: string): string | null =>
  isText(email) && email.toLowerCase().endsWith(`@${domain.toLowerCase()}`) ? email.slice(0, -domain.length - 1) : null;

/** A page of the search. It has no reference of the account; the e-mail address of its customer tells it. */
export function pageOf(answer: CompanyAnswer, emailDomain: string): ListResult {
  const said = saidBy(answer);
  if (said.kind !== 'yes') return UNREADABLE;
  const { content, last, number } = said.body;
  if (!Array.isArray(content) || typeof last !== 'boolean' || typeof number !== 'number') return UNREADABLE;
  const arrivals: Arrival[] = [];
  for (const row of content.map(fieldsOf)) {
    const account = accountOf(fieldsOf(row.customerDTO).email, emailDomain);
    // Of some other business of the merchant.
    if (row.collectionChannel !== PRODUCT || account === null) continue;
    const told = { ...row, product: { type: PRODUCT, reference: account }, amountPaid: row.amountPaid ?? row.amount };
    const arrival = arrivalOf(told, row.currencyCode);
    if (arrival === null) return UNREADABLE;
    arrivals.push(arrival);
  }
  return { outcome: 'listed', arrivals, next: last ? null : `${number + 1}` };
}

/** What Monnify says of the refund of a transfer. */
export type RefundState = 'none' | 'pending' | 'completed' | 'failed' | 'unreadable';

/** That there is no refund of a reference; the second where refunds were not enabled for us: then there is none. */
const NO_REFUND: ReadonlySet<string> = new Set([
  'no refund was initiated with the supplied refund reference',
  'merchant is not permitted to perform this operation',
]);

/** `amount`: that is asked back, in minor units. */
export function refundOf(
  answer: CompanyAnswer,
  refund: { readonly reference: string; readonly amount: bigint },
): RefundState {
  const said = saidBy(answer);
  if (said.kind === 'no') return said.code === 'R7' || NO_REFUND.has(plain(said.message)) ? 'none' : 'unreadable';
  if (said.kind === 'nonsense') return 'unreadable';
  const { refundReference, refundAmount, refundStatus } = said.body;
  if (refundReference !== refund.reference || fromMajor(refundAmount, CURRENCY) !== refund.amount) return 'unreadable';
  return isText(refundStatus) && Object.hasOwn(REFUNDS, refundStatus) ? REFUNDS[refundStatus]! : 'unreadable';
}

const REFUNDS: Readonly<Record<string, RefundState>> = {
  PENDING: 'pending',
  IN_PROGRESS: 'pending',
  COMPLETED: 'completed',
  FAILED: 'failed',
};
