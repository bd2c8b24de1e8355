import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Write } from '../../core/database/bulk';
import { asChangedElsewhere } from '../../core/database/unit-of-work';
import { Extensions } from '../../core/extension/extensions';
import { encodeId, newIdOf } from '../../core/http/ids';
import { type Currency, toJsonNumber } from '../../core/money/money';
import { Statements } from '../../providers/statements';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Line, Posted, Refusal } from '../ledger/posting';
import {
  finalTransaction,
  openTransactionWrite,
  transactionChange,
  transactionEvent,
  type TransactionRecord,
  TransactionsService,
} from '../transactions/transactions.service';
import { creditedEvent, lowBalanceEvents } from '../wallets/wallets.service';
import { type Credit, creditOf, keptLines, linesOf, outerAccountsOf, partOf, sharesOf, sumOf } from './credit';
import { gatewayReferenceOf } from './gateway-client';
import { paymentEvent, PaymentStore } from './payment-store';
import type { Payment, StoredReversal } from './payment.entity';

/** What a credit is settled by. */
export type Notice = Pick<Payment, 'amountReceived' | 'currencyReceived' | 'gatewayReference'> &
  Partial<Pick<Payment, 'gatewayFee' | 'resolution' | 'creditWalletId'>>;

/** What a gateway says that it gave back. */
export interface GivingBack {
  readonly reversals: readonly StoredReversal[];
  readonly code: string;
  readonly message: string;
}

interface Part {
  readonly reversals: readonly StoredReversal[];
  /** Place of the one to be taken. */
  readonly next: number;
  readonly reason: { readonly code: string; readonly message: string };
}

interface TakenBack {
  readonly id: string;
  readonly credit: Credit;
  readonly net: bigint;
  readonly reference: string;
}

/** A change of a payment that moves money, and the rows that go with it. */
interface Movement {
  readonly patch: Partial<Payment>;
  readonly transactionId: string;
  readonly currency: Currency;
  readonly lines: readonly Line[];
  readonly rows: (posted: Posted) => Write[];
  readonly verdict: Verdict | null;
}

/** Rows of a person's decision, written with what it settles. */
type Verdict = readonly Write[];

interface BookedRow extends Pick<Payment, 'accountId' | 'id'> {
  readonly kind: 'payment' | 'refund' | 'reversal';
  readonly gatewayReference: string;
  readonly transactionId: string;
  readonly amount: string;
}

/** By what a gateway's statement may call it: what it was given as our reference, and its own. */
const NAMES: Readonly<Record<BookedRow['kind'], (row: BookedRow) => [string, ...string[]]>> = {
  payment: (row) => [gatewayReferenceOf(row), row.gatewayReference],
  refund: ({ id, gatewayReference }) => [encodeId('rfd', id), gatewayReference],
  reversal: ({ gatewayReference }) => [gatewayReference],
};

/** What a gateway collected between two moments, less what it kept; what it refunded for us; and chargebacks. */
const BOOKED = `
  SELECT account_id AS "accountId", id, 'payment' AS kind, gateway_reference AS "gatewayReference",
         transaction_id AS "transactionId", coalesce(gateway_fee, 0) - amount_received AS amount
    FROM payments
   WHERE livemode AND gateway = $1 AND currency_received = $2
     AND transaction_id >= uuid_v7_floor($3) AND transaction_id < uuid_v7_floor($4)
  UNION ALL
  SELECT account_id, id, 'refund', gateway_reference, transaction_id, amount FROM refunds
   WHERE livemode AND gateway = $1 AND currency = $2 AND status = 'successful'
     AND completed_at >= $3 AND completed_at < $4
  UNION ALL
  SELECT p.account_id, p.id, 'reversal', r ->> 'reference', t.id, (r ->> 'amount')::bigint
    FROM payments p, jsonb_array_elements(p.reversals) r,
         LATERAL (SELECT coalesce((r ->> 'transactionId')::uuid, p.transaction_id) AS id) t
   WHERE p.livemode AND p.gateway = $1 AND p.currency_received = $2 AND r ->> 'taken' IS NOT NULL
     AND t.id >= uuid_v7_floor($3) AND t.id < uuid_v7_floor($4)`;

/** Moves the money of payments: a credit once, and back. Each in one posting with its records and events. */
@Injectable()
export class SettlementService implements OnModuleInit {
  private readonly log = new Logger('payments');

  constructor(
    private readonly ledger: LedgerService,
    private readonly transactions: TransactionsService,
    private readonly accounts: LedgerAccountsService,
    private readonly store: PaymentStore,
    private readonly extensions: Extensions,
    private readonly statements: Statements,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.statements.include(async ({ company, currency, from, to }) => {
      const booked: BookedRow[] = await this.dataSource.query(BOOKED, [company, currency, from, to]);
      return booked.map((row) => ({
        names: NAMES[row.kind](row),
        transaction: encodeId('txn', row.transactionId),
        amount: BigInt(row.amount),
      }));
    });
  }

  /**
   * The gateway has the money: the wallet gets it without the fee. `notice`: what the gateway said, or a person
   * decided. A wallet that cannot take it leaves the payment to a person. Throws `ChangedElsewhere`.
   */
  async credit(before: Readonly<Payment>, told: Notice, verdict: Verdict | null = null): Promise<Payment | Refusal> {
    const id = newIdOf(before.accountId);
    const paidAt = await this.store.now(before);
    const paid: Payment = { ...before, ...told };
    const credit = creditOf(paid);
    const patch: Partial<Payment> = {
      ...told,
      status: 'successful',
      failure: null,
      review: null,
      transactionId: id,
      paidAt,
      nextCheckAt: verdict === null ? null : paidAt,
      checks: 0,
    };
    const outer = await outerAccountsOf(this.accounts, { ...paid, currency: credit.currency });
    const lines = [
      ...linesOf(credit.walletId, sharesOf(credit), outer, id, 1n),
      ...keptLines(outer, paid.currencyReceived === credit.currency ? (paid.gatewayFee ?? 0n) : 0n),
    ];
    const rows = (posted: Posted): Write[] => {
      const wallet = posted.account(credit.walletId);
      const record = this.creditRecord(paid, id, credit, posted);
      return [
        openTransactionWrite(record),
        creditedEvent(
          wallet,
          { transactionId: id, amount: record.amount, reference: record.reference },
          originOf(before),
        ),
        transactionEvent(record, { previous: null, origin: originOf(before) }),
      ];
    };
    const moved = await this.move(before, {
      patch,
      transactionId: id,
      currency: credit.currency,
      lines,
      rows,
      verdict,
    });
    if ('id' in moved || verdict !== null) return moved;
    return this.store.flag(before, `received, and the wallet cannot take it: ${moved.reason}`, {
      ...told,
      nextCheckAt: null,
    });
  }

  /**
   * The gateway gave money back: so does the wallet, part by part, each in a posting of its own. `reversals`: all that
   * were heard of, also those that were taken before. What the wallet cannot give leaves the payment to a person.
   * Throws `ChangedElsewhere`.
   */
  async reverse(
    before: Readonly<Payment>,
    { reversals: heard, ...reason }: GivingBack,
    verdict: Verdict | null = null,
  ): Promise<Payment | Refusal> {
    for (let [current, reversals, decided] = [before, heard, verdict]; ;) {
      const next = reversals.findIndex(({ taken }) => taken === null);
      if (next < 0) return current;
      const after = await this.reversePart(current, { reversals, next, reason }, decided);
      if (!('id' in after)) {
        // What a person decided is theirs to decide again; of several parts those that were taken stay taken.
        if (decided !== null) return after;
        return this.store.flag(
          current,
          `reversed by the gateway, and the wallet cannot give it back: ${after.reason}`,
          { ...refundsOf(current, reversals), nextCheckAt: null },
        );
      }
      [current, reversals, decided] = [after, after.reversals, null];
    }
  }

  /** One part. The last one ends the payment. */
  private async reversePart(
    before: Readonly<Payment>,
    { reversals, next, reason }: Part,
    verdict: Verdict | null,
  ): Promise<Payment | Refusal> {
    const id = newIdOf(before.accountId);
    const credit = creditOf(before);
    const taken = sumOf(reversals.filter((one) => one.taken !== null).map(amountOf));
    const { amount } = amountOf(reversals[next]!);
    const part = partOf(credit, taken, amount);
    const isAll = taken + amount === sharesOf(credit).received;
    // Rounding may leave nothing for the wallet to give.
    const transactionId = part.net === 0n ? null : id;
    const told = refundsOf(
      before,
      reversals.with(next, { ...reversals[next]!, taken: part.net.toString(), transactionId }),
    );
    const failure = { ...reason, recovery: 'none' } as const;
    const nextCheckAt = verdict === null ? null : await this.store.now(before);
    const patch: Partial<Payment> = {
      ...told,
      review: null,
      nextCheckAt,
      ...(isAll && { status: 'reversed', failure }),
    };
    const original = await this.transactions.require(before, encodeId('txn', before.transactionId!));
    const reversedBy =
      transactionId ?? told.reversals.findLast((one) => one.transactionId !== null)?.transactionId ?? null;
    const lines = linesOf(
      credit.walletId,
      part,
      await outerAccountsOf(this.accounts, { ...before, currency: credit.currency }),
      id,
      -1n,
    );
    const rows = (posted: Posted): Write[] => {
      const reversed: TransactionRecord = {
        ...original,
        version: original.version + 1,
        status: 'reversed',
        reversedBy,
        updatedAt: posted.at,
        failure: { ...failure, stage: 'provider' },
      };
      return [
        ...(transactionId === null
          ? []
          : this.reversalRows(before, { id, credit, net: part.net, reference: reversals[next]!.reference }, posted)),
        ...(isAll
          ? [
              ...transactionChange(reversed, original),
              transactionEvent(reversed, { previous: 'successful', origin: originOf(before) }),
            ]
          : []),
      ];
    };
    return this.move(before, { patch, transactionId: id, currency: credit.currency, lines, rows, verdict });
  }

  private async move(
    before: Readonly<Payment>,
    { patch, transactionId, currency, lines, rows, verdict }: Movement,
  ): Promise<Payment | Refusal> {
    const { accountId, livemode } = before;
    let after!: Payment;
    const causes = this.extensions.causes();
    const writes = (posted: Posted): Write[] => {
      const step = this.store.changed(before, { ...patch, updatedAt: posted.at }, verdict !== null);
      after = step.after;
      const events =
        after.status === before.status
          ? [paymentEvent(after, 'partially_reversed', before.status)]
          : this.store.announced(after, before.status, causes);
      return [step.write, ...events, ...rows(posted), ...(verdict ?? [])];
    };
    try {
      const outcome = await this.ledger.post({
        id: transactionId,
        accountId,
        livemode,
        currency,
        lines,
        claim: null,
        writes,
      });
      if (outcome.status === 'refused') return outcome.refusal;
    } catch (error) {
      throw asChangedElsewhere(error);
    }
    this.log.log({ message: 'a payment was settled', payment: before.id, status: after.status });
    this.extensions.wake();
    return after;
  }

  private creditRecord(
    p: Readonly<Payment>,
    id: string,
    { walletId, gross, fee, currency }: Credit,
    posted: Posted,
  ): TransactionRecord {
    const { available } = posted.account(walletId);
    const net = gross - fee;
    const record = finalTransaction({
      accountId: p.accountId,
      livemode: p.livemode,
      id,
      walletId,
      type: 'payment',
      direction: 'credit',
      amount: net,
      fee,
      currency,
      reference: p.reference,
      metadata: { ...p.metadata },
      balanceBefore: available - net,
      balanceAfter: available,
      at: posted.at,
    });
    const details = {
      payment_id: encodeId('pay', p.id),
      payment_reference: p.reference,
      gateway_reference: p.gatewayReference,
      gross: toJsonNumber(gross),
      breakdown: p.breakdown,
    };
    return { ...record, details, providerName: p.gateway, providerAttempts: 1 };
  }

  private reversalRows(
    p: Readonly<Payment>,
    { id, credit: { walletId, currency }, net, reference }: TakenBack,
    posted: Posted,
  ): Write[] {
    const { available } = posted.account(walletId);
    const final = finalTransaction({
      accountId: p.accountId,
      livemode: p.livemode,
      id,
      walletId,
      type: 'reversal',
      direction: 'debit',
      amount: net,
      currency,
      balanceBefore: available + net,
      balanceAfter: available,
      at: posted.at,
    });
    const details = { payment_id: encodeId('pay', p.id), payment_reference: p.reference, gateway_reference: reference };
    const record = { ...final, reverses: p.transactionId, details };
    return [
      openTransactionWrite(record),
      transactionEvent(record, { previous: null, origin: originOf(p) }),
      ...lowBalanceEvents(posted, originOf(p)),
    ];
  }
}

const amountOf = ({ amount }: StoredReversal) => ({ amount: BigInt(amount) });

/** What a payment says of what went back: by reversals, and by its refunds. */
export const refundsOf = ({ refundsMade }: Readonly<Payment>, reversals: readonly StoredReversal[]) => ({
  reversals,
  amountRefunded: refundsMade + sumOf(reversals.map(amountOf)),
});

const originOf = ({ requestId, idempotencyKey }: Readonly<Payment>) => ({ requestId, idempotencyKey });
