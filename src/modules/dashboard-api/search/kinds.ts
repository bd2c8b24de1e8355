import { STATUS_NOW } from '../../ledger/ledger-rows';
import type { IdPrefix } from '../../../vocabulary/id-prefixes';
import type { Permission } from '../roles';

/** Something that people look for: which table has it, by which words it is known, and what is shown of it. */
export interface Kind {
  readonly prefix: IdPrefix;
  /** As the field `object` of the public API says it. */
  readonly type: string;
  readonly table: string;
  /** Of rows that are still shown. */
  readonly alive?: string;
  /** What only the shown rows are joined with. */
  readonly join?: string;
  readonly title: string;
  readonly subtitle?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly status?: string;
  /** The thing on whose page it stands, where it has none of its own. */
  readonly stands?: { readonly prefix: IdPrefix; readonly column: string };
  /** Texts of which a part may be typed. Never what is as good as cash: that is in none of these columns. */
  readonly words: readonly string[];
  /** Words of programs: what has only ASCII is made small in a fraction of the time. */
  readonly ascii?: boolean;
  /** Columns that have an index of their own: found however old they are. */
  readonly indexed?: readonly string[];
  /** Columns by which an amount is found, with that of their currency. */
  readonly money?: readonly [amount: string, currency: string];
  /** So many of the newest are looked through for parts and amounts. */
  readonly newest: number;
  /** What of the dashboard reading it asks for, where the public API does not show it. */
  readonly permission?: Permission;
}

const MANY = 20_000;
const SOME = 5_000;
const FEW = 2_000;

const MONEY = { amount: 't.amount', currency: 't.currency', money: ['t.amount', 't.currency'] } as const;
const STATUS = { status: 't.status' } as const;

/** In the order in which they are shown. */
export const KINDS: readonly Kind[] = [
  {
    prefix: 'txn',
    type: 'transaction',
    table: 'transactions',
    title: `replace(t.type, '_', ' ')`,
    subtitle: `concat_ws(' · ', t.recipient, t.reference)`,
    ...MONEY,
    ...STATUS,
    words: ['reference', 'recipient', 'provider_reference'],
    ascii: true,
    indexed: ['reference', 'recipient'],
    newest: MANY,
  },
  {
    prefix: 'pay',
    type: 'payment',
    table: 'payments',
    title: `coalesce(t.description, t.reference, 'Payment')`,
    subtitle: `concat_ws(' · ', t.customer ->> 'name', t.customer ->> 'email', t.reference)`,
    ...MONEY,
    ...STATUS,
    words: ['reference', 'description', 'gateway_reference', 'customer::text'],
    indexed: ['reference'],
    newest: SOME,
  },
  {
    prefix: 'rfd',
    type: 'refund',
    table: 'refunds',
    title: `coalesce(t.reason, 'Refund')`,
    subtitle: 't.reference',
    ...MONEY,
    ...STATUS,
    stands: { prefix: 'pay', column: 'payment_id' },
    words: ['reference', 'gateway_reference', 'reason'],
    indexed: ['reference'],
    newest: SOME,
  },
  {
    prefix: 'trf',
    type: 'transfer',
    table: 'transfers',
    title: `coalesce(t.narration, 'Transfer')`,
    subtitle: 't.reference',
    amount: 't.amount',
    currency: 't.currency',
    stands: { prefix: 'txn', column: 'debit_transaction_id' },
    words: ['narration'],
    newest: SOME,
  },
  {
    prefix: 'cnv',
    type: 'conversion',
    table: 'conversions',
    title: `t.from_currency || ' to ' || t.to_currency`,
    subtitle: 't.reference',
    amount: 't.sell_amount',
    currency: 't.from_currency',
    stands: { prefix: 'txn', column: 'debit_transaction_id' },
    words: ['reference'],
    newest: FEW,
  },
  {
    prefix: 'dep',
    type: 'deposit',
    table: 'deposits',
    title: `coalesce(t.payer ->> 'name', 'Deposit')`,
    subtitle: `coalesce(t.session_id, t.provider_reference)`,
    amount: 'coalesce(t.amount, t.told_amount)',
    currency: 'coalesce(t.currency, t.told_currency)',
    ...STATUS,
    stands: { prefix: 'txn', column: 'transaction_id' },
    words: ['provider_reference', 'session_id', `payer ->> 'name'`, `payer ->> 'account_number'`],
    money: ['coalesce(t.amount, t.told_amount)', 'coalesce(t.currency, t.told_currency)'],
    newest: SOME,
  },
  {
    prefix: 'wal',
    type: 'wallet',
    table: 'wallets',
    join: 'JOIN ledger_accounts a ON a.account_id = t.account_id AND a.id = t.id',
    title: `coalesce(t.label, t.reference, t.currency || ' wallet')`,
    subtitle: 't.reference',
    amount: 'a.available',
    currency: 't.currency',
    status: STATUS_NOW,
    words: ['label', 'reference'],
    newest: MANY,
  },
  {
    prefix: 'vac',
    type: 'virtual_account',
    table: 'virtual_accounts',
    title: `coalesce(t.label, t.account_name, 'Virtual account')`,
    subtitle: `concat_ws(' · ', t.account_number, t.bank ->> 'name')`,
    ...STATUS,
    stands: { prefix: 'wal', column: 'wallet_id' },
    words: ['label', 'reference', 'account_number', 'account_name', 'provider_reference'],
    indexed: ['account_number'],
    newest: SOME,
  },
  {
    prefix: 'cus',
    type: 'customer',
    table: 'customers',
    title: `concat_ws(' ', t.first_name, t.last_name)`,
    subtitle: `concat_ws(' · ', t.email, t.phone)`,
    status: 't.kyc_status',
    words: [`first_name || ' ' || last_name`, 'email', 'phone'],
    newest: SOME,
  },
  {
    prefix: 'crd',
    type: 'card',
    table: 'cards',
    title: `coalesce(t.label, t.name_on_card)`,
    subtitle: `concat_ws(' · ', t.brand, '•••• ' || t.last4, t.currency)`,
    ...STATUS,
    words: ['label', 'name_on_card', 'last4', 'reference', 'issuer_reference'],
    newest: SOME,
  },
  {
    prefix: 'ctx',
    type: 'card_transaction',
    table: 'card_transactions',
    title: `coalesce(t.merchant ->> 'name', t.type)`,
    ...MONEY,
    ...STATUS,
    stands: { prefix: 'crd', column: 'card_id' },
    words: [`merchant ->> 'name'`, 'issuer_reference'],
    newest: SOME,
  },
  {
    prefix: 'ben',
    type: 'beneficiary',
    table: 'beneficiaries',
    alive: 'deleted_at IS NULL',
    title: 't.label',
    subtitle: `concat_ws(' · ', t.verified_name, t.number)`,
    words: ['label', 'verified_name', 'number'],
    newest: SOME,
  },
  {
    prefix: 'bat',
    type: 'batch',
    table: 'batches',
    title: `coalesce(t.reference, t.kind || ' batch')`,
    ...STATUS,
    words: ['reference'],
    newest: FEW,
  },
  {
    prefix: 'whk',
    type: 'webhook_endpoint',
    table: 'webhook_endpoints',
    alive: 'deleted_at IS NULL',
    title: 't.url',
    subtitle: 't.description',
    ...STATUS,
    words: ['url', 'description'],
    newest: FEW,
  },
  { prefix: 'evt', type: 'event', table: 'events', title: 't.type', words: ['type'], newest: FEW },
  {
    prefix: 'dlv',
    type: 'webhook_delivery',
    table: 'webhook_deliveries',
    title: 't.event_type',
    subtitle: 't.last_code',
    ...STATUS,
    words: ['event_type'],
    newest: FEW,
  },
  {
    prefix: 'req',
    type: 'request',
    table: 'request_log',
    title: `t.method || ' ' || t.path`,
    subtitle: 't.error_code',
    status: 't.status::text',
    words: ['path', 'error_code'],
    newest: FEW,
    permission: 'requests',
  },
  {
    prefix: 'key',
    type: 'api_key',
    table: 'api_keys',
    title: 't.name',
    subtitle: `'…' || t.last4`,
    status: `CASE WHEN t.revoked_at <= now() THEN 'revoked'
                  WHEN t.expires_at <= now() THEN 'expired' ELSE 'active' END`,
    words: ['name', 'last4'],
    newest: FEW,
    permission: 'keys:read',
  },
];
