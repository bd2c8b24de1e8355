import { TRANSACTION_TYPES } from '../../../../src/vocabulary/products';
import type { Schemas } from '../../api/public-api';
import type { FilterField } from '../../ui/filters';
import { flagOf, REVIEW_FILTER } from '../../ui/list-filters';
import { CURRENCIES, type Currency, toMinorOrZero } from '../../ui/money';
import { dayStartIn } from '../../ui/time';

const STATUSES = [
  'pending',
  'processing',
  'successful',
  'failed',
  'cancelled',
  'reversed',
] as const satisfies readonly Schemas['Transaction']['status'][];

/** Amounts are of a currency: 500 may be 50,000 minor units, or 500. */
export function transactionFilters(currency: string | undefined): readonly FilterField[] {
  const amount = currency
    ? { problem: (text: string) => (toMinorOrZero(text, currency) === null ? `No amount of ${currency}` : null) }
    : { locked: 'choose a currency' };
  return [
    { name: 'type', label: 'Type', options: TRANSACTION_TYPES, several: true },
    { name: 'status', label: 'Status', options: STATUSES, several: true },
    REVIEW_FILTER,
    { name: 'direction', label: 'Direction', options: ['debit', 'credit'] },
    { name: 'currency', label: 'Currency', options: CURRENCIES },
    { name: 'amount_from', label: 'Amount from', ...amount },
    { name: 'amount_to', label: 'Amount to', ...amount },
    { name: 'reference', label: 'Reference' },
    { name: 'recipient', label: 'Recipient' },
    { name: 'wallet_id', label: 'Wallet', whole: true },
    { name: 'from', label: 'From day', type: 'date' },
    { name: 'to', label: 'To day', type: 'date' },
  ];
}

type Filters = Readonly<Record<string, string | undefined>>;

/** What the API is asked for: amounts in minor units, days as the moments at which they begin and end there. */
export function transactionQuery(filters: Filters, timeZone: string) {
  const { type, status, currency, direction, needs_review: review, amount_from, amount_to, ...rest } = filters;
  const minor = (text: string | undefined) =>
    (text && currency ? toMinorOrZero(text, currency) : undefined) ?? undefined;
  return {
    type,
    status,
    currency: currency as Currency | undefined,
    direction: direction as Schemas['Transaction']['direction'] | undefined,
    needs_review: flagOf(review),
    amount_gte: minor(amount_from),
    amount_lte: minor(amount_to),
    reference: rest.reference,
    recipient: rest.recipient,
    wallet_id: rest.wallet_id,
    created_gte: dayStartIn(timeZone, rest.from),
    created_lt: dayStartIn(timeZone, rest.to, 1),
  };
}
