import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/clock';
import { unnested } from '../../../core/database/array-param';
import { found } from '../../../core/errors/not-found';
import type { PaymentContext } from '../../../core/extension/points';
import type { Caller } from '../../../core/http/caller';
import { decodeId } from '../../../core/http/ids';
import type { RequestClaim } from '../../../core/idempotency/claim';
import { likenessValue } from '../../../core/idempotency/claims';
import { Endings, type WaitForEnd } from '../../../core/resources/endings';
import { KeylessRequests } from '../../accounts/keyless.service';
import type { Posted } from '../../ledger/ledger.types';
import type { CardRecord } from '../card.entity';
import { CustomerAnonymized, InvalidCardRequest } from '../cards.errors';
import { CardsService, type Result } from '../cards.service';
import type { Customer } from '../customers/customer.entity';
import { CustomersService } from '../customers/customers.service';
import { CardTermsService } from '../money/card-terms.service';
import { type AgreedCard, CardOpening, CURRENCY, type NewCard } from './card-opening';
import { CardRun } from './card-run';

/** Of these cards, those about which the issuer has decided. */
const SELECT_DECIDED = {
  name: 'select_decided_cards',
  text: `SELECT c.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v
      JOIN cards c USING (account_id, livemode, id)
    WHERE c.status <> 'pending'`,
};

/** A card that would be asked for, with the lines that its hold would write. */
export interface CardPreview {
  readonly card: CardRecord;
  readonly posted: Posted;
}

/** Issues cards: the money is held, the issuer asked, and then the money is on the card or back in the wallet. */
@Injectable()
export class CardIssuingService {
  private readonly waitForEnd: WaitForEnd;

  constructor(
    endings: Endings,
    private readonly keyless: KeylessRequests,
    private readonly cards: CardsService,
    private readonly customers: CustomersService,
    private readonly terms: CardTermsService,
    private readonly opening: CardOpening,
    private readonly runs: CardRun,
    private readonly clock: Clock,
  ) {
    this.waitForEnd = endings.of(SELECT_DECIDED);
  }

  /**
   * Answers when the issuer has decided, whoever hears of it, or `waitMs` have passed, whichever is first; it goes on
   * after that. Throws what `agree` and `CardOpening.open` throw.
   */
  async issue(caller: Caller, order: NewCard, request: RequestClaim, waitMs: number): Promise<Result<CardRecord>> {
    // Who holds the card may be sent in full: what two requests have in common is then all of it.
    const like = (): string => likenessValue('card_issue', request.fingerprint.toString('base64'));
    const asked = {
      request,
      reference: order.reference,
      likeness: await this.keyless.likeness(caller, { key: request.key, ...order }, like),
    };
    const opened = await this.opening.open(caller, asked, () => this.agree(caller, order, asked, false));
    if ('resourceId' in opened)
      return { made: await this.cards.require(caller, opened.resourceId), replayedBy: opened.by };
    const { accountId, livemode, id } = opened.card;
    const isRunning = async () => (await this.cards.require(caller, id)).status === 'pending';
    await this.waitForEnd({ accountId, livemode, id, ms: waitMs, ours: this.runs.run(opened), isRunning });
    return { made: await this.cards.require(caller, id), replayedBy: null };
  }

  /** What `issue` would do now; writes nothing and asks no issuer. */
  async preview(caller: Caller, order: NewCard, request: RequestClaim): Promise<CardPreview> {
    const {
      made: { card },
      posted,
    } = await this.opening.preview(await this.agree(caller, order, { request, likeness: null }, true));
    return { card: { ...card, available: 0n, held: 0n, seq: 0n }, posted };
  }

  /**
   * What the card costs and who issues it, and whether it may be. Reads only. Throws `NotFound`, `CustomerAnonymized`,
   * `LimitExceeded`, `InvalidCardRequest`, `IssuerUnavailable`, `BlockedByHook`, `GateUnavailable`.
   */
  private async agree(
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
