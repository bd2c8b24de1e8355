import type { Write } from '../../core/database/bulk';
import { newId } from '../../core/http/ids';
import { freeLikeness, likenessValue } from '../../core/idempotency/likeness';
import { transactionEvent } from '../transactions/transactions.events';
import type { TransactionStatus } from '../transactions/transactions.types';
import type { TransactionRecord } from '../transactions/transactions.service';
import type { Purchase } from './purchase.entity';
import type { PurchaseAttempt } from './purchase-attempt.entity';
import type { NewPurchase, Order, ProviderResult } from './purchases.types';

/** A purchase as it stands, with the attempt that is under way or was the last. */
export interface Running {
  readonly transaction: TransactionRecord;
  readonly purchase: Readonly<Purchase>;
  readonly attempt: Readonly<PurchaseAttempt> | null;
  /** Rows of a person's decision, written with the settlement that it leads to. */
  readonly verdict?: readonly Write[];
}

/** Somebody else settled the purchase meanwhile: what is stored counts. */
export class SettledElsewhere extends Error {}

/** How long an answer of a provider is waited for. */
export const CALL_TIMEOUT_MS = 20_000;
/** A process that dies while it asks leaves the purchase to whoever looks after this time. */
const ABANDONED_AFTER_MS = CALL_TIMEOUT_MS + 10_000;

/** The next provider of the route, about to be asked: the attempt is written before the request is sent. */
export function nextAttempt(
  { transaction, purchase }: Omit<Running, 'attempt'>,
  now: Date,
): Running & { attempt: PurchaseAttempt } {
  const [provider, ...route] = purchase.route;
  if (provider === undefined) throw new Error(`purchase ${purchase.id} has no provider left`);
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
      id: newId(),
      purchaseId,
      number,
      provider,
      startedAt: now,
      endedAt: null,
      outcome: null,
      code: null,
      message: null,
      providerReference: null,
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
  };
}

export const orderOf = ({ transaction, purchase, attempt }: Running): Order => ({
  reference: attempt!.id,
  accountId: purchase.accountId,
  livemode: purchase.livemode,
  purchaseId: purchase.id,
  amount: transaction.amount,
  currency: transaction.currency,
  item: purchase.item,
  options: purchase.options[attempt!.provider] ?? {},
  scenario: purchase.scenario,
});

/** What two purchases have in common that look alike. */
export const likenessOf = ({
  product,
  recipient,
  amount,
  variant,
}: Pick<NewPurchase, 'product' | 'recipient' | 'amount' | 'variant'>): string =>
  likenessValue(product, recipient, amount, variant);

/** A purchase that came to nothing stands in nobody's way: the same may be bought again at once. */
export const freed = ({
  transaction: { recipient, amount: paid, reference, details },
  purchase,
}: Pick<Running, 'transaction' | 'purchase'>): Write[] => {
  const { accountId, livemode, id: resourceId, product, variant, idempotencyKey } = purchase;
  if (idempotencyKey !== null || reference !== null) return [];
  // The claim is about what was asked for, of which less may have been delivered.
  const amount = typeof details?.requested_amount === 'number' ? BigInt(details.requested_amount) : paid;
  return [
    freeLikeness({ accountId, livemode, resourceId }, likenessOf({ product, recipient: recipient!, amount, variant })),
  ];
};

/** `transaction.<what>` about a purchase as it stands then; `previous`: its status before. */
export const purchaseEvent = (
  { transaction, purchase }: Pick<Running, 'transaction' | 'purchase'>,
  what: TransactionStatus | 'needs_review',
  previous: TransactionStatus | null,
): Write =>
  transactionEvent(transaction, {
    previous,
    what,
    origin: { requestId: purchase.requestId, idempotencyKey: purchase.idempotencyKey },
  });
