import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { checkDelayMs } from '../../providers/client';
import { Requeries } from '../../providers/requeries';
import type { Write } from '../../core/database/bulk';
import { ChangedElsewhere } from '../../core/database/unit-of-work';
import { Routes } from '../../providers/routes';
import { Extensions } from '../../core/extension/extensions';
import { newIdOf } from '../../core/http/ids';
import { type Currency, toJsonNumber } from '../../core/money/money';
import { WorkUnderWay } from '../../core/process/work-under-way';
import { SecretBox } from '../../core/secrets/secret-box';
import { ExchangeService, positionOf } from '../conversions/exchange.service';
import { LedgerAccountsService, type PlatformAccountName } from '../ledger/accounts.service';
import type { Line, Posted, Posting, Written } from '../ledger/posting';
import {
  finalTransaction,
  openTransactionWrite,
  transactionChange,
  transactionEvent,
  type TransactionRecord,
  transactionRepricing,
} from '../transactions/transactions.service';
import { creditedEvent } from '../wallets/wallets.service';
import { Losses } from './losses';
import { ProviderClient } from './provider-client';
import { attemptChange, attemptWrite, checkWrite, purchaseChange, PurchaseStore } from './purchase-store';
import type { Delivered, NotDelivered, ProviderResult, Unsettled } from './purchases.provider';
import {
  assertTransition,
  endedAttempt,
  freed,
  holdStep,
  laterLookAt,
  measure,
  nextAttempt,
  priceOf,
  purchaseEvent,
  type Running,
  shortened,
} from './running';
import { PRODUCTS } from '../../vocabulary/products';

/** Money that went back is asked about once more: a delivery that shows up later is for a person to see. */
export const LATE_RECHECK_MS = 24 * 3_600_000;

/** Why a delivery was taken back. */
interface Reason {
  readonly code: string;
  readonly message: string;
}

/**
 * Carries a purchase from its attempt to an end, or to a requery: asks providers, one after the other, and settles. The
 * money of the hold leaves, goes back, or comes back after all, each in one posting with its events.
 */
@Injectable()
export class PurchaseRun implements BeforeApplicationShutdown {
  private readonly log = new Logger('purchases');
  private readonly underWay = new WorkUnderWay();
  private readonly losses = new Losses();

  constructor(
    private readonly client: ProviderClient,
    private readonly routes: Routes,
    private readonly requeries: Requeries,
    private readonly store: PurchaseStore,
    private readonly accounts: LedgerAccountsService,
    private readonly exchange: ExchangeService,
    private readonly secrets: SecretBox,
    private readonly extensions: Extensions,
  ) {}

  /**
   * Asks the attempt's provider, and those after it, until there is an answer to wait for or an end. `onStep` hears of
   * each step. Never throws: what a fault leaves undone is found by the requery.
   */
  run(running: Running, onStep: (after: Running) => void = () => undefined): Promise<void> {
    const work = this.drive(running, onStep).catch((error: unknown) => {
      if (!(error instanceof ChangedElsewhere))
        this.log.error({ message: 'a purchase was left to its requery', purchase: running.purchase.id, err: error });
    });
    return this.underWay.add(work);
  }

  /**
   * Carries out what a requery, or a person, found out, and asks the next provider when there is one. Throws
   * `ChangedElsewhere`.
   */
  async conclude(running: Running, found: Exclude<ProviderResult, Unsettled>): Promise<void> {
    const after = await this.follow(running, found);
    if (isAsked(after)) await this.run(after);
  }

  /**
   * The provider has it no longer: the money goes back, from the hold or from where it went. Throws `ChangedElsewhere`;
   * `PostingRefused` when the wallet takes nothing any more.
   */
  async reverse(running: Running, { code, message }: Reason): Promise<void> {
    const now = await this.store.now(running.purchase);
    if (running.transaction.status === 'successful') await this.refund(running, { code, message }, now);
    else
      await this.release(
        running,
        { outcome: 'not_delivered', code, message, recovery: 'none', retryElsewhere: false },
        now,
      );
  }

  /**
   * The purchase about to be asked for at the first provider left who may be asked now, whoever could when it was
   * ordered; null: nobody.
   */
  async atNextProvider(running: Running, now: Date): Promise<ReturnType<typeof nextAttempt> | null> {
    const { purchase } = running;
    const first = await this.routes.firstPossible(purchase, purchase.route, priceOf(running).currency);
    return first === null ? null : nextAttempt(running, now, first);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  private async drive(running: Running, onStep: (after: Running) => void): Promise<void> {
    for (let current = running; ;) {
      const result = await this.client.purchase(current);
      current =
        result.outcome === 'unknown' || result.outcome === 'accepted'
          ? await this.wait(current, result)
          : await this.follow(current, result);
      onStep(current);
      if (!isAsked(current)) return;
    }
  }

  /** The step after a definite answer: deliver, ask the next provider, or give the money back. */
  private async follow(running: Running, result: Exclude<ProviderResult, Unsettled>): Promise<Running> {
    const now = await this.store.now(running.purchase);
    if (result.outcome === 'delivered')
      return measure(running, result) === 'misfit'
        ? this.leaveToPerson(running, result, now)
        : this.deliver(running, result, now);
    const next = await this.withNextProvider(running, result, now);
    return next
      ? this.tryNext(running, next, endedAttempt(running.attempt!, result, now))
      : this.release(running, result, now);
  }

  /** Nobody can say: the hold stays, and the provider is asked again. */
  private async wait(running: Running, result: Unsettled): Promise<Running> {
    const now = await this.store.now(running.purchase);
    const nextCheckAt = new Date(now.getTime() + checkDelayMs(0));
    const attempt = endedAttempt(running.attempt!, result, now);
    const transaction = {
      ...running.transaction,
      version: running.transaction.version + 1,
      nextCheckAt,
      updatedAt: new Date(),
    };
    const after: Running = { transaction, purchase: { ...running.purchase, nextCheckAt }, attempt };
    await this.store.step(running, after, [
      attemptChange(attempt),
      checkWrite(running.purchase, attempt.provider, result, 'purchase'),
    ]);
    await this.requeries.setAlarms('purchases', after.purchase);
    return after;
  }

  /** The purchase about to be asked for elsewhere; null when nobody else may be asked. */
  private async withNextProvider(running: Running, { retryElsewhere }: NotDelivered, now: Date) {
    const { deliverBy } = running.purchase;
    const isLate = deliverBy !== null && deliverBy <= now;
    return !retryElsewhere || isLate ? null : this.atNextProvider(running, now);
  }

  private async tryNext(before: Running, next: Running, ended: NonNullable<Running['attempt']>): Promise<Running> {
    const after = { ...next, transaction: { ...next.transaction, updatedAt: new Date() } };
    await this.store.step(before, after, [attemptChange(ended), attemptWrite(after.attempt!)]);
    return after;
  }

  /**
   * Delivered: the hold is captured, fee and commission are booked on lines of their own. Of less than was asked for,
   * what was delivered is captured and the rest released.
   */
  private async deliver(before: Running, result: Delivered, now: Date): Promise<Running> {
    const isShort = measure(before, result) === 'short';
    const { transaction: t, purchase } = isShort ? shortened(before, result.deliveredAmount!) : before;
    const kept = this.withGoods(t, result);
    const secrets =
      result.secrets ?? (t.secrets && (JSON.parse(this.secrets.open(t.secrets, t.id)) as Record<string, unknown>));
    const attempt = endedAttempt(before.attempt!, result, now);
    const delivered: Running = { transaction: { ...t, status: 'successful' }, purchase, attempt };
    const recheckAt = laterLookAt(delivered, now, result.recheckAfterMs);
    const told = { ...kept.details, ...result.details, ...(secrets && maskSecrets({ ...secrets })) };
    const after: Running = {
      transaction: {
        ...kept,
        status: 'successful',
        needsReview: false,
        providerReference: result.providerReference,
        nextCheckAt: recheckAt,
        details: purchase.conversion === null ? told : { ...told, conversion: kept.details!.conversion },
      },
      purchase: { ...purchase, nextCheckAt: recheckAt, checks: 0, notKnown: 0, review: null },
      attempt,
    };
    // What was held above the cost is released.
    const rest = before.purchase.total - purchase.total;
    const holds = [holdStep(purchase, 'capture'), ...(rest > 0n ? [holdStep(purchase, 'release', rest)] : [])];
    return this.settle(before, after, { holds, lines: await this.outerLines(after, 1n) });
  }

  /** Delivered, but not what was asked for: the hold stays, and a person is called, once. */
  private async leaveToPerson(running: Running, result: Delivered, now: Date): Promise<Running> {
    const { transaction, purchase } = running;
    const checks = purchase.checks + 1;
    const nextCheckAt = new Date(now.getTime() + checkDelayMs(checks));
    const reason = `delivered ${result.deliveredAmount} of ${priceOf(running).amount}`;
    const attempt = endedAttempt(running.attempt!, result, now);
    const after: Running = {
      transaction: {
        ...this.withGoods(transaction, result),
        version: transaction.version + 1,
        needsReview: true,
        nextCheckAt,
        updatedAt: new Date(),
      },
      purchase: { ...purchase, checks, nextCheckAt, review: purchase.review ?? reason },
      attempt,
    };
    if (purchase.review === null)
      this.log.error({ message: 'a purchase needs a person', purchase: purchase.id, reason });
    await this.store.step(running, after, [
      attemptChange(attempt),
      ...(purchase.review === null ? [purchaseEvent(after, 'needs_review', transaction.status)] : []),
    ]);
    await this.requeries.setAlarms('purchases', after.purchase);
    return after;
  }

  /**
   * The record with what was delivered, which a person must settle. Tokens and PINs are kept, and shown once they are
   * paid for.
   */
  private withGoods(t: TransactionRecord, { deliveredAmount, secrets }: Delivered): TransactionRecord {
    return {
      ...t,
      details: {
        ...t.details,
        ...(deliveredAmount !== undefined && { delivered_amount: toJsonNumber(deliveredAmount) }),
      },
      secrets: secrets ? this.secrets.seal(JSON.stringify(secrets), t.id) : t.secrets,
    };
  }

  /** Certainly not delivered, and nobody else is asked: the hold is released. */
  private release(before: Running, result: NotDelivered, now: Date): Promise<Running> {
    const { code, message, recovery, recheckAfterMs } = result;
    const failed: Running = { ...before, transaction: { ...before.transaction, status: 'failed' } };
    const nextCheckAt = laterLookAt(failed, now, recheckAfterMs);
    const after: Running = {
      transaction: {
        ...failed.transaction,
        needsReview: false,
        nextCheckAt,
        failure: { code, stage: 'provider', recovery, message },
      },
      purchase: { ...before.purchase, nextCheckAt, review: null },
      attempt: endedAttempt(before.attempt!, result, now),
    };
    return this.settle(before, after, { holds: [holdStep(before.purchase, 'release')], lines: [] });
  }

  /** The provider took a delivery back: the money returns to the wallet by a linked transaction. */
  private async refund(before: Running, reason: Reason, now: Date): Promise<Running> {
    const { transaction: t, purchase } = before;
    const id = newIdOf(t.accountId);
    const nextCheckAt = new Date(now.getTime() + LATE_RECHECK_MS);
    const returned: Line = {
      ledgerAccountId: t.walletId,
      bucket: 'available',
      amount: purchase.total,
      transactionId: id,
      passesFreezes: true,
    };
    const after: Running = {
      ...before,
      transaction: {
        ...t,
        status: 'reversed',
        reversedBy: id,
        needsReview: false,
        nextCheckAt: null,
        failure: { code: reason.code, message: reason.message, stage: 'provider', recovery: 'none' },
      },
      purchase: { ...purchase, nextCheckAt, review: null },
    };
    const lines = [returned, ...(await this.outerLines(before, -1n))];
    return this.settle(before, after, { lines }, (posted) => this.reversal(before, id, posted));
  }

  private reversal({ transaction: t, purchase }: Running, id: string, posted: Posted): Write[] {
    const wallet = posted.account(t.walletId);
    const final = finalTransaction({
      accountId: t.accountId,
      livemode: t.livemode,
      id,
      walletId: t.walletId,
      type: 'reversal',
      direction: 'credit',
      amount: purchase.total,
      currency: t.currency,
      balanceBefore: wallet.available - purchase.total,
      balanceAfter: wallet.available,
      at: posted.at,
    });
    const record = { ...final, reverses: t.id };
    const origin = { requestId: purchase.requestId, idempotencyKey: purchase.idempotencyKey };
    return [
      openTransactionWrite(record),
      transactionEvent(record, { previous: null, origin }),
      creditedEvent(wallet, { transactionId: id, amount: record.amount, reference: t.reference }, origin),
    ];
  }

  private async settle(
    before: Running,
    after: Running,
    money: Pick<Posting, 'lines' | 'holds'>,
    more: (posted: Posted) => Write[] = () => [],
  ): Promise<Running> {
    const { accountId, livemode, currency, walletId, status } = before.transaction;
    assertTransition(status, after.transaction.status);
    const causes = this.extensions.causes();
    const payment = {
      operation: PRODUCTS[before.purchase.product].operation,
      accountId,
      livemode,
      objectType: 'txn',
      objectId: before.purchase.id,
    } as const;
    const writes = (posted: Posted): Written<Running> => {
      const { available } = posted.account(walletId);
      const isRepriced = after.purchase.total !== before.purchase.total;
      const moved = after.transaction.status === 'failed' ? 0n : after.purchase.total;
      const balances = moved === 0n || isRepriced ? { balanceBefore: available + moved, balanceAfter: available } : {};
      const settled: Running = {
        ...after,
        transaction: {
          ...after.transaction,
          ...balances,
          version: before.transaction.version + 1,
          updatedAt: posted.at,
          completedAt: before.transaction.completedAt ?? posted.at,
        },
      };
      const event = purchaseEvent(settled, settled.transaction.status, status);
      const rows = [
        ...(isRepriced ? transactionRepricing : transactionChange)(settled.transaction, before.transaction),
        purchaseChange(settled.purchase, before.purchase),
        event,
        ...(settled.transaction.status === 'successful' ? [] : freed(settled)),
        ...(settled.attempt !== before.attempt ? [attemptChange(settled.attempt!)] : []),
        ...this.extensions.afterPayment(event, payment, causes),
        ...more(posted),
        ...(before.verdict ?? []),
      ];
      return { rows, made: settled };
    };
    const settled = await this.store.post(before.purchase, { currency, ...money, writes });
    if (settled === null) throw new ChangedElsewhere();
    if (settled.transaction.status === 'successful') this.losses.note(settled);
    this.extensions.wake();
    return settled;
  }

  /** The platform's side, and what it takes of the wallet's currency where that is not the price's. */
  private async outerLines(running: Running, sign: 1n | -1n): Promise<Line[]> {
    const { transaction: t, purchase } = running;
    const lines = outerParts(running).map(async ([name, currency, amount]): Promise<Line> => ({
      ledgerAccountId: await this.accounts.platform(name, currency, t),
      bucket: 'available',
      amount: sign * amount,
      transactionId: null,
      ...(currency !== t.currency && { currency }),
    }));
    const { conversion } = purchase;
    const exchanged = conversion ? await this.exchange.lines(t, t, conversion, sign) : [];
    return [...exchanged, ...(await Promise.all(lines))];
  }
}

type Part = readonly [PlatformAccountName, Currency, bigint];

/**
 * What the provider is owed, what is left of the price then, the fee that is earned, the commission that is given away.
 * Where our float is in another currency, the platform has the price and gives what it cost, as in a conversion: what
 * is left is in the position, and worth what the rates say.
 */
function outerParts(running: Running): Part[] {
  const { transaction: t, attempt } = running;
  const { currency, amount: price, fee, commission } = priceOf(running);
  const cost = running.attempt?.cost ?? price;
  const costCurrency = attempt?.costCurrency ?? currency;
  const [float, position] = [`provider_float:${t.providerName!}`, positionOf(t)] as const;
  const sold: Part[] =
    costCurrency === currency
      ? [
          [float, currency, cost],
          ['margins', currency, price - cost],
        ]
      : [
          [position, currency, price],
          [position, costCurrency, -cost],
          [float, costCurrency, cost],
        ];
  const parts: Part[] = [...sold, ['fees', currency, fee], ['commissions', currency, -commission]];
  return parts.filter(([, , amount]) => amount !== 0n);
}

/** The provider of the last attempt has not answered yet. */
const isAsked = ({ attempt }: Running): boolean => attempt !== null && attempt.endedAt === null;

/** Fields beside a secret that say what it is for and open nothing. Whatever is not listed is taken for a secret. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set(['kind', 'units', 'serial']);
const SHOWN_MAX = 4;

/**
 * A copy of a delivery's secrets (meter tokens, PINs) that may be listed, sent and logged: only the last characters of
 * each are left.
 */
export const maskSecrets = (secrets: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, PUBLIC_FIELDS.has(name) ? value : mask(value)]),
  );

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value === 'object' && value !== null) return maskSecrets(value as Record<string, unknown>);
  return typeof value === 'string' || typeof value === 'number' ? maskText(`${value}`) : value;
}

function maskText(text: string): string {
  // Never more than half: four characters of a five-digit PIN would be all but the PIN.
  const shown = Math.min(SHOWN_MAX, Math.floor(text.length / 2));
  return '*'.repeat(text.length - shown) + text.slice(text.length - shown);
}
