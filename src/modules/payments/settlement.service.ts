import { Injectable, Logger } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { isRowChanged } from '../../core/database/sqlstate';
import { encodeId, newId } from '../../core/http/ids';
import { eventWrite } from '../../core/outbox/outbox';
import type { Currency } from '../../core/money/currencies';
import { LedgerService } from '../ledger/ledger.service';
import type { Line, Posted, Refusal } from '../ledger/ledger.types';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import { creditedEvent, lowBalanceEvents } from '../wallets/wallets.events';
import type { Payment } from './payment.entity';
import { type Credit, creditOf, linesOf } from './payment-postings.batch';
import { ChangedElsewhere } from './payment-step.batch';
import { EndingsService } from './endings.service';
import { PlatformAccounts } from './platform-accounts.service';

/** What a credit is settled by. */
export type Told = Pick<Payment, 'amountReceived' | 'currencyReceived' | 'gatewayReference'> & Partial<Pick<Payment, 'resolution' | 'creditWalletId'>>;

/** A change of a payment that moves money, and the rows that go with it. */
interface Movement {
  readonly patch: Partial<Payment>;
  readonly transactionId: string;
  readonly currency: Currency;
  readonly lines: readonly Line[];
  readonly rows: (posted: Posted) => Write[];
  readonly isReview: boolean;
}

/** Moves the money of payments: a credit once, and back. Each in one posting with its records and events. */
@Injectable()
export class SettlementService {
  private readonly log = new Logger('payments');

  constructor(
    private readonly ledger: LedgerService,
    private readonly transactions: TransactionsService,
    private readonly platform: PlatformAccounts,
    private readonly endings: EndingsService,
  ) {}

  /**
   * The gateway has the money: the wallet gets it without the fee. `told`: what the gateway said, or a person decided. A wallet
   * that cannot take it leaves the payment to a person. Throws `ChangedElsewhere`.
   */
  async credit(before: Readonly<Payment>, told: Told, isReview = false): Promise<Payment | Refusal> {
    const id = newId();
    const paidAt = await this.endings.store.now(before);
    const paid: Payment = { ...before, ...told };
    const credit = creditOf(paid);
    const patch: Partial<Payment> = { ...told, status: 'successful', failure: null, review: null, transactionId: id, paidAt, nextCheckAt: null, checks: 0 };
    const lines = linesOf(credit, await this.platform.of({ ...paid, currency: credit.currency }), id, 1n);
    const rows = (posted: Posted): Write[] => {
      const wallet = posted.account(credit.walletId);
      return [this.transactions.writeOpen(this.creditRecord(paid, id, credit, posted)), creditedEvent(wallet, id, originOf(before)), transactionEvent(before, id, 'successful')];
    };
    const moved = await this.move(before, { patch, transactionId: id, currency: credit.currency, lines, rows, isReview });
    if ('id' in moved || isReview) return moved;
    return this.endings.review(before, `received, and the wallet cannot take it: ${moved.reason}`, { ...told, nextCheckAt: null });
  }

  /** The gateway gave the money back: so does the wallet. One that cannot leaves the payment to a person. Throws `ChangedElsewhere`. */
  async reverse(before: Readonly<Payment>, reason: { code: string; message: string }, isReview = false): Promise<Payment | Refusal> {
    const id = newId();
    const original = await this.transactions.require(before, encodeId('txn', before.transactionId!));
    const failure = { code: reason.code, message: reason.message, recovery: 'none' } as const;
    const patch: Partial<Payment> = { status: 'reversed', failure, review: null, nextCheckAt: null };
    const credit = creditOf(before);
    const lines = linesOf(credit, await this.platform.of({ ...before, currency: credit.currency }), id, -1n);
    const rows = (posted: Posted): Write[] => [
      this.transactions.change({ ...original, status: 'reversed', reversedBy: id, updatedAt: posted.at, failure: { ...failure, stage: 'provider' } }, 'successful'),
      this.transactions.writeOpen(this.reversalRecord(before, id, credit, posted)),
      transactionEvent(before, original.id, 'reversed'),
      ...lowBalanceEvents(posted, originOf(before)),
    ];
    const moved = await this.move(before, { patch, transactionId: id, currency: credit.currency, lines, rows, isReview });
    if ('id' in moved || isReview) return moved;
    return this.endings.review(before, `reversed by the gateway, and the wallet cannot give it back: ${moved.reason}`, { nextCheckAt: null });
  }

  private async move(before: Readonly<Payment>, { patch, transactionId, currency, lines, rows, isReview }: Movement): Promise<Payment | Refusal> {
    const { accountId, livemode } = before;
    let after!: Payment;
    const causes = this.endings.causes();
    const writes = (posted: Posted): Write[] => {
      const step = this.endings.store.changed(before, { ...patch, updatedAt: posted.at }, isReview);
      after = step.after;
      return [step.write, ...this.endings.announced(after, causes), ...rows(posted)];
    };
    try {
      const outcome = await this.ledger.post({ id: transactionId, accountId, livemode, currency, lines, claim: null, writes });
      if (outcome.status === 'refused') return outcome.refusal;
    } catch (error) {
      throw isRowChanged(error) ? new ChangedElsewhere() : error;
    }
    this.log.log({ message: 'a payment was settled', payment: before.id, status: after.status });
    this.endings.wake();
    return after;
  }

  private creditRecord(p: Readonly<Payment>, id: string, { walletId, gross, fee, currency }: Credit, posted: Posted): TransactionRecord {
    const { available } = posted.account(walletId);
    const net = gross - fee;
    const record = this.transactions.final({
      accountId: p.accountId, livemode: p.livemode, id, walletId, type: 'payment', direction: 'credit', amount: net, fee,
      currency, metadata: { ...p.metadata }, balanceBefore: available - net, balanceAfter: available, at: posted.at,
    });
    const details = { payment_id: encodeId('pay', p.id), payment_reference: p.reference, gateway_reference: p.gatewayReference, breakdown: p.breakdown };
    return { ...record, details, providerName: p.gateway, providerAttempts: 1 };
  }

  private reversalRecord(p: Readonly<Payment>, id: string, { walletId, gross, fee, currency }: Credit, posted: Posted): TransactionRecord {
    const { available } = posted.account(walletId);
    const net = gross - fee;
    const record = this.transactions.final({
      accountId: p.accountId, livemode: p.livemode, id, walletId, type: 'reversal', direction: 'debit', amount: net,
      currency, balanceBefore: available + net, balanceAfter: available, at: posted.at,
    });
    return { ...record, reverses: p.transactionId, details: { payment_id: encodeId('pay', p.id) } };
  }
}

const originOf = ({ requestId, idempotencyKey }: Readonly<Payment>) => ({ requestId, idempotencyKey });

const transactionEvent = (p: Readonly<Payment>, id: string, what: 'successful' | 'reversed'): Write =>
  eventWrite({ accountId: p.accountId, livemode: p.livemode, type: `transaction.${what}`, objectType: 'txn', objectId: id, origin: originOf(p) });
