import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import type { PaymentContext } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import { FeesService, type Priced } from '../pricing/fees.service';
import { WalletsService } from '../wallets/wallets.service';
import { GatewaysService, type Offer } from './gateways/gateways.service';
import type { NewPayment } from './payment-request.dto';
import { ClosedWallet, InvalidPayment, NoWalletToCredit, WalletOfOtherCurrency } from './payments.errors';

/** What is agreed before a payment is recorded. */
export interface PaymentTerms extends Priced {
  readonly walletId: string;
  readonly offer: Offer;
  readonly expiresAt: Date;
}

/** Works out which wallet is credited, what it costs, and which gateways are offered. Reads only. */
@Injectable()
export class PaymentTermsService {
  constructor(
    private readonly wallets: WalletsService,
    private readonly fees: FeesService,
    private readonly gateways: GatewaysService,
    private readonly clock: Clock,
  ) {}

  /** With what gates are told of it. Throws `NotFound`, `NoWalletToCredit`, `WalletOfOtherCurrency`, `ClosedWallet`, `InvalidPayment`, `GatewayUnavailable`. */
  async of(
    caller: Caller,
    order: NewPayment,
    dryRun: boolean,
  ): Promise<{ terms: PaymentTerms; context: PaymentContext }> {
    const walletId = await this.walletOf(caller, order);
    const context = contextOf(caller, order, walletId, dryRun);
    const price = await this.fees.priced('payment', context);
    if (price.fee >= order.amount)
      throw new InvalidPayment(
        '/amount',
        `The fee of ${price.fee} would leave nothing of ${order.amount}.`,
        'amount_out_of_range',
      );
    const offer = await this.gateways.offer(context, order.gateway);
    const expiresAt = new Date((await this.clock.now(caller)).getTime() + order.expiresIn * 1_000);
    return {
      context,
      terms: { walletId, expiresAt, offer, fee: price.fee, breakdown: [...price.breakdown, ...offer.changes] },
    };
  }

  private async walletOf(caller: Caller, { walletId, currency }: NewPayment): Promise<string> {
    if (walletId === null) {
      const oldest = await this.wallets.findOldest(caller, currency);
      if (oldest === null) throw new NoWalletToCredit(currency);
      return oldest;
    }
    const wallet = await this.wallets.require(caller, decodeId('wal', walletId));
    if (wallet.currency !== currency) throw new WalletOfOtherCurrency(walletId, currency);
    if (wallet.status === 'closed') throw new ClosedWallet(walletId);
    return wallet.id;
  }
}

const contextOf = (
  { accountId, livemode, requestId }: Caller,
  order: NewPayment,
  walletId: string,
  dryRun: boolean,
): PaymentContext => ({
  operation: 'payment',
  accountId,
  livemode,
  requestId,
  dryRun,
  draft: {
    amount: order.amount,
    currency: order.currency,
    walletId,
    recipient: walletId,
    network: null,
    reference: order.reference,
    metadata: order.metadata,
    details: { description: order.description, customer: order.customer, gateway: order.gateway },
  },
});
