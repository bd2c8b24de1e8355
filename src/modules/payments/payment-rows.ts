import { bulkInsert, bulkUpdate, type Write } from '../../core/database/bulk';
import { newId } from '../../core/http/ids';
import type { QueryResult, StartResult } from './gateway';
import type { Payment } from './payment.entity';

const asText = (names: readonly string[]): string => names.join(' ');

const insertPayment = bulkInsert('payments', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  status: 'text',
  amount: 'bigint',
  fee: 'bigint',
  currency: 'text',
  wallet_id: 'uuid',
  gateways: 'text',
  options: 'jsonb',
  gateway: 'text?',
  reference: 'text?',
  description: 'text?',
  customer: 'jsonb?',
  callback_url: 'text?',
  metadata: 'jsonb',
  breakdown: 'jsonb',
  expires_at: 'timestamptz',
  next_check_at: 'timestamptz?',
  checks: 'integer',
  version: 'integer',
  request_id: 'uuid?',
  idempotency_key: 'text?',
  updated_at: 'timestamptz',
});

export const paymentWrite = (p: Readonly<Payment>): Write =>
  insertPayment.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: p.id,
    status: p.status,
    amount: p.amount,
    fee: p.fee,
    currency: p.currency,
    wallet_id: p.walletId,
    gateways: asText(p.gateways),
    options: p.options,
    gateway: p.gateway,
    reference: p.reference,
    description: p.description,
    customer: p.customer,
    callback_url: p.callbackUrl,
    metadata: p.metadata,
    breakdown: p.breakdown,
    expires_at: p.expiresAt,
    next_check_at: p.nextCheckAt,
    checks: p.checks,
    version: p.version,
    request_id: p.requestId,
    idempotency_key: p.idempotencyKey,
    updated_at: p.updatedAt,
  });

const CHANGEABLE = [
  'status',
  'gateway',
  'gateway_reference',
  'page',
  'amount_received',
  'currency_received',
  'amount_refunded',
  'reversals',
  'resolution',
  'credit_wallet_id',
  'failure',
  'review',
  'reviews',
  'transaction_id',
  'paid_at',
  'next_check_at',
  'checks',
  'version',
  'updated_at',
];

// A step is about the version that it read: of two that heard the same callback, one credits and the other fails here.
const updatePayment = bulkUpdate(
  'payments',
  {
    account_id: 'uuid',
    livemode: 'boolean',
    id: 'uuid',
    version_before: 'integer',
    status: 'text',
    gateway: 'text?',
    gateway_reference: 'text?',
    page: 'jsonb?',
    amount_received: 'bigint?',
    currency_received: 'text?',
    amount_refunded: 'bigint',
    reversals: 'jsonb',
    resolution: 'text?',
    credit_wallet_id: 'uuid?',
    failure: 'jsonb?',
    review: 'text?',
    reviews: 'integer',
    transaction_id: 'uuid?',
    paid_at: 'timestamptz?',
    next_check_at: 'timestamptz?',
    checks: 'integer',
    version: 'integer',
    updated_at: 'timestamptz',
  },
  {
    name: 'update_payments',
    key: ['account_id', 'livemode', 'id'],
    set: Object.fromEntries(CHANGEABLE.map((column) => [column, `v.${column}`])),
    where: 't.version = v.version_before',
  },
);

/** A changed payment. The write fails when the stored one is not at the version of `before`. */
export const paymentChange = (p: Readonly<Payment>, before: Pick<Payment, 'version'>): Write =>
  updatePayment.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: p.id,
    version_before: before.version,
    status: p.status,
    gateway: p.gateway,
    gateway_reference: p.gatewayReference,
    page: p.page,
    amount_received: p.amountReceived,
    currency_received: p.currencyReceived,
    amount_refunded: p.amountRefunded,
    reversals: p.reversals,
    resolution: p.resolution,
    credit_wallet_id: p.creditWalletId,
    failure: p.failure,
    review: p.review,
    reviews: p.reviews,
    transaction_id: p.transactionId,
    paid_at: p.paidAt,
    next_check_at: p.nextCheckAt,
    checks: p.checks,
    version: p.version,
    updated_at: p.updatedAt,
  });

const insertCheck = bulkInsert('payment_checks', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  payment_id: 'uuid',
  gateway: 'text',
  call: 'text',
  outcome: 'text',
  code: 'text?',
  amount: 'bigint?',
  currency: 'text?',
});

/** What a gateway answered. */
export const checkWrite = (p: Readonly<Payment>, call: 'start' | 'query', result: StartResult | QueryResult): Write =>
  insertCheck.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: newId(),
    payment_id: p.id,
    gateway: p.gateway!,
    call,
    outcome: result.outcome,
    code: 'code' in result ? result.code : null,
    amount: 'amount' in result ? result.amount : null,
    currency: 'amount' in result ? result.currency : null,
  });

const insertCallback = bulkInsert('payment_callbacks', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  payment_id: 'uuid',
  gateway: 'text',
  says: 'text?',
});

/** A callback that its gateway signed. */
export const callbackWrite = (p: Readonly<Payment>, says: string | null): Write =>
  insertCallback.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: newId(),
    payment_id: p.id,
    gateway: p.gateway!,
    says,
  });
