import { InvalidArgumentError } from 'commander';
import { DataSource } from 'typeorm';
import { type Check, type CheckOptions, type CheckResult, runChecks } from '../core/database/checks';
import { dataSourceOptions } from '../core/database/options';
import { claimCheck } from '../core/idempotency/claims';
import type { Lifetime } from '../core/process/lifetime';
import { TEAMS } from '../extensions/extensions.module';
import { BATCH_CHECKS } from '../modules/batches/batch-checks';
import { CARD_CHECKS, CARD_TRANSACTION_CHECKS, DISPUTE_CHECKS } from '../modules/cards/card-checks';
import { checkOfHead, LEDGER_CHECKS } from '../modules/ledger/ledger-checks';
import { PAYMENT_CHECKS } from '../modules/payments/payment-checks';
import { PURCHASE_CHECKS } from '../modules/purchases/purchase-checks';
import { CONVERSION_CHECKS } from '../modules/conversions/conversion-checks';
import { DAY_CHECKS } from '../modules/statements/day-checks';
import { APPROVAL_CHECKS } from '../modules/transactions/approval-checks';
import { VIRTUAL_ACCOUNT_CHECKS } from '../modules/virtual-accounts/virtual-account-checks';
import { WALLET_CHECKS } from '../modules/wallets/wallet-checks';
import { WEBHOOK_CHECKS } from '../modules/webhooks/deliveries.service';
import { DukaCommand } from './commands';

/** Everything that must hold of the money in the database. */
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
  evt: 'events',
  ctx: 'card_transactions',
  dsp: 'disputes',
  cau: 'card_authentications',
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

export const verifyCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('verify:ledger', lifetime)
    .description('prove the books: every invariant, every balance, the hash chain; while the service runs, too')
    .option(
      '--head <position:chain>',
      'a head of the chain that was noted from the log: proves that it was not made anew',
      headCheck,
    )
    .does<{ head?: Check }>(async ({ env }, { head }) => {
      const dataSource = await lifetime.own(new DataSource(dataSourceOptions(env, 'owner')).initialize(), (opened) =>
        opened.destroy(),
      );
      const checks = await verifyBooks(dataSource, head ? [head] : [], {
        progress: (check, done, of) => console.error(`${check}: ${done} of ${of}`),
      });
      const broken = checks.filter(({ ok }) => !ok);
      const verdict =
        broken.length === 0
          ? `The books are in order: ${checks.length} checks.`
          : `The books are NOT in order: ${broken.length} of ${checks.length} checks fail.`;
      return {
        failed: broken.length > 0,
        text: [...checks.map(lineOf), '', verdict].join('\n'),
        json: { ok: broken.length === 0, checks },
      };
    }),
];

function lineOf({ check, ok, found, sample }: CheckResult): string {
  if (ok) return `ok    ${check}`;
  return [`FAIL  ${check}: ${found} found, among them`, ...sample.map((row) => `        ${JSON.stringify(row)}`)].join(
    '\n',
  );
}

function headCheck(text: string): Check {
  const check = checkOfHead(text);
  if (check === null) throw new InvalidArgumentError('It takes <position>:<64 hex digits>, as the sealer logs them.');
  return check;
}
