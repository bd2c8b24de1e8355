import type { DataSource } from 'typeorm';
import { type Check, type CheckOptions, type CheckResult, runChecks } from '../core/database/checks';
import { claimCheck } from '../core/idempotency/claim-checks';
import { TEAMS } from '../extensions/extensions.module';
import { CARD_CHECKS, CARD_TRANSACTION_CHECKS } from '../modules/cards/card-checks';
import { LEDGER_CHECKS } from '../modules/ledger/ledger-checks';
import { PAYMENT_CHECKS } from '../modules/payments/payment-checks';
import { PURCHASE_CHECKS } from '../modules/purchases/purchase-checks';
import { WALLET_CHECKS } from '../modules/wallets/wallet-checks';
import { WEBHOOK_CHECKS } from '../modules/webhooks/webhook-checks';

/** Everything that must hold of the money in the database. */
const BOOK_CHECKS: readonly Check[] = [
  ...LEDGER_CHECKS,
  ...WALLET_CHECKS,
  ...PURCHASE_CHECKS,
  ...PAYMENT_CHECKS,
  ...CARD_CHECKS,
  ...CARD_TRANSACTION_CHECKS,
  ...WEBHOOK_CHECKS,
];

/** Where each kind of resource is kept that an idempotency key can be bound to. */
const TABLES = {
  trf: 'transfers',
  txn: 'transactions',
  wal: 'wallets',
  pay: 'payments',
  val: 'bill_validations',
  whk: 'webhook_endpoints',
  evt: 'events',
  ctx: 'card_transactions',
  crd: 'cards',
  cus: 'customers',
};

/** Needs a connection as the login itself: the application's time-outs are too short for millions of entries. */
export function verifyBooks(
  dataSource: DataSource,
  more: readonly Check[] = [],
  options: CheckOptions = {},
): Promise<CheckResult[]> {
  const claims = claimCheck(Object.assign({}, TABLES, ...TEAMS.map(({ idPrefixes }) => idPrefixes)));
  const ofTeams = TEAMS.flatMap(({ verifyChecks = [] }) => verifyChecks);
  return runChecks(dataSource, [...BOOK_CHECKS, claims, ...ofTeams, ...more], options);
}
