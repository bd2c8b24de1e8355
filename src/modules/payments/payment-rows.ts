import { bulkInsert, type Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { newId } from '../../core/http/ids';
import type { QueryResult, StartResult } from './gateway';
import { Payment } from './payment.entity';

const payments = rows(Payment);

export const paymentWrite = payments.insert({
  except: [
    'gatewayReference',
    'page',
    'amountReceived',
    'currencyReceived',
    'amountRefunded',
    'reversals',
    'resolution',
    'creditWalletId',
    'failure',
    'review',
    'reviews',
    'transactionId',
    'paidAt',
  ],
});

/**
 * A changed payment. A step is about the version that it read: of two that heard the same callback, one credits and the
 * other fails here.
 */
export const paymentChange = payments.update({
  name: 'update_payments',
  change: [
    'status',
    'gateway',
    'gatewayReference',
    'page',
    'amountReceived',
    'currencyReceived',
    'amountRefunded',
    'reversals',
    'resolution',
    'creditWalletId',
    'failure',
    'review',
    'reviews',
    'transactionId',
    'paidAt',
    'nextCheckAt',
    'checks',
    'version',
    'updatedAt',
  ],
  was: ['version'],
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
