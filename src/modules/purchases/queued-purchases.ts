import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Key } from '../../core/http/caller';
import { Recurring } from '../../core/queue/recurring-jobs';
import { arrayParam, type Write } from '../../core/database/bulk';
import { LOWEST_ID } from '../../core/http/ids';
import { Batcher } from '../../core/database/batcher';
import { ReadPipeline } from '../../core/database/pipeline';
import { ChangedElsewhere, isMoving, retryChanged, TooManyAtOnce } from '../../core/database/unit-of-work';
import { DomainError } from '../../core/errors/domain-error';
import { Extensions } from '../../core/extension/extensions';
import type { Viewer } from '../../core/resources/resources';
import { ProviderUnavailable } from '../../providers/routes';
import { STOPS_DEBITS } from '../ledger/ledger-rows';
import type { TransactionRecord } from '../transactions/transactions.service';
import { lowBalanceEvents } from '../wallets/wallets.service';
import { PurchaseRun } from './purchase-run';
import { attemptWrite, PurchaseStore } from './purchase-store';
import {
  awaitsApproval,
  type Conditions,
  freed,
  holdStep,
  InvalidPurchaseTransition,
  purchaseEvent,
  type Running,
  UNCONDITIONAL,
} from './running';
import { PRODUCTS, type SoldProduct } from '../../vocabulary/products';

const CHUNK = 500;
const SWEEP_MS = 5_000;
/** One at a time: what arrives meanwhile is the next. */
const LOOKS = {
  batchMax: 500,
  parallel: 1,
  queueMax: Infinity,
  overflow: () => new Error('too many looks for queued purchases at once'),
};

/**
 * Whose money may leave now: neither a freeze nor a closed live mode keeps it. What is queued is little, and found
 * first: a plan from before there were many purchases begins with all accounts.
 */
const payable = (among: string): string => `
  WITH p AS MATERIALIZED (SELECT account_id, livemode, id, wallet_id, total FROM purchases WHERE queued ${among})
  SELECT p.account_id AS "accountId", p.livemode, p.id
    FROM p JOIN ledger_accounts a ON a.account_id = p.account_id AND a.id = p.wallet_id
    JOIN accounts o ON o.id = p.account_id
   WHERE a.status <> 'closed' AND NOT ${STOPS_DEBITS} AND a.available + a.credit_limit >= p.total
     AND (o.live_enabled OR NOT p.livemode)
   ORDER BY p.id LIMIT $1`;

/** Purchases that wait for money and could be paid now, oldest first: at most `$1`, behind the id `$2`. */
const SELECT_PAYABLE = payable('AND id > $2');

/**
 * Of the accounts `$2`. Prepared: it is asked at each credit, and to plan it takes fifteen times as long as to run it.
 */
const SELECT_PAYABLE_OF = { name: 'select_payable_purchases', text: payable('AND account_id = ANY ($2::uuid[])') };

/**
 * What a product asks for when a purchase that waited is about to be asked for. Throws what refuses it: it goes on
 * waiting then, as it does for money where a second person is needed by now.
 */
type WhenItGoes = (waited: Running) => Promise<Conditions>;

/** Purchases that wait for money, without a hold yet, or for a second person, with one: nobody was asked. */
@Injectable()
export class QueuedPurchases {
  /** Credits of the same moment are one look. */
  private readonly payable = new Batcher<string, Key[]>((accountIds) => this.selectPayable(accountIds), LOOKS);
  private readonly conditions = new Map<SoldProduct, WhenItGoes>();

  constructor(
    private readonly reads: ReadPipeline,
    private readonly dataSource: DataSource,
    private readonly store: PurchaseStore,
    private readonly runs: PurchaseRun,
    private readonly extensions: Extensions,
  ) {}

  /** Called once by each product that asks for something again when one that waited goes. */
  include(product: SoldProduct, conditions: WhenItGoes): void {
    this.conditions.set(product, conditions);
  }

  /** Starts all that can be paid now: whoever brought the money may have died before it woke them. */
  @Recurring({ name: 'purchases.pay_queued', everyMs: SWEEP_MS })
  async payAll(): Promise<void> {
    let keys: Key[];
    // Some of them go on waiting, for other things than money: they are in nobody's way.
    for (let after = LOWEST_ID; ; after = keys.at(-1)!.id) {
      keys = await this.dataSource.query(SELECT_PAYABLE, [CHUNK, after]);
      await this.payInOrder(keys);
      if (keys.length < CHUNK) return;
    }
  }

  /** Starts what waits for the account's money and can be paid. */
  async wake(accountId: string): Promise<void> {
    await this.payInOrder(await this.payable.add(accountId));
  }

  /** Only before a provider was asked. `rows` are written with it. Throws `NotFound`, `InvalidPurchaseTransition`. */
  async cancel(viewer: Viewer, idOrReference: string, rows: readonly Write[]): Promise<TransactionRecord> {
    const running = await this.store.loadPublic(viewer, idOrReference, 'cancelled');
    return (await this.end(running, 'cancelled', rows)).transaction;
  }

  /**
   * A second person has decided about a purchase that waits for that: the first provider is asked, or the hold goes
   * back. `writes` are written with it. Throws `NotFound`, `InvalidPurchaseTransition`, `ProviderUnavailable`,
   * `TooManyAtOnce`, and what its product's conditions throw.
   */
  decide(
    viewer: Viewer,
    id: string,
    decision: 'approved' | 'declined',
    writes: readonly Write[],
  ): Promise<TransactionRecord> {
    return retryChanged(() => this.decideNow(viewer, id, decision, writes));
  }

  /** Throws `ChangedElsewhere`, too. */
  private async decideNow(
    viewer: Viewer,
    id: string,
    decision: 'approved' | 'declined',
    writes: readonly Write[],
  ): Promise<TransactionRecord> {
    const before = await this.store.loadPublic(viewer, id, decision);
    const { transaction: t, purchase } = before;
    const now = await this.store.now(purchase);
    if (!awaitsApproval(before) || isOver(before, now)) throw new InvalidPurchaseTransition(t.id, t.status, decision);
    if (decision === 'declined') return (await this.end(before, decision, writes)).transaction;
    const next = await this.runs.atNextProvider(before, now);
    if (next === null) throw new ProviderUnavailable(`Nobody who sells for ${purchase.network} can be asked`);
    const { writes: counted } = await this.conditionsOf(before);
    const details = settledApproval(t, decision);
    const after = { ...next, transaction: { ...next.transaction, details, updatedAt: new Date() } };
    const event = purchaseEvent(after, 'processing', t.status);
    await this.store.step(before, after, [attemptWrite(next.attempt), event, ...counted, ...writes]);
    // Not awaited: whoever decides does not wait for the provider.
    void this.runs.run(after);
    return after.transaction;
  }

  /** Time may have passed before anybody was asked. */
  async expire(running: Running): Promise<void> {
    if (isOver(running, await this.store.now(running.purchase))) await this.end(running, 'expired');
  }

  /** One after the other: the oldest first while the money lasts. */
  private async payInOrder(keys: readonly Key[]): Promise<void> {
    for (const key of keys) {
      try {
        await retryChanged(async () => this.pay(await this.store.load(key)));
      } catch (error) {
        if (!(error instanceof TooManyAtOnce || isMoving(error))) throw error;
      }
    }
  }

  /** Holds the money and asks the first provider, while there is enough and time. Throws `ChangedElsewhere`. */
  private async pay(before: Running): Promise<void> {
    if (!before.purchase.queued) return;
    const now = await this.store.now(before.purchase);
    if (isOver(before, now)) return void (await this.end(before, 'expired'));
    const { currency, details } = before.transaction;
    const { walletId, total, requestId, idempotencyKey } = before.purchase;
    const next = await this.runs.atNextProvider(before, now);
    // It goes on waiting: for whoever may be asked, or for what its product asks for.
    const conditions = next && (await this.conditionsOf(before).catch(refusal));
    if (next === null || conditions === null || conditions.approveBy !== null) return;
    const paid = await this.store.post(before.purchase, {
      currency,
      lines: [],
      holds: [holdStep(before.purchase, 'open')],
      writes: (posted) => {
        const { available } = posted.account(walletId);
        const balances = { balanceBefore: available + total, balanceAfter: available };
        const made: Running = {
          ...next,
          transaction: {
            ...next.transaction,
            ...balances,
            updatedAt: posted.at,
            details: { ...details, queued: false },
          },
        };
        const announced = [
          purchaseEvent(made, 'processing', before.transaction.status),
          ...lowBalanceEvents(posted, { requestId, idempotencyKey }),
        ];
        return {
          rows: [
            ...this.store.stepWrites(before, made),
            attemptWrite(next.attempt),
            ...conditions.writes,
            ...announced,
          ],
          made,
        };
      },
    });
    // Not awaited: whoever brought the money does not wait for the provider.
    if (paid) void this.runs.run(paid);
  }

  /** Throws `InvalidPurchaseTransition` once a provider was asked. */
  private async end(
    before: Running,
    as: 'cancelled' | 'declined' | 'expired',
    writes: readonly Write[] = [],
  ): Promise<Running> {
    const { transaction: t, purchase } = before;
    if (t.status !== 'pending') throw new InvalidPurchaseTransition(t.id, t.status, 'cancelled');
    const at = new Date();
    const isHeld = awaitsApproval(before);
    const after: Running = {
      ...before,
      transaction: {
        ...t,
        version: t.version + 1,
        status: 'cancelled',
        nextCheckAt: null,
        updatedAt: at,
        completedAt: at,
        details: isHeld ? settledApproval(t, as) : { ...t.details, queued: false },
      },
      purchase: { ...purchase, queued: false, nextCheckAt: null },
    };
    const event = purchaseEvent(after, 'cancelled', t.status);
    const { accountId, livemode, id: objectId, product } = purchase;
    const payment = {
      operation: PRODUCTS[product].operation,
      accountId,
      livemode,
      objectType: 'txn',
      objectId,
    } as const;
    const told = this.extensions.afterPayment(event, payment, this.extensions.causes());
    const more = [event, ...freed(after), ...told, ...writes];
    try {
      if (isHeld) await this.release(before, after, more);
      else await this.store.step(before, after, more);
    } catch (error) {
      throw error instanceof ChangedElsewhere ? new InvalidPurchaseTransition(t.id, 'processing', 'cancelled') : error;
    }
    this.extensions.wake();
    return after;
  }

  /** What was held goes back. Throws `ChangedElsewhere`. */
  private async release(before: Running, after: Running, more: readonly Write[]): Promise<void> {
    const { currency, walletId } = before.transaction;
    await this.store.post(before.purchase, {
      currency,
      lines: [],
      holds: [holdStep(before.purchase, 'release')],
      writes: (posted) => {
        const { available } = posted.account(walletId);
        const transaction = { ...after.transaction, balanceBefore: available, balanceAfter: available };
        return { rows: [...this.store.stepWrites(before, { ...after, transaction }), ...more], made: after };
      },
    });
  }

  private async conditionsOf(waited: Running): Promise<Conditions> {
    return (await this.conditions.get(waited.purchase.product)?.(waited)) ?? UNCONDITIONAL;
  }

  private async selectPayable(accountIds: readonly string[]): Promise<Key[][]> {
    const { rows } = await this.reads.query<Key>(SELECT_PAYABLE_OF, [
      CHUNK,
      arrayParam('uuid', [...new Set(accountIds)]),
    ]);
    const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
    return accountIds.map((accountId) => byAccount.get(accountId) ?? []);
  }
}

const isOver = (running: Running, now: Date): boolean => {
  const { deliverBy } = running.purchase;
  const until = awaitsApproval(running) ? approvalOf(running.transaction).expires_at : deliverBy;
  return until !== null && new Date(until) <= now;
};

const approvalOf = ({ details }: Pick<TransactionRecord, 'details'>) => details!.approval as { expires_at: string };

const settledApproval = (transaction: TransactionRecord, status: string): Record<string, unknown> => ({
  ...transaction.details,
  approval: { ...approvalOf(transaction), status },
});

/** Null: refused. */
function refusal(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}
