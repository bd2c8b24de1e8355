import type { Check } from './core/database/checks';
import { claimCheck } from './core/idempotency/claims';
import { TEAMS } from './extensions/extensions.module';
import { BATCH_CHECKS } from './modules/batches/batch-checks';
import { CARD_CHECKS, CARD_TRANSACTION_CHECKS, DISPUTE_CHECKS } from './modules/cards/card-checks';
import { CONVERSION_CHECKS } from './modules/conversions/conversion-checks';
import { LEDGER_CHECKS } from './modules/ledger/ledger-checks';
import { PAYMENT_CHECKS } from './modules/payments/payment-checks';
import { PURCHASE_CHECKS } from './modules/purchases/purchase-checks';
import { DAY_CHECKS } from './modules/statements/day-checks';
import { APPROVAL_CHECKS } from './modules/transactions/approval-checks';
import { VIRTUAL_ACCOUNT_CHECKS } from './modules/virtual-accounts/virtual-account-checks';
import { WALLET_CHECKS } from './modules/wallets/wallet-checks';
import { WEBHOOK_CHECKS } from './modules/webhooks/deliveries.service';

/** What must hold of the money in the database, but for claims and what teams add. */
const BOOK_CHECKS: readonly Check[] = [
  ...LEDGER_CHECKS,
  ...WALLET_CHECKS,
  ...DAY_CHECKS,
  ...PURCHASE_CHECKS,
  ...APPROVAL_CHECKS,
  ...BATCH_CHECKS,
  ...PAYMENT_CHECKS,
  ...VIRTUAL_ACCOUNT_CHECKS,
  ...CONVERSION_CHECKS,
  ...CARD_CHECKS,
  ...CARD_TRANSACTION_CHECKS,
  ...DISPUTE_CHECKS,
  ...WEBHOOK_CHECKS,
];

/** Where each kind of resource is kept that an idempotency key can be bound to. */
const TABLES = {
  trf: 'transfers',
  txn: 'transactions',
  wal: 'wallets',
  pay: 'payments',
  rfd: 'refunds',
  qte: 'quotes',
  cnv: 'conversions',
  val: 'bill_validations',
  res: 'bank_resolutions',
  ben: 'beneficiaries',
  bat: 'batches',
  vac: 'virtual_accounts',
  whk: 'webhook_endpoints',
  dlv: 'webhook_deliveries',
  evt: 'events',
  ctx: 'card_transactions',
  dsp: 'disputes',
  cau: 'card_authentications',
  crd: 'cards',
  cus: 'customers',
};

/** What `verify:ledger` checks: everything that must hold of the money in the database. */
export function bookChecks(): readonly Check[] {
  const claims = claimCheck(Object.assign({}, TABLES, ...TEAMS.map(({ idPrefixes }) => idPrefixes)));
  return [...BOOK_CHECKS, claims, ...TEAMS.flatMap(({ verifyChecks = [] }) => verifyChecks)];
}
