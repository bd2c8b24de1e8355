import { Injectable } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { encodeId, newIdOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import type { EventOrigin } from '../../core/outbox/outbox';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Making, Posted } from '../ledger/posting';
import {
  finalTransaction,
  transactionEvent,
  type TransactionRecord,
  transactionWrite,
} from '../transactions/transactions.service';
import { creditedEvent, type WalletRecord } from './wallets.service';

/** Money put into a wallet by the platform itself. */
export interface NewDeposit {
  readonly wallet: WalletRecord;
  /** Minor units. */
  readonly amount: bigint;
  /** Where it comes from: test money, or money that an operator received outside of the service. */
  readonly source: 'sandbox_source' | 'opening';
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  /** Transaction uuid, for a caller that has to know it beforehand. */
  readonly id?: string;
  /** Written with the deposit, and not when it is a replay. */
  readonly writes?: readonly Write[];
}

/** A deposit that would take place, with the lines it would write. */
export interface DepositPreview {
  readonly transaction: TransactionRecord;
  readonly posted: Posted;
}

@Injectable()
export class DepositsService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
  ) {}

  /**
   * Makes a transaction: answers with its uuid. Throws `PostingRefused` (`wallet_closed`, `limit_exceeded`),
   * `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  async deposit(deposit: NewDeposit, request: RequestClaim, origin: EventOrigin): Promise<Made<string>> {
    const posting = await this.postingOf(deposit, request, (record, posted) => [
      transactionWrite(record),
      transactionEvent(record, { previous: null, origin }),
      creditedEvent(
        posted.account(deposit.wallet.id),
        { transactionId: record.id, amount: deposit.amount, reference: deposit.reference },
        origin,
      ),
      ...(deposit.writes ?? []),
    ]);
    const outcome = await this.ledger.require(posting, describe);
    if (outcome.status === 'posted') return { made: posting.id, replayedBy: null };
    return { made: outcome.resourceId, replayedBy: outcome.by };
  }

  /** What `deposit` would do now; writes nothing. */
  async preview(deposit: NewDeposit, request: RequestClaim): Promise<DepositPreview> {
    const posted = await this.ledger.preview(await this.postingOf(deposit, request, () => []), describe);
    return { posted, transaction: posted.made };
  }

  /** Test money of a currency that the account was given and has not given back. */
  async testMoney({ accountId, currency, livemode }: WalletRecord): Promise<bigint> {
    return -(await this.accounts.platformBalance(testMoneyOf(accountId), currency, livemode));
  }

  /** Takes all spendable test money back to where it came from; null when there was none, it was spent
   * meanwhile, or the wallet owes. */
  async reverse(
    { accountId, livemode, currency, id: walletId, available: amount }: WalletRecord,
    origin: EventOrigin,
  ): Promise<TransactionRecord | null> {
    if (amount <= 0n) return null;
    const id = newIdOf(accountId);
    const sourceId = await this.accounts.platform(testMoneyOf(accountId), currency, { accountId, livemode });
    const outcome = await this.ledger.post({
      id,
      accountId,
      livemode,
      lines: [
        { ledgerAccountId: walletId, bucket: 'available', amount: -amount, transactionId: id },
        { ledgerAccountId: sourceId, bucket: 'available', amount, transactionId: null },
      ],
      claim: null,
      writes: (posted) => {
        const { available } = posted.account(walletId);
        const made: TransactionRecord = finalTransaction({
          accountId,
          livemode,
          id,
          walletId,
          type: 'reversal',
          direction: 'debit',
          amount,
          currency,
          balanceBefore: available + amount,
          balanceAfter: available,
          at: posted.at,
        });
        return { rows: [transactionWrite(made), transactionEvent(made, { previous: null, origin })], made };
      },
    });
    return outcome.status === 'posted' ? outcome.made : null;
  }

  private async postingOf(
    deposit: NewDeposit,
    request: RequestClaim,
    writes: (record: TransactionRecord, posted: Posted) => Write[],
  ): Promise<Making<TransactionRecord>> {
    const {
      wallet: { accountId, livemode, currency, id: walletId },
      amount,
      source,
      reference,
      id = newIdOf(accountId),
    } = deposit;
    const sourceId = await this.accounts.platform(source === 'opening' ? source : testMoneyOf(accountId), currency, {
      accountId,
      livemode,
    });
    return {
      id,
      accountId,
      livemode,
      lines: [
        { ledgerAccountId: sourceId, bucket: 'available', amount: -amount, transactionId: null },
        { ledgerAccountId: walletId, bucket: 'available', amount, transactionId: id },
      ],
      claim: { accountId, livemode, ...request, reference, resource: 'txn', resourceId: id },
      writes: (posted) => {
        const made = this.recordOf(id, deposit, posted);
        return { rows: writes(made, posted), made };
      },
    };
  }

  private recordOf(id: string, { wallet, amount, reference, metadata }: NewDeposit, posted: Posted): TransactionRecord {
    const { accountId, livemode, currency, id: walletId } = wallet;
    const { available } = posted.account(walletId);
    return finalTransaction({
      accountId,
      livemode,
      id,
      walletId,
      type: 'deposit',
      direction: 'credit',
      amount,
      currency,
      reference,
      metadata,
      balanceBefore: available - amount,
      balanceAfter: available,
      at: posted.at,
    });
  }
}

const testMoneyOf = (accountId: string) => `sandbox_source:${accountId}` as const;

const describe = (id: string) => ({ id: encodeId('wal', id), param: null });
