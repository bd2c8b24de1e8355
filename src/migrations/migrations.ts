import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier } from 'pg';
import { DataSource, MigrationExecutor } from 'typeorm';
import type { Env } from '../core/config/env';
import { clientConfig, dataSourceOptions, ensureApplicationLogin } from '../core/database/options';
import { connected } from '../core/database/primary-client';
import { isTransient, retryTransient } from '../core/database/unit-of-work';
import { migrateQueue } from '../core/queue/queue-options';
import { TEAMS } from '../extensions/extensions.module';
import { Roles1763000000001 } from './0001-roles';
import { Accounts1763000000002 } from './0002-accounts';
import { Partitions1763000000003 } from './0003-partitions';
import { Ledger1763000000004 } from './0004-ledger';
import { ClaimsAndEvents1763000000005 } from './0005-claims-and-events';
import { Wallets1763000000006 } from './0006-wallets';
import { Purchases1763000000007 } from './0007-purchases';
import { Airtime1763000000008 } from './0008-airtime';
import { DataPlans1763000000009 } from './0009-data-plans';
import { Bills1763000000010 } from './0010-bills';
import { Hooks1763000000011 } from './0011-hooks';
import { Sandbox1763000000012 } from './0012-sandbox';
import { Webhooks1763000000013 } from './0013-webhooks';
import { Cards1763000000014 } from './0014-cards';
import { Payments1763000000015 } from './0015-payments';
import { Dashboard1763000000016 } from './0016-dashboard';
import { CardIssuers1763000000017 } from './0017-card-issuers';
import { Operators1763000000018 } from './0018-operators';
import { Retention1763000000019 } from './0019-retention';
import { Accepted1763000000020 } from './0020-accepted';
import { NeedsReview1763000000021 } from './0021-needs-review';
import { AnonymizedCustomers1763000000022 } from './0022-anonymized-customers';
import { LookAlikes1763000000023 } from './0023-look-alikes';
import { RequireIdempotencyKey1763000000024 } from './0024-require-idempotency-key';
import { PlatformKeys1763000000025 } from './0025-platform-keys';
import { PaymentsReceived1763000000026 } from './0026-payments-received';
import { PaymentReversals1763000000027 } from './0027-payment-reversals';
import { ReviewVerdicts1763000000028 } from './0028-review-verdicts';
import { HangUps1763000000029 } from './0029-hang-ups';
import { AllowLists1763000000030 } from './0030-allow-lists';
import { ClockMoves1763000000031 } from './0031-clock-moves';
import { ProvenPeople1763000000032 } from './0032-proven-people';
import { DepositsByTwo1763000000033 } from './0033-deposits-by-two';
import { OperatorColumns1763000000035 } from './0035-operator-columns';
import { SecretsCheck1763000000036 } from './0036-secrets-check';
import { PartitionCare1763000000037 } from './0037-partition-care';
import { EventEpochs1763000000038 } from './0038-event-epochs';
import { Versions1763000000039 } from './0039-versions';
import { RefusedPayments1763000000046 } from './0046-refused-payments';
import { PurchaseReviews1763000000049 } from './0049-purchase-reviews';
import { Conversions1763000000051 } from './0051-conversions';
import { TransactionVersions1763000000052 } from './0052-transaction-versions';
import { Refunds1763000000053 } from './0053-refunds';
import { Days1763000000054 } from './0054-days';
import { Batches1763000000055 } from './0055-batches';
import { CreditLines1763000000056 } from './0056-credit-lines';
import { Payouts1763000000057 } from './0057-payouts';
import { Freezes1763000000058 } from './0058-freezes';
import { VirtualAccounts1763000000059 } from './0059-virtual-accounts';
import { RolledKeys1763000000060 } from './0060-rolled-keys';
import { MetadataFilters1763000000061 } from './0061-metadata-filters';
import { AuthorizationEndpoints1763000000062 } from './0062-authorization-endpoints';
import { Reports1763000000063 } from './0063-reports';
import { CardDebts1763000000064 } from './0064-card-debts';
import { CardConversions1763000000065 } from './0065-card-conversions';
import { Disputes1763000000066 } from './0066-disputes';
import { CardAuthentications1763000000067 } from './0067-card-authentications';
import { CustomerVerification1763000000068 } from './0068-customer-verification';
import { BeneficiaryKinds1763000000069 } from './0069-beneficiary-kinds';
import { ConvertingPayments1763000000070 } from './0070-converting-payments';
import { PurchaseCallbacks1763000000071 } from './0071-purchase-callbacks';
import { KycTiers1763000000072 } from './0072-kyc-tiers';
import { ProviderExchanges1763000000073 } from './0073-provider-exchanges';
import { CostsOfPurchases1763000000074 } from './0074-costs-of-purchases';
import { ProviderFloats1763000000075 } from './0075-provider-floats';
import { SharesOfRoutes1763000000076 } from './0076-shares-of-routes';
import { FeesOfGateways1763000000077 } from './0077-fees-of-gateways';
import { FeesOfBanks1763000000078 } from './0078-fees-of-banks';
import { CardsWithoutExpiry1763000000079 } from './0079-cards-without-expiry';
import { CurrenciesOfCosts1763000000080 } from './0080-currencies-of-costs';
import { Mails1763000000081 } from './0081-mails';
import { RequestExchanges1763000000082 } from './0082-request-exchanges';
import { Notices1763000000083 } from './0083-notices';
import { WebhookExchanges1763000000084 } from './0084-webhook-exchanges';
import { SavedViews1763000000089 } from './0089-saved-views';
import { Passkeys1763000000090 } from './0090-passkeys';
import { SeveralAccounts1763000000091 } from './0091-several-accounts';
import { Incidents1763000000092 } from './0092-incidents';
import { CardSpending1763000000094 } from './0094-card-spending';
import { AccountBrandings1763000000095 } from './0095-account-brandings';
import { OperatorsRuns1763000000096 } from './0096-operators-runs';
import { RefundApprovals1763000000097 } from './0097-refund-approvals';
import { DeviceLogins1763000000098 } from './0098-device-logins';
import { Cells1763000000100 } from './0100-cells';
import { TransfersBetweenCells1763000000101 } from './0101-transfers-between-cells';
import { PeopleOfAllCells1763000000102 } from './0102-people-of-all-cells';
import { Announcements1763000000103 } from './0103-announcements';
import { SlotMoves1763000000107 } from './0107-slot-moves';
import { MovedLedgerAccounts1763000000108 } from './0108-moved-ledger-accounts';
import { EpochsOfMoves1763000000110 } from './0110-epochs-of-moves';
import { RoomForUpdates1763000000111 } from './0111-room-for-updates';
import { DeliveriesDueByEndpoint1763000000112 } from './0112-deliveries-due-by-endpoint';
import { EventsOfTheOwnServer1763000000113 } from './0113-events-of-the-own-server';
import { PurchasesQueuedByAccount1763000000114 } from './0114-purchases-queued-by-account';
import { VersionsUntilAnEntry1763000000115 } from './0115-versions-until-an-entry';
import { RelayedBeforeMoves1763000000116 } from './0116-relayed-before-moves';
import { RefundsNotKnown1763000000120 } from './0120-refunds-not-known';
import { HookJobsByObserver1763000000121 } from './0121-hook-jobs-by-observer';
import { CardsInReview1763000000123 } from './0123-cards-in-review';
import { DisputesWonInPart1763000000127 } from './0127-disputes-won-in-part';
import { EpochsFromTheClock1763000000130 } from './0130-epochs-from-the-clock';
import { SnapshotsOfAllDatabases1763000000132 } from './0132-snapshots-of-all-databases';
import { DueByTestClocks1763000000133 } from './0133-due-by-test-clocks';
import { RoomForVersions1763000000134 } from './0134-room-for-versions';
import { TransactionsOfWallets1763000000135 } from './0135-transactions-of-wallets';
import { PlacesOfVersions1763000000136 } from './0136-places-of-versions';
import { AllowanceOfBalances1763000000137 } from './0137-allowance-of-balances';

/** All migrations in order. A list, not a glob: what is not listed does not run. */
const MIGRATIONS = [
  Roles1763000000001,
  Accounts1763000000002,
  Partitions1763000000003,
  Ledger1763000000004,
  ClaimsAndEvents1763000000005,
  Wallets1763000000006,
  Purchases1763000000007,
  Airtime1763000000008,
  DataPlans1763000000009,
  Bills1763000000010,
  Hooks1763000000011,
  Sandbox1763000000012,
  Webhooks1763000000013,
  Cards1763000000014,
  Payments1763000000015,
  Dashboard1763000000016,
  CardIssuers1763000000017,
  Operators1763000000018,
  Retention1763000000019,
  Accepted1763000000020,
  NeedsReview1763000000021,
  AnonymizedCustomers1763000000022,
  LookAlikes1763000000023,
  RequireIdempotencyKey1763000000024,
  PlatformKeys1763000000025,
  PaymentsReceived1763000000026,
  PaymentReversals1763000000027,
  ReviewVerdicts1763000000028,
  HangUps1763000000029,
  AllowLists1763000000030,
  ClockMoves1763000000031,
  ProvenPeople1763000000032,
  DepositsByTwo1763000000033,
  OperatorColumns1763000000035,
  SecretsCheck1763000000036,
  PartitionCare1763000000037,
  EventEpochs1763000000038,
  Versions1763000000039,
  RefusedPayments1763000000046,
  PurchaseReviews1763000000049,
  Conversions1763000000051,
  TransactionVersions1763000000052,
  Refunds1763000000053,
  Days1763000000054,
  Batches1763000000055,
  CreditLines1763000000056,
  Payouts1763000000057,
  Freezes1763000000058,
  VirtualAccounts1763000000059,
  RolledKeys1763000000060,
  MetadataFilters1763000000061,
  AuthorizationEndpoints1763000000062,
  Reports1763000000063,
  CardDebts1763000000064,
  CardConversions1763000000065,
  Disputes1763000000066,
  CardAuthentications1763000000067,
  CustomerVerification1763000000068,
  BeneficiaryKinds1763000000069,
  ConvertingPayments1763000000070,
  PurchaseCallbacks1763000000071,
  KycTiers1763000000072,
  ProviderExchanges1763000000073,
  CostsOfPurchases1763000000074,
  ProviderFloats1763000000075,
  SharesOfRoutes1763000000076,
  FeesOfGateways1763000000077,
  FeesOfBanks1763000000078,
  CardsWithoutExpiry1763000000079,
  CurrenciesOfCosts1763000000080,
  Mails1763000000081,
  RequestExchanges1763000000082,
  Notices1763000000083,
  WebhookExchanges1763000000084,
  SavedViews1763000000089,
  Passkeys1763000000090,
  SeveralAccounts1763000000091,
  Incidents1763000000092,
  CardSpending1763000000094,
  AccountBrandings1763000000095,
  OperatorsRuns1763000000096,
  RefundApprovals1763000000097,
  DeviceLogins1763000000098,
  Cells1763000000100,
  TransfersBetweenCells1763000000101,
  PeopleOfAllCells1763000000102,
  Announcements1763000000103,
  SlotMoves1763000000107,
  MovedLedgerAccounts1763000000108,
  EpochsOfMoves1763000000110,
  RoomForUpdates1763000000111,
  DeliveriesDueByEndpoint1763000000112,
  EventsOfTheOwnServer1763000000113,
  PurchasesQueuedByAccount1763000000114,
  VersionsUntilAnEntry1763000000115,
  RelayedBeforeMoves1763000000116,
  RefundsNotKnown1763000000120,
  HookJobsByObserver1763000000121,
  CardsInReview1763000000123,
  DisputesWonInPart1763000000127,
  EpochsFromTheClock1763000000130,
  SnapshotsOfAllDatabases1763000000132,
  DueByTestClocks1763000000133,
  RoomForVersions1763000000134,
  TransactionsOfWallets1763000000135,
  PlacesOfVersions1763000000136,
  AllowanceOfBalances1763000000137,
];

/** Those of the service and of teams. */
export const allMigrations = (): Function[] => [...MIGRATIONS, ...TEAMS.flatMap(({ migrations = [] }) => migrations)];

/**
 * While a change of a table waits for those who use it, everybody who comes later waits behind it: it gives up, lets
 * them pass, and tries again. With what it then takes itself, they wait for a second at most.
 */
const LOCK_TIMEOUT_MS = 800;
const LOCK_ATTEMPTS = 120;

/** After a dump was restored on another server it reads a day of events, and takes any time here. */
const BEGIN_EVENT_EPOCH = `
  DO $$ BEGIN
    IF to_regproc('begin_event_epoch') IS NOT NULL THEN PERFORM begin_event_epoch(); END IF;
  END $$`;

/** Brings the database up to date, as the login itself, and returns the names of the migrations that it ran. */
export async function runMigrations(env: Env, migrations = allMigrations()): Promise<string[]> {
  await ensureSchema(env);
  const { extra, ...options } = dataSourceOptions(env, 'owner');
  const dataSource = await new DataSource({
    ...options,
    extra: { ...extra, options: `${extra.options} -c lock_timeout=${LOCK_TIMEOUT_MS}` },
    migrations,
    // One holds the lock while the other migrates.
    poolSize: 2,
  }).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    // Servers that are rolled out together all migrate: one does it, the others wait here and find nothing to do.
    await lock.query('SET lock_timeout = 0');
    await lock.query(`SELECT pg_advisory_lock(hashtextextended('duka migrations', 0))`);
    const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
    await runAll(dataSource);
    await migrateQueue(env);
    await ensureApplicationLogin(env, lock);
    await retryTransient(() => lock.query(BEGIN_EVENT_EPOCH));
    return pending.map(({ name }) => name);
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}

/** Whoever may not make a schema needs not, where it is there. */
async function ensureSchema(env: Env): Promise<void> {
  const schema = escapeIdentifier(env.DATABASE_SCHEMA);
  await connected(clientConfig(env, 'owner'), (client) =>
    client.query(`
      DO $$ BEGIN
        IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;
      EXCEPTION WHEN duplicate_schema OR unique_violation THEN NULL;
      END $$`),
  );
}

/** Each in a transaction of its own: those that are done stay done. */
async function runAll(dataSource: DataSource): Promise<void> {
  for (let left = LOCK_ATTEMPTS; ; left--) {
    try {
      await dataSource.runMigrations();
      return;
    } catch (error) {
      if (!isTransient(error) || left === 1) throw error;
      await sleep(LOCK_TIMEOUT_MS * (0.5 + Math.random()));
      await endVacuums(dataSource);
    }
  }
}

const VACUUMED = `
  SELECT DISTINCT relation::regclass::text AS name FROM pg_locks JOIN pg_class c ON c.oid = relation
   WHERE mode = 'ShareUpdateExclusiveLock' AND granted AND database = (SELECT oid FROM pg_database
     WHERE datname = current_database()) AND relnamespace = current_schema()::regnamespace`;
const VACUUM_ENDS_WITHIN_MS = 3_000;

/**
 * A vacuum that PostgreSQL began by itself makes room for whoever has waited for a second (`deadlock_timeout`), when we
 * have given up. Waited for with a lock that stops no reader and no writer, it ends without anybody behind us.
 */
async function endVacuums(dataSource: DataSource): Promise<void> {
  const tables: { name: string }[] = await dataSource.query(VACUUMED);
  for (const { name } of tables) {
    const wait = dataSource.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${VACUUM_ENDS_WITHIN_MS}`);
      await tx.query(`LOCK TABLE ${name} IN SHARE UPDATE EXCLUSIVE MODE`);
    });
    await wait.catch((error: unknown) => {
      if (!isTransient(error)) throw error;
    });
  }
}
