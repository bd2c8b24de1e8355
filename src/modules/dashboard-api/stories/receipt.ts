import { type Currency, displayMoney } from '../../../core/money/money';
import type { IdPrefix } from '../../../vocabulary/id-prefixes';
import type { TransactionType } from '../../../vocabulary/products';
import { describeLine } from '../../statements/statement-text';
import type { ReceiptDto } from './story.dto';
import type { Subject } from './story-links';

export type Receipt = ReceiptDto;

interface Facts extends Pick<Receipt, 'id' | 'livemode' | 'account'> {
  readonly at: Date;
  /** The same by the clocks of the account, with its time zone. */
  readonly local: string;
}

type Shown = Subject['shown'];

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const nameOf = (value: unknown): string | null => text((value as { name?: unknown } | null | undefined)?.name);

/** What it was, by what it is. Of what is not here there are no receipts. */
const TITLES: Readonly<Partial<Record<IdPrefix, (shown: Shown) => string>>> = {
  txn: ({ type, details }) =>
    describeLine({ type: type as TransactionType, details: details as Record<string, unknown> }),
  pay: ({ description }) => ['Payment', text(description)].filter(Boolean).join(', '),
  rfd: () => 'Refund to the payer',
  ctx: ({ type, merchant }) => [`Card ${String(type)}`, nameOf(merchant)].filter(Boolean).join(', '),
};

const recipientOf = ({ recipient, merchant, customer, counterparty }: Shown): string | null =>
  text(recipient) ?? nameOf(merchant) ?? nameOf(customer) ?? text(counterparty);

const money = (amount: unknown, currency: unknown): string | null =>
  typeof amount === 'number' && typeof currency === 'string'
    ? displayMoney({ amount: BigInt(amount), currency: currency as Currency })
    : null;

const listed = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** Null: of such a thing there is no receipt. */
export function receiptOf(prefix: IdPrefix, shown: Shown, { at, local, ...facts }: Facts): Receipt | null {
  const title = TITLES[prefix]?.(shown);
  if (title === undefined) return null;
  const { currency, status } = shown;
  const details = (shown.details ?? {}) as Readonly<Record<string, unknown>>;
  const lines: readonly (readonly [string, string | null])[] = [
    ['What', title],
    ['Recipient', recipientOf(shown)],
    ['Amount', money(shown.amount, currency)],
    ['Fee', money(shown.fee, currency)],
    ['Commission', shown.commission === 0 ? null : money(shown.commission, currency)],
    ['Total', money(shown.total, currency)],
    ['Sent back', shown.amount_refunded === 0 ? null : money(shown.amount_refunded, currency)],
    ['Settled', shown.settled_amount === 0 ? null : money(shown.settled_amount, currency)],
    ['Reference', text(shown.reference)],
    ["Provider's reference", text((shown.provider as { reference?: unknown } | null | undefined)?.reference)],
    ['State', text(status)],
    ['Time', local],
    ['Time in UTC', `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`],
    ['Id', facts.id],
  ];
  return {
    ...facts,
    title,
    status: text(status) ?? '',
    lines: lines.flatMap(([name, value]) => (value === null ? [] : [{ name, value }])),
    has_secrets: listed(details.tokens) || listed(details.pins),
  };
}
