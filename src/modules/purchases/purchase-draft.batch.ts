import type { Write } from '../../core/database/bulk';
import type { Operation } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { newId } from '../../core/http/ids';
import type { Claim, Likeness, RequestClaim } from '../../core/idempotency/claim';
import type { Posted, Posting } from '../ledger/ledger.types';
import type { TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import type { TransactionType } from '../transactions/transactions.types';
import { lowBalanceEvents } from '../wallets/wallets.events';
import type { Purchase } from './purchase.entity';
import { nextAttempt, purchaseEvent, type Running } from './purchase-step.batch';
import { attemptWrite, purchaseWrite } from './purchases.queries';
import type { NewPurchase, Product, Route } from './purchases.types';

/** The type of a product's transactions, and the operation that extensions know. */
export const OPERATIONS = {
  airtime: 'airtime_purchase',
  data: 'data_purchase',
  bills: 'bill_payment',
} as const satisfies Readonly<Record<Product, TransactionType & Operation>>;

/** What an order costs and who is asked for it, in order. */
export interface Terms {
  readonly walletId: string;
  readonly fee: bigint;
  readonly total: bigint;
  readonly breakdown: readonly object[];
  readonly route: Route;
  /** How far the account's clock is ahead. */
  readonly clockOffsetMs: number;
}

/** An order, who placed it, and the claim of the request that did. */
export interface OrderOfCaller {
  readonly caller: Caller;
  readonly order: NewPurchase;
  readonly request: RequestClaim;
  readonly likeness: Likeness | null;
}

/** A purchase on its way into the books: the posting of its hold, and the rows that go with it. */
export class PurchaseDraft {
  readonly id = newId();
  /** The purchase as it was written, once it was. */
  made?: Running;

  constructor(
    private readonly transactions: TransactionsService,
    private readonly asked: OrderOfCaller & { readonly terms: Terms },
  ) {}

  get claim(): Claim {
    const {
      caller: { accountId, livemode },
      order: { reference },
      request,
      likeness,
    } = this.asked;
    return { accountId, livemode, ...request, reference, resource: 'txn', resourceId: this.id, likeness };
  }

  /** Claims, holds the money and writes the first attempt: the provider may be asked when it is committed. */
  posting(): Posting {
    const { accountId, livemode } = this.asked.caller;
    const { walletId, total } = this.asked.terms;
    return {
      id: this.id,
      accountId,
      livemode,
      currency: this.asked.order.currency,
      among: 'wallet',
      lines: [],
      holds: [{ kind: 'open', holdId: this.id, ledgerAccountId: walletId, amount: total, transactionId: this.id }],
      claim: this.claim,
      writes: (posted) => this.held(posted),
    };
  }

  /** Rows of a purchase that waits for money instead. */
  queued(): Write[] {
    const at = new Date();
    const { deliverBy: nextCheckAt } = this.asked.order;
    const transaction = { ...this.transaction(at), nextCheckAt, details: { ...this.details(), queued: true } };
    const purchase = { ...this.purchase(), queued: true, nextCheckAt };
    this.made = { transaction, purchase, attempt: null };
    return [this.transactions.writeOpen(transaction), purchaseWrite(purchase)];
  }

  private held(posted: Posted): Write[] {
    const { walletId, total, clockOffsetMs } = this.asked.terms;
    const { available } = posted.account(walletId);
    const blank = {
      ...this.transaction(posted.at),
      version: 0,
      balanceBefore: available + total,
      balanceAfter: available,
    };
    const running = (this.made = nextAttempt(
      { transaction: blank, purchase: this.purchase() },
      new Date(Date.now() + clockOffsetMs),
    ));
    return [
      this.transactions.writeOpen(running.transaction),
      purchaseWrite(running.purchase),
      attemptWrite(running.attempt),
      purchaseEvent(running, 'processing', null),
      ...lowBalanceEvents(posted, { requestId: this.asked.caller.requestId, idempotencyKey: this.asked.request.key }),
    ];
  }

  private transaction(at: Date): TransactionRecord {
    const {
      order: { product, amount, commission, currency, recipient, reference, metadata },
      terms: { walletId, fee },
    } = this.asked;
    const { accountId, livemode } = this.asked.caller;
    const final = this.transactions.final({
      accountId,
      livemode,
      id: this.id,
      walletId,
      type: OPERATIONS[product],
      direction: 'debit',
      amount,
      fee,
      currency,
      reference,
      metadata: { ...metadata },
      balanceBefore: null,
      balanceAfter: null,
      at,
    });
    return { ...final, status: 'pending', commission, recipient, details: this.details(), completedAt: null };
  }

  private details(): Record<string, unknown> {
    const {
      order,
      terms: { breakdown, route },
    } = this.asked;
    return { ...order.details, breakdown, ...(route.changes.length > 0 && { routing: route.changes }) };
  }

  private purchase(): Purchase {
    const {
      caller: { accountId, livemode, requestId },
      order: { product, network, variant, item, scenario, deliverBy },
      terms: { walletId, total, route },
    } = this.asked;
    return {
      accountId,
      livemode,
      id: this.id,
      product,
      network,
      variant,
      walletId,
      total,
      item,
      scenario,
      route: [...route.names],
      options: { ...route.options },
      deliverBy,
      queued: false,
      attempts: 0,
      checks: 0,
      notKnown: 0,
      nextCheckAt: null,
      review: null,
      reviews: 0,
      requestId,
      idempotencyKey: this.asked.request.key,
    };
  }
}
