import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { found } from '../../core/errors/not-found';
import type { PaymentContext } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import { CURRENCY } from './card-issue-draft.batch';
import type { AgreedCard } from './card-issuing.types';
import { CardTermsService } from './card-terms.service';
import { CustomerAnonymized, InvalidCardRequest } from './cards.errors';
import type { NewCard } from './cards.types';
import type { Customer } from './customer.entity';
import { CustomersService } from './customers.service';

/** Works out what a card costs and who issues it, and asks whether it may be. Reads only. */
@Injectable()
export class CardAgreementService {
  constructor(
    private readonly customers: CustomersService,
    private readonly terms: CardTermsService,
    private readonly clock: Clock,
  ) {}

  /** Throws `NotFound`, `CustomerAnonymized`, `LimitExceeded`, `InvalidCardRequest`, `IssuerUnavailable`, `BlockedByHook`, `GateUnavailable`. */
  async agree(
    caller: Caller,
    order: NewCard,
    { request, likeness }: Pick<AgreedCard, 'request' | 'likeness'>,
    dryRun: boolean,
  ): Promise<AgreedCard> {
    const walletId = found(decodeId('wal', order.fundingWalletId), 'wallet', '/funding_wallet_id');
    const customer = await this.customerOf(caller, order);
    const context = contextOf(caller, order, { customer, walletId, dryRun });
    const price = await this.terms.priceOf('card_issue', context);
    const issuer = await this.terms.issuerFor(order.brand, context);
    await this.terms.ask(context);
    return { caller, order, request, likeness, customer, walletId, price, issuer, now: await this.clock.now(caller) };
  }

  private async customerOf(caller: Caller, { customerId, customer }: NewCard): Promise<Customer> {
    if ((customerId === null) === (customer === null))
      throw new InvalidCardRequest('/customer_id', 'Send either customer_id or customer.');
    if (!customer) {
      const known = await this.customers.require(caller, decodeId('cus', customerId!), '/customer_id');
      if (known.anonymizedAt !== null) throw new CustomerAnonymized(known.id, '/customer_id');
      return known;
    }
    await this.customers.requireRoom(caller);
    return this.customers.rowOf(caller, customer);
  }
}

interface About {
  readonly customer: Customer;
  readonly walletId: string;
  readonly dryRun: boolean;
}

const contextOf = (
  { accountId, livemode, requestId }: Caller,
  order: NewCard,
  { customer, walletId, dryRun }: About,
): PaymentContext => ({
  operation: 'card_issue',
  accountId,
  livemode,
  requestId,
  dryRun,
  draft: {
    amount: order.amount,
    currency: CURRENCY,
    walletId,
    recipient: order.customer ? null : customer.id,
    network: order.brand,
    reference: order.reference,
    metadata: order.metadata,
    details: { brand: order.brand, customer_country: customer.address.country },
  },
});
