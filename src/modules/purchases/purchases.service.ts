import { Injectable } from '@nestjs/common';
import { unnested } from '../../core/database/bulk';
import { retryAway, retryChanged, UnitOfWork } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import type { Claim, Likeness, Made, Replay, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { InTurn } from '../../core/process/work-under-way';
import { Endings, type WaitForEnd } from '../../core/resources/endings';
import { AccountsService } from '../accounts/accounts.service';
import { exchangeWrites } from '../conversions/exchange.service';
import { LedgerService } from '../ledger/ledger.service';
import { type Done, type Making, type Posted, PostingRefused, type Replayed, type Written } from '../ledger/posting';
import {
  finalTransaction,
  openTransactionWrite,
  type TransactionRecord,
  TransactionsService,
} from '../transactions/transactions.service';
import { lowBalanceEvents } from '../wallets/wallets.service';
import type { Purchase } from './purchase.entity';
import { attemptWrite, purchaseWrite } from './purchase-store';
import { PurchaseRun } from './purchase-run';
import {
  awaitsApproval,
  type Conditions,
  isRunning,
  likenessOf,
  type NewPurchase,
  nextAttempt,
  purchaseEvent,
  type Running,
  UNCONDITIONAL,
} from './running';
import { assertScenario } from './sandbox/plan';
import { type Terms, TermsService } from './terms.service';
import { PRODUCTS } from '../../vocabulary/products';

/** By what a request is known again. */
interface RequestOfPurchase {
  readonly request: RequestClaim;
  readonly reference: string | null;
}

/** A purchase that would take place, with the lines that its hold would write. */
export interface PurchasePreview {
  readonly transaction: TransactionRecord;
  readonly posted: Posted;
}

/** An order, who placed it, the claim of the request that did, and what was agreed. */
interface Agreed {
  readonly caller: Caller;
  readonly order: NewPurchase;
  readonly request: RequestClaim;
  readonly likeness: Likeness | null;
  readonly terms: Terms;
  readonly conditions: Conditions;
}

/** Nothing is claimed by a request that writes nothing. */
const NO_CLAIM: RequestClaim = { key: null, fingerprint: Buffer.alloc(32) };

/** Of these transactions, those that are final. */
const SELECT_ENDED = {
  name: 'select_ended_transactions',
  text: `SELECT t.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v
    JOIN transactions t USING (account_id, livemode, id)
    WHERE t.status NOT IN ('pending', 'processing')`,
};

/** Sells airtime, data and bills: seen before? → terms, gates → hold. `PurchaseRun` then asks providers and settles. */
@Injectable()
export class PurchasesService {
  private readonly waitForEnd: WaitForEnd;
  /** Of one account and product, where conditions are to be met. */
  private readonly orders = new InTurn();

  constructor(
    private readonly idempotency: Idempotency,
    private readonly accounts: AccountsService,
    private readonly terms: TermsService,
    private readonly ledger: LedgerService,
    private readonly unitOfWork: UnitOfWork,
    private readonly transactions: TransactionsService,
    private readonly runs: PurchaseRun,
    endings: Endings,
  ) {
    this.waitForEnd = endings.of(SELECT_ENDED);
  }

  /**
   * Sells what `prepare` makes of the request. A request that was seen before is answered with its purchase, and
   * nothing is prepared: a price or a validation may have changed since. Answers when the purchase is final, whoever
   * ends it, or `waitMs` have passed, whichever is first; it goes on after that. Throws what `prepare` and
   * `TermsService.agree` throw, `InvalidScenario`, `QuoteUsed`, `LikelyDuplicate`, `PostingRefused`,
   * `IdempotencyKeyRequired`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  async purchase(
    caller: Caller,
    { request, reference }: RequestOfPurchase,
    prepare: () => Promise<NewPurchase>,
  ): Promise<Made<TransactionRecord>> {
    const { accountId, livemode } = caller;
    const claim: Claim = { accountId, livemode, ...request, reference, resource: 'txn', resourceId: '' };
    const accepted = await this.idempotency.answer<(Running & { waitMs: number }) | Replay>(
      claim,
      async () => {
        const order = withScenario(caller, await prepare());
        const made = await this.accept(caller, order, request);
        return 'resourceId' in made ? made : { ...made, waitMs: order.waitMs };
      },
      (replay) => replay,
    );
    if ('resourceId' in accepted)
      return { made: await this.present(caller, accepted.resourceId), replayedBy: accepted.by };
    return { made: await this.carryOut(caller, accepted), replayedBy: null };
  }

  /** What `purchase` would do now; writes nothing and asks no provider. */
  async preview(caller: Caller, wanted: NewPurchase): Promise<PurchasePreview> {
    const draft = await this.draftOf(caller, wanted);
    const posted = await this.ledger.preview(draft.posting(), payingWallet);
    return {
      transaction: {
        ...posted.made.transaction,
        status: 'pending',
        nextCheckAt: null,
        providerName: null,
        providerAttempts: 0,
      },
      posted,
    };
  }

  /** As `preview`, but a wallet that has too little is no refusal: what the purchase would cost. */
  async price(caller: Caller, wanted: NewPurchase): Promise<TransactionRecord> {
    const draft = await this.draftOf(caller, wanted);
    try {
      return (await this.ledger.preview(draft.posting(), payingWallet)).made.transaction;
    } catch (error) {
      if (error instanceof PostingRefused && error.refusal.reason === 'insufficient_funds')
        return draft.transaction(new Date());
      throw error;
    }
  }

  /** The purchase as it was written: about to be asked for, or waiting for money. A replay when it was seen before. */
  private async accept(caller: Caller, order: NewPurchase, request: RequestClaim): Promise<Running | Replay> {
    const likeness = await this.accounts.likenessOf(caller, { key: request.key, ...order }, () => likenessOf(order));
    const terms = await this.terms.agree(caller, order, false);
    const agreed = { caller, order, request, likeness, terms };
    return terms.pass.make(() => this.openWhenMet(agreed), isNew);
  }

  /** As `open`, on what the product asks for: looked at again for as long as other processes are faster. */
  private async openWhenMet(agreed: Omit<Agreed, 'conditions'>): Promise<Running | Replay> {
    const {
      caller: { accountId, livemode },
      order: { product, conditions = () => UNCONDITIONAL },
      terms: { id },
    } = agreed;
    const first = await conditions(id);
    if (first.writes.length === 0) return this.open({ ...agreed, conditions: first });
    return this.orders.run(`${accountId}/${livemode}/${product}`, () =>
      retryChanged(async () => this.open({ ...agreed, conditions: await conditions(id) })),
    );
  }

  /** Claim, record, hold and first attempt in one posting; without money, an order that may wait is only recorded. */
  private async open(agreed: Agreed): Promise<Running | Replay> {
    const draft = new PurchaseDraft(agreed);
    const outcome =
      agreed.order.onInsufficientFunds === 'queue' && agreed.conditions.approveBy === null
        ? await this.ledger.post(draft.posting())
        : await this.hold(draft);
    if (outcome.status === 'posted') return outcome.made;
    if (outcome.status === 'replayed') return outcome;
    if (outcome.refusal.reason !== 'insufficient_funds')
      return this.open({ ...agreed, order: { ...agreed.order, onInsufficientFunds: 'fail' } });
    const { rows, made } = draft.queued();
    const replay = await this.idempotency.once(draft.claim, (tx) => this.unitOfWork.write(tx, rows));
    return replay ?? made;
  }

  /** Throws `PostingRefused`, `QuoteUsed`. */
  private async hold(draft: PurchaseDraft): Promise<Done<Running> | Replayed> {
    try {
      return await this.ledger.require(draft.posting(), payingWallet);
    } catch (error) {
      await this.terms.requireUnused(error, draft.terms);
      throw error;
    }
  }

  private async carryOut(caller: Caller, accepted: Running & { waitMs: number }): Promise<TransactionRecord> {
    let latest = accepted.transaction;
    // What waits for a person ends in no caller's time.
    if (awaitsApproval(accepted)) return latest;
    // Without an attempt it waits for money: nobody of us works on it.
    const ours =
      accepted.attempt === null
        ? Promise.resolve()
        : this.runs.run(accepted, ({ transaction }) => (latest = transaction));
    const { accountId, livemode } = caller;
    await this.waitForEnd({
      accountId,
      livemode,
      id: latest.id,
      ms: accepted.waitMs,
      ours,
      isRunning: () => isRunning(latest.status),
    });
    return isRunning(latest.status) ? this.present(caller, latest.id) : latest;
  }

  /** Of a dry run. */
  private async draftOf(caller: Caller, wanted: NewPurchase): Promise<PurchaseDraft> {
    const order = withScenario(caller, wanted);
    const terms = await this.terms.agree(caller, order, true);
    const conditions = (await order.conditions?.(terms.id)) ?? UNCONDITIONAL;
    return new PurchaseDraft({ caller, order, request: NO_CLAIM, likeness: null, terms, conditions });
  }

  /** A purchase as it is now. */
  private present(caller: Caller, id: string): Promise<TransactionRecord> {
    return retryAway(() => this.transactions.require(caller, encodeId('txn', id)));
  }
}

const isNew = (made: Running | Replay): boolean => 'purchase' in made;

/** The order with its scenario, which only test mode has. Throws `InvalidScenario`. */
function withScenario({ livemode }: Caller, order: NewPurchase): NewPurchase {
  if (livemode) return { ...order, scenario: null };
  assertScenario(order.scenario);
  return order;
}

const payingWallet = (id: string) => ({ id: encodeId('wal', id), param: '/wallet_id' });

/** A purchase on its way into the books: the posting of its hold, and the rows that go with it. */
class PurchaseDraft {
  readonly id: string;

  constructor(private readonly agreed: Agreed) {
    this.id = agreed.terms.id;
  }

  get terms(): Terms {
    return this.agreed.terms;
  }

  get claim(): Claim {
    const {
      caller: { accountId, livemode },
      order: { reference },
      request,
      likeness,
    } = this.agreed;
    return { accountId, livemode, ...request, reference, resource: 'txn', resourceId: this.id, likeness };
  }

  /** Claims, holds the money and writes the first attempt: the provider may be asked when it is committed. */
  posting(): Making<Running> {
    const { accountId, livemode } = this.agreed.caller;
    const { walletId, paid, total } = this.agreed.terms;
    return {
      id: this.id,
      accountId,
      livemode,
      currency: paid.currency,
      among: 'wallet',
      lines: [],
      holds: [{ kind: 'open', holdId: this.id, ledgerAccountId: walletId, amount: total, transactionId: this.id }],
      claim: this.claim,
      writes: (posted) => this.held(posted),
    };
  }

  /** Rows of a purchase that waits for money instead. */
  queued(): Written<Running> {
    const at = new Date();
    const { deliverBy: nextCheckAt } = this.agreed.order;
    const transaction = { ...this.transaction(at), nextCheckAt, details: { ...this.details(), queued: true } };
    const purchase = { ...this.purchase(), queued: true, nextCheckAt };
    return {
      rows: [
        openTransactionWrite(transaction),
        purchaseWrite(purchase),
        ...this.agreed.terms.pass.writes,
        ...this.agreed.conditions.writes,
      ],
      made: { transaction, purchase, attempt: null },
    };
  }

  private held(posted: Posted): Written<Running> {
    const {
      terms: { walletId, total, exchange, clockOffsetMs, pass },
      conditions: { writes, approveBy },
    } = this.agreed;
    const { available } = posted.account(walletId);
    const transaction = { ...this.transaction(posted.at), balanceBefore: available + total, balanceAfter: available };
    const running: Running =
      approveBy === null
        ? nextAttempt(
            { transaction: { ...transaction, version: 0 }, purchase: this.purchase() },
            new Date(Date.now() + clockOffsetMs),
          )
        : {
            transaction: { ...transaction, nextCheckAt: approveBy },
            purchase: { ...this.purchase(), nextCheckAt: approveBy },
            attempt: null,
          };
    const rows = [
      openTransactionWrite(running.transaction),
      purchaseWrite(running.purchase),
      ...(running.attempt ? [attemptWrite(running.attempt)] : []),
      purchaseEvent(running, approveBy === null ? 'processing' : 'awaiting_approval', null),
      ...pass.writes,
      ...writes,
      ...exchangeWrites(exchange, this.id),
      ...lowBalanceEvents(posted, { requestId: this.agreed.caller.requestId, idempotencyKey: this.agreed.request.key }),
    ];
    return { rows, made: running };
  }

  /** As it is before its money is held. */
  transaction(at: Date): TransactionRecord {
    const {
      order: { product, recipient, reference, metadata },
      terms: {
        walletId,
        paid: { amount, fee, commission, currency },
      },
    } = this.agreed;
    const { accountId, livemode } = this.agreed.caller;
    const final = finalTransaction({
      accountId,
      livemode,
      id: this.id,
      walletId,
      type: PRODUCTS[product].transactions[0],
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
      terms: { details, route },
      conditions: { approveBy },
    } = this.agreed;
    const approval = approveBy && { approval: { status: 'awaiting', expires_at: approveBy.toISOString() } };
    return { ...order.details, ...approval, ...details, ...(route.changes.length > 0 && { routing: route.changes }) };
  }

  private purchase(): Purchase {
    const {
      caller: { accountId, livemode, requestId },
      order: { product, network, variant, item, scenario, deliverBy },
      terms: { walletId, total, exchange, route },
    } = this.agreed;
    return {
      accountId,
      livemode,
      id: this.id,
      product,
      network,
      variant,
      walletId,
      total,
      conversion: exchange?.bought ?? null,
      item,
      scenario,
      route: [...route.names],
      shares: route.shares,
      options: { ...route.options },
      deliverBy,
      queued: false,
      calledAt: null,
      attempts: 0,
      checks: 0,
      notKnown: 0,
      nextCheckAt: null,
      review: null,
      reviews: 0,
      requestId,
      idempotencyKey: this.agreed.request.key,
    };
  }
}
