import type { Write } from '../../core/database/bulk';
import { ABANDONED_AFTER_MS } from '../../providers/client';
import { DomainError } from '../../core/errors/domain-error';
import { encodeId, newIdOf } from '../../core/http/ids';
import { freeLikeness, likenessValue } from '../../core/idempotency/claims';
import { type Currency, toJsonNumber } from '../../core/money/money';
import { type Bought, boughtDetails, type Cost, totalOf } from '../../core/money/bought';
import type { WantedExchange } from '../conversions/exchange.service';
import type { HoldStep } from '../ledger/posting';
import { transactionEvent, type TransactionRecord } from '../transactions/transactions.service';
import type { TransactionStatus } from '../transactions/transaction.entity';
import type { Purchase, PurchaseAttempt } from './purchase.entity';
import type { Delivered, Order, ProviderResult } from './purchases.provider';
import { PRODUCTS, type SoldProduct } from '../../vocabulary/products';

/** A purchase as a product module hands it over: checked, priced by the catalogue, not yet held. */
export interface NewPurchase<Item extends object = object> {
  readonly product: SoldProduct;
  /** Minor units; what is delivered costs this before fee and commission. */
  readonly amount: bigint;
  /** Minor units off the price, from the catalogue. */
  readonly commission: bigint;
  readonly currency: Currency;
  /** Phone in E.164, or the customer's number at the biller: filter and duplicate guard go by it. */
  readonly recipient: string;
  /** What providers are routed by: the network's slug or the biller's code. */
  readonly network: string;
  /**
   * What makes two purchases the same thing beside recipient and amount: the plan's or item's code; null for airtime.
   */
  readonly variant: string | null;
  /** What the provider is asked for. JSON. */
  readonly item: Item;
  /** Shown as `details` of the transaction from the start, snake_case. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Public id of the wallet that pays; null: the account's oldest active wallet in the currency. */
  readonly walletId: string | null;
  /** The wallet is in another currency; null: it is not. */
  readonly exchange: WantedExchange | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly allowDuplicate: boolean;
  /** No attempt starts after it. In the time of the account's clock. */
  readonly deliverBy: Date | null;
  readonly onInsufficientFunds: 'fail' | 'queue';
  readonly scenario: string | null;
  /** Longest wait of the caller for a final outcome, in milliseconds. */
  readonly waitMs: number;
  /** What the product still asks for when the hold is about to be posted, in the name of the transaction's uuid. */
  readonly conditions?: (id: string) => Promise<Conditions> | Conditions;
}

/**
 * Rows that are written with the hold. Where another order was faster (`isRowChanged`) they are asked for again. What
 * refuses the order is thrown instead.
 */
export interface Conditions {
  readonly writes: readonly Write[];
  /** A second person must have let it go by then, in the time of the account's clock; null: nobody must. */
  readonly approveBy: Date | null;
}

export const UNCONDITIONAL: Conditions = { writes: [], approveBy: null };

/** The part of a purchase that does not depend on the product. */
export type CommonPurchase = Pick<
  NewPurchase,
  | 'walletId'
  | 'exchange'
  | 'reference'
  | 'metadata'
  | 'allowDuplicate'
  | 'deliverBy'
  | 'onInsufficientFunds'
  | 'scenario'
  | 'waitMs'
>;

/** Its money is held, and a second person is waited for: nobody outside was asked. */
export const awaitsApproval = ({ transaction, purchase }: Omit<Running, 'attempt'>): boolean =>
  transaction.status === 'pending' && !purchase.queued;

/** A purchase as it stands, with the attempt that is under way or was the last. */
export interface Running {
  readonly transaction: TransactionRecord;
  readonly purchase: Readonly<Purchase>;
  readonly attempt: Readonly<PurchaseAttempt> | null;
  /** Rows of a person's decision, written with the settlement that it leads to. */
  readonly verdict?: readonly Write[];
}

/** What is sold, and for how much, in the currency of the product: providers, floats and commissions go by that. */
export const priceOf = ({ transaction, purchase }: Pick<Running, 'transaction' | 'purchase'>): Cost =>
  purchase.conversion ?? transaction;

/** The purchase is in a state in which this cannot be done. */
export class InvalidPurchaseTransition extends DomainError {
  constructor(transactionId: string, status: string, wanted: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('txn', transactionId)} is ${status} and cannot be ${wanted}.`,
      resourceId: encodeId('txn', transactionId),
    });
  }
}

/** Which states a purchase may go to from each. Total: a state without a row does not compile. */
export const TRANSITIONS: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  pending: ['processing', 'cancelled'],
  processing: ['processing', 'successful', 'failed'],
  successful: ['reversed'],
  failed: [],
  cancelled: [],
  reversed: [],
};

const DAY_MS = 24 * 3_600_000;

/**
 * How long after a delivery it is asked about again, though nobody says anything: a bank may return a payout days
 * later. Told in `docs/payouts.md`.
 */
const LATER_LOOKS_MS: Partial<Record<SoldProduct, readonly number[]>> = { payout: [DAY_MS, 3 * DAY_MS] };
/** The books of a provider may lag behind its callback. */
const AFTER_CALLBACK_MS = DAY_MS;
/** A provider that says at each look that it may still take it back has said so long enough. */
const RECHECKS_END_MS = 7 * DAY_MS;

/**
 * When a purchase that is final is looked at next; null: never. `now`: by the account's clock. `recheckAfterMs`: what
 * its provider asks for.
 */
export function laterLookAt(
  { transaction: { status }, purchase: { product, calledAt }, attempt }: Running,
  now: Date,
  recheckAfterMs?: number,
): Date | null {
  const deliveredAt = status === 'successful' ? (attempt?.endedAt ?? null) : null;
  const later = [
    ...(deliveredAt === null ? [] : (LATER_LOOKS_MS[product] ?? []).map((ms) => deliveredAt.getTime() + ms)),
    ...(calledAt === null ? [] : [calledAt.getTime() + AFTER_CALLBACK_MS]),
  ].filter((at) => at > now.getTime());
  const isAskedFor = recheckAfterMs !== undefined && now.getTime() - (deliveredAt ?? now).getTime() < RECHECKS_END_MS;
  const times = isAskedFor ? [...later, now.getTime() + recheckAfterMs] : later;
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Not final: the answer to the caller is 202. */
export const isRunning = (status: TransactionStatus): boolean => status === 'pending' || status === 'processing';

/** A step that the table does not have is a fault of ours. */
export function assertTransition(from: TransactionStatus, to: TransactionStatus): void {
  if (!TRANSITIONS[from].includes(to)) throw new Error(`a purchase cannot go from ${from} to ${to}`);
}

/**
 * The next provider of the route, about to be asked: the attempt is written before the request is sent. Those before it
 * are left out.
 */
export function nextAttempt(
  { transaction, purchase }: Omit<Running, 'attempt'>,
  now: Date,
  provider = purchase.route[0],
): Running & { attempt: PurchaseAttempt } {
  if (provider === undefined) throw new Error(`purchase ${purchase.id} has no provider left`);
  const route = purchase.route.slice(purchase.route.indexOf(provider) + 1);
  const number = purchase.attempts + 1;
  const nextCheckAt = new Date(now.getTime() + ABANDONED_AFTER_MS);
  const { accountId, livemode, id: purchaseId } = purchase;
  return {
    transaction: {
      ...transaction,
      version: transaction.version + 1,
      status: 'processing',
      providerName: provider,
      providerAttempts: number,
      nextCheckAt,
    },
    purchase: { ...purchase, route, attempts: number, checks: 0, notKnown: 0, queued: false, nextCheckAt },
    attempt: {
      accountId,
      livemode,
      id: newIdOf(accountId),
      purchaseId,
      number,
      provider,
      startedAt: now,
      endedAt: null,
      outcome: null,
      code: null,
      message: null,
      providerReference: null,
      cost: null,
      costCurrency: null,
    },
  };
}

/** The attempt with what the provider answered. */
export function endedAttempt(
  attempt: Readonly<PurchaseAttempt>,
  result: ProviderResult,
  endedAt: Date,
): PurchaseAttempt {
  return {
    ...attempt,
    endedAt,
    outcome: result.outcome,
    code: 'code' in result ? result.code : null,
    message: 'message' in result ? result.message : null,
    providerReference:
      ('providerReference' in result ? result.providerReference : undefined) ?? attempt.providerReference,
    ...costOf(result, attempt),
  };
}

/** What it cost, and in which currency: both, as it is told now, or as it was before. */
const costOf = (
  result: ProviderResult,
  before: Readonly<PurchaseAttempt>,
): Pick<PurchaseAttempt, 'cost' | 'costCurrency'> =>
  result.outcome === 'delivered' && result.cost !== undefined
    ? { cost: result.cost, costCurrency: result.costCurrency ?? null }
    : { cost: before.cost, costCurrency: before.costCurrency };

export function orderOf(running: Running): Order {
  const { purchase, attempt } = running;
  const { amount, currency } = priceOf(running);
  return {
    reference: attempt!.id,
    accountId: purchase.accountId,
    livemode: purchase.livemode,
    purchaseId: purchase.id,
    amount,
    currency,
    item: purchase.item,
    options: purchase.options[attempt!.provider] ?? {},
    providerReference: attempt!.providerReference,
    scenario: purchase.scenario,
  };
}

/** What two purchases have in common that look alike. */
export const likenessOf = ({
  product,
  recipient,
  amount,
  variant,
}: Pick<NewPurchase, 'product' | 'recipient' | 'amount' | 'variant'>): string =>
  likenessValue(product, recipient, amount, variant);

/** A purchase that came to nothing stands in nobody's way: the same may be bought again at once. */
export const freed = (running: Pick<Running, 'transaction' | 'purchase'>): Write[] => {
  const {
    transaction: { recipient, reference, details },
    purchase,
  } = running;
  const { accountId, livemode, id: resourceId, product, variant, idempotencyKey } = purchase;
  if (idempotencyKey !== null || reference !== null) return [];
  // The claim is about what was asked for, of which less may have been delivered.
  const amount =
    typeof details?.requested_amount === 'number' ? BigInt(details.requested_amount) : priceOf(running).amount;
  return [
    freeLikeness({ accountId, livemode, resourceId }, likenessOf({ product, recipient: recipient!, amount, variant })),
  ];
};

/** `transaction.<what>` about a purchase as it stands then; `previous`: its status before. */
export const purchaseEvent = (
  { transaction, purchase }: Pick<Running, 'transaction' | 'purchase'>,
  what: TransactionStatus | 'needs_review' | 'awaiting_approval',
  previous: TransactionStatus | null,
): Write =>
  transactionEvent(transaction, {
    previous,
    what,
    origin: { requestId: purchase.requestId, idempotencyKey: purchase.idempotencyKey },
  });

/** A step of the purchase's hold, over its whole amount unless another is given. */
export const holdStep = (
  { id, walletId, total }: Readonly<Purchase>,
  kind: HoldStep['kind'],
  amount = total,
): HoldStep => ({ kind, holdId: id, ledgerAccountId: walletId, amount, transactionId: id });

/**
 * What was delivered, beside what was asked. `short` can be paid for by its part; what `misfits` only a person can
 * settle.
 */
export function measure(running: Running, delivered: Delivered): 'whole' | 'short' | 'misfit' {
  const { amount, commission } = priceOf(running);
  const { deliveredAmount = amount } = delivered;
  if (deliveredAmount === amount) return 'whole';
  return PRODUCTS[running.purchase.product].sold === 'in_parts' && deliveredAmount < amount && commission < amount
    ? 'short'
    : 'misfit';
}

/**
 * The purchase of what was delivered: fee and commission in proportion, rounded down. What was asked for stands in
 * `details`.
 */
export function shortened(running: Running, deliveredAmount: bigint): Running {
  const { transaction: t, purchase } = running;
  const { amount: asked, ...price } = priceOf(running);
  const partOf = (sum: bigint): bigint => (sum * deliveredAmount) / asked;
  const goods = { amount: deliveredAmount, fee: partOf(price.fee), commission: partOf(price.commission) };
  const paid =
    purchase.conversion === null ? goods : sold(t, purchase.conversion, { ...purchase.conversion, ...goods });
  const total = totalOf(paid);
  const conversion = purchase.conversion && { ...purchase.conversion, ...goods };
  const details = {
    ...t.details,
    ...(conversion && { conversion: { ...(t.details!.conversion as object), ...boughtDetails(conversion) } }),
    requested_amount: toJsonNumber(asked),
    released_amount: toJsonNumber(purchase.total - total),
  };
  return { ...running, transaction: { ...t, ...paid, details }, purchase: { ...purchase, total, conversion } };
}

/**
 * What leaves the wallet for less than was bought: in proportion, rounded against the caller, and never more than it
 * was; its fee rounded down.
 */
function sold(
  { amount, fee }: Pick<TransactionRecord, 'amount' | 'fee'>,
  whole: Bought,
  part: Bought,
): Omit<Cost, 'currency'> {
  const [asked, delivered] = [totalOf(whole), totalOf(part)];
  return { amount: (amount * delivered + asked - 1n) / asked, fee: (fee * delivered) / asked, commission: 0n };
}
