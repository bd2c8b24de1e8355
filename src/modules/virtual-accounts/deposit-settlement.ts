import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Write } from '../../core/database/bulk';
import { asChangedElsewhere } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { encodeId, newIdOf } from '../../core/http/ids';
import type { Currency } from '../../core/money/money';
import { NO_ORIGIN } from '../../core/outbox/outbox';
import { Statements } from '../../providers/statements';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import { isFrozen, type Posted, type Refusal } from '../ledger/posting';
import {
  finalTransaction,
  openTransactionWrite,
  transactionEvent,
  type TransactionRecord,
} from '../transactions/transactions.service';
import { creditedEvent, type WalletRecord, WalletsService } from '../wallets/wallets.service';
import { accountReferenceOf } from './bank-client';
import type { Deposit } from './deposit.entity';
import { depositEvent, DepositStore } from './deposit-store';
import type { VirtualAccount } from './virtual-account.entity';
import { accountStep, endOf, VirtualAccountRun } from './virtual-account-run';
import type { ConfirmedArrival } from './virtual-accounts.provider';

/** What is known of a transfer once its provider was asked. */
export interface Came extends Pick<Deposit, 'payer' | 'providerFee' | 'sessionId'> {
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
  readonly arrivedAt: Date;
}

/** What a transfer is to its account. `takes`: a one-time account has had its transfer. */
type Fit =
  | { readonly what: 'credit'; readonly takes: boolean; readonly resolution: 'accept_received' | null }
  | { readonly what: 'return'; readonly takes: boolean }
  | { readonly what: 'hold'; readonly takes: boolean; readonly reason: string };

const hold = (reason: string, takes = false): Fit => ({ what: 'hold', takes, reason });

/** When it arrived counts, and not when somebody told of it: a late word of what came in time is in time. */
function isOpen({ status, expiresAt }: VirtualAccount, arrivedAt: Date): boolean {
  return (status === 'active' || status === 'expired') && (expiresAt === null || arrivedAt < expiresAt);
}

/** Whether a transfer is what its account waits for. Whatever is not is for a person, or as the account said. */
function fitOf(
  { toldAmount, toldCurrency }: Readonly<Deposit>,
  {
    amount,
    currency,
    arrivedAt,
    account: where,
  }: Pick<ConfirmedArrival, 'amount' | 'currency' | 'arrivedAt' | 'account'>,
  { account, wallet }: { readonly account: VirtualAccount; readonly wallet: Pick<WalletRecord, 'status' | 'freezes'> },
): Fit {
  if (where !== accountReferenceOf(account)) return hold(`the provider says that it arrived at ${where}`);
  if (amount !== toldAmount || currency !== toldCurrency)
    return hold(`told as ${toldCurrency} ${toldAmount}, and the provider says ${currency} ${amount}`);
  if (currency !== account.currency) return hold(`${currency} arrived at an account in ${account.currency}`);
  if (!isOpen(account, arrivedAt))
    return hold(`arrived at an account that was ${account.status === 'active' ? 'expired' : account.status}`);
  const takes = account.kind === 'one_time';
  const isClosed = wallet.status === 'closed';
  if (isClosed || isFrozen(wallet.freezes, 'credit', Date.now()))
    return hold(`the wallet is ${isClosed ? 'closed' : 'frozen'}`, takes);
  if (account.amount === null || amount === account.amount) return { what: 'credit', takes, resolution: null };
  const policy = amount < account.amount ? account.onUnderpaid : account.onOverpaid;
  if (policy === 'accept_received') return { what: 'credit', takes, resolution: policy };
  if (policy === 'refund') return { what: 'return', takes };
  return hold(`${currency} ${amount} arrived instead of ${account.amount}`, takes);
}

/** Into which wallet, and the rows that go with it. */
interface Credit {
  readonly walletId: string;
  /** What becomes known of the deposit with it. */
  readonly patch: Partial<Deposit>;
  readonly more: readonly Write[];
  readonly isReview: boolean;
}

/** What came into virtual accounts between two moments, less what their bank kept. */
const BOOKED = `
  SELECT provider_reference AS name, transaction_id AS "transactionId", coalesce(provider_fee, 0) - amount AS amount
    FROM deposits
   WHERE livemode AND provider = $1 AND currency = $2 AND status = 'credited'
     AND transaction_id >= uuid_v7_floor($3) AND transaction_id < uuid_v7_floor($4)`;

/** Moves the money of deposits: once, in one posting with its records and events. */
@Injectable()
export class DepositSettlement implements OnModuleInit {
  private readonly log = new Logger('deposits');

  constructor(
    private readonly ledger: LedgerService,
    private readonly ledgerAccounts: LedgerAccountsService,
    private readonly wallets: WalletsService,
    private readonly accounts: VirtualAccountRun,
    private readonly store: DepositStore,
    private readonly statements: Statements,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.statements.include(async ({ company, currency, from, to }) => {
      const booked: { name: string; transactionId: string; amount: string }[] = await this.dataSource.query(BOOKED, [
        company,
        currency,
        from,
        to,
      ]);
      return booked.map(({ name, transactionId, amount }) => ({
        names: [name],
        transaction: encodeId('txn', transactionId),
        amount: BigInt(amount),
      }));
    });
  }

  /**
   * What the provider has goes where its account says, or waits for a person. `where`: our reference of the account at
   * which the provider says it arrived. Throws `ChangedElsewhere`.
   */
  async settle(deposit: Readonly<Deposit>, came: Came, where: string): Promise<Deposit> {
    const { accountId, livemode } = deposit;
    const account = found(
      await this.accounts.find({ accountId, livemode, id: deposit.virtualAccountId }),
      'virtual account',
    );
    const wallet = await this.wallets.require(account, account.walletId);
    const fit = fitOf(deposit, { ...came, account: where }, { account, wallet });
    const now = await this.store.now(deposit);
    // With the deposit, so that of two transfers one is the one that was waited for.
    const more = fit.takes ? [accountStep(account, endOf('used', now)).write] : [];
    if (fit.what === 'hold') return this.flag(deposit, fit.reason, { patch: came, more });
    if (fit.what === 'return') {
      const back = { ...came, status: 'to_be_returned', resolution: 'refund_payer' } as const;
      return this.store.step(deposit, { ...back, nextCheckAt: now, checks: 0 }, { more });
    }
    const patch = { ...came, resolution: fit.resolution };
    const credited = await this.credit(deposit, { walletId: wallet.id, patch, more, isReview: false });
    if ('id' in credited) return credited;
    return this.flag(deposit, `the wallet cannot take it: ${credited.reason}`, { patch: came, more });
  }

  /** Raises the alarm: until a person decides nothing moves. Throws `ChangedElsewhere`. */
  flag(
    deposit: Readonly<Deposit>,
    reason: string,
    { patch = {}, more = [] }: { patch?: Partial<Deposit>; more?: readonly Write[] } = {},
  ): Promise<Deposit> {
    const marked = { nextCheckAt: null, ...patch, review: reason, reviews: deposit.reviews + 1 };
    return this.store.step(deposit, marked, { more });
  }

  /** Throws `ChangedElsewhere`. */
  async credit(before: Readonly<Deposit>, { walletId, patch, more, isReview }: Credit): Promise<Deposit | Refusal> {
    const { accountId, livemode, provider } = before;
    const id = newIdOf(accountId);
    const come: Deposit = { ...before, ...patch, status: 'credited', walletId, transactionId: id };
    const [amount, currency] = [come.amount!, come.currency as Currency];
    const names = [`deposits:${provider}`, 'margins'] as const;
    const [source, margins] = await Promise.all(
      names.map((name) => this.ledgerAccounts.platform(name, currency, before)),
    );
    const kept = come.providerFee ?? 0n;
    const moved: [string, bigint, string | null][] = [
      [source!, kept - amount, null],
      [walletId, amount, id],
      [margins!, -kept, null],
    ];
    try {
      const outcome = await this.ledger.post({
        id,
        accountId,
        livemode,
        currency,
        lines: moved
          .filter(([, sum]) => sum !== 0n)
          .map(([ledgerAccountId, sum, of]) => ({
            ledgerAccountId,
            bucket: 'available',
            amount: sum,
            transactionId: of,
          })),
        claim: null,
        writes: (posted) => {
          const settled = { ...come, review: null, nextCheckAt: null, checks: 0, updatedAt: posted.at };
          const { after, write } = this.store.changed(before, settled, isReview);
          const record = recordOf(after, posted);
          const wallet = posted.account(walletId);
          const rows = [
            write,
            ...more,
            openTransactionWrite(record),
            depositEvent(after, 'received', before.status),
            transactionEvent(record, { previous: null, origin: NO_ORIGIN }),
            creditedEvent(wallet, { transactionId: id, amount }, NO_ORIGIN),
          ];
          return { rows, made: after };
        },
      });
      if (outcome.status === 'refused') return outcome.refusal;
      this.log.log({ message: 'a deposit was credited', deposit: before.id });
      return outcome.status === 'posted' ? outcome.made : before;
    } catch (error) {
      throw asChangedElsewhere(error);
    }
  }
}

function recordOf(deposit: Deposit, posted: Posted): TransactionRecord {
  const { accountId, livemode, transactionId, amount, currency, walletId, provider } = deposit;
  const { available } = posted.account(walletId!);
  const record = finalTransaction({
    accountId,
    livemode,
    id: transactionId!,
    walletId: walletId!,
    type: 'deposit',
    direction: 'credit',
    amount: amount!,
    currency: currency as Currency,
    details: {
      payer: deposit.payer,
      session_id: deposit.sessionId,
      virtual_account_id: encodeId('vac', deposit.virtualAccountId),
      deposit_id: encodeId('dep', deposit.id),
    },
    balanceBefore: available - amount!,
    balanceAfter: available,
    at: posted.at,
  });
  return { ...record, providerName: provider, providerAttempts: 1 };
}
