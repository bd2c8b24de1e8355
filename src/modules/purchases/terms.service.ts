import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../core/clock/clock';
import { found } from '../../core/errors/not-found';
import type { PaymentContext } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import { WalletsService } from '../wallets/wallets.service';
import { OffersService } from './offers.service';
import { PricingService } from './pricing.service';
import { OPERATIONS, type Terms } from './purchase-draft.batch';
import { InvalidPurchaseRequest, NoWallet } from './purchases.errors';
import type { NewPurchase } from './purchases.types';

/** How long an account's wallet is remembered as the one that pays when none is named. */
const WALLET_STALE_MS = 5_000;
const WALLETS_MAX = 10_000;

/** Works out what an order costs, which wallet pays, and who is asked. Reads only. */
@Injectable()
export class TermsService {
  private readonly payers = new LRUCache<string, string>({ max: WALLETS_MAX, ttl: WALLET_STALE_MS });

  constructor(
    private readonly wallets: WalletsService,
    private readonly pricing: PricingService,
    private readonly offers: OffersService,
    private readonly clock: Clock,
  ) {}

  /** With what gates are told of it. Throws `NoWallet`, `NotFound`, `InvalidPurchaseRequest`, `ProviderUnavailable`. */
  async of(caller: Caller, order: NewPurchase, dryRun: boolean): Promise<{ terms: Terms; context: PaymentContext }> {
    const clockOffsetMs = await this.clock.offsetMs(caller);
    checkTimes(order, new Date(Date.now() + clockOffsetMs));
    const walletId = await this.payer(caller, order);
    const context = contextOf(caller, order, walletId, dryRun);
    const { fee, breakdown } = await this.pricing.of(order, context);
    const route = await this.offers.routeOf(order, context);
    return {
      terms: { walletId, fee, total: order.amount + fee - order.commission, breakdown, route, clockOffsetMs },
      context,
    };
  }

  private async payer(caller: Caller, { walletId, currency }: NewPurchase): Promise<string> {
    // The ledger refuses a wallet that is not the caller's in the same words.
    if (walletId !== null) return found(decodeId('wal', walletId), 'wallet', '/wallet_id');
    const key = `${caller.accountId}/${caller.livemode}/${currency}`;
    const known = this.payers.get(key);
    if (known) return known;
    const oldest = await this.wallets.findOldest(caller, currency);
    if (oldest === null) throw new NoWallet(currency);
    this.payers.set(key, oldest);
    return oldest;
  }
}

const contextOf = (
  { accountId, livemode, requestId }: Caller,
  order: NewPurchase,
  walletId: string,
  dryRun: boolean,
): PaymentContext => ({
  operation: OPERATIONS[order.product],
  accountId,
  livemode,
  requestId,
  dryRun,
  draft: {
    amount: order.amount,
    currency: order.currency,
    walletId,
    recipient: order.recipient,
    network: order.network,
    reference: order.reference,
    metadata: order.metadata,
    details: { product: order.product, variant: order.variant, commission: order.commission },
  },
});

function checkTimes({ deliverBy, onInsufficientFunds }: NewPurchase, now: Date): void {
  if (onInsufficientFunds === 'queue' && deliverBy === null) {
    throw new InvalidPurchaseRequest(
      '/deliver_by',
      'on_insufficient_funds "queue" needs deliver_by: until when to wait for money.',
    );
  }
  if (deliverBy !== null && deliverBy <= now)
    throw new InvalidPurchaseRequest('/deliver_by', 'deliver_by must be in the future.');
}
