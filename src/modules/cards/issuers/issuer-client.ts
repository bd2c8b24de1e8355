import { Injectable } from '@nestjs/common';
import { Breakers, type Line } from '../../../providers/breakers';
import { ProviderCalls } from '../../../providers/provider-calls';
import { Extensions } from '../../../core/extension/extensions';
import { within } from '../../../core/process/within';
import type {
  CardIssuer,
  CardOrder,
  CardRef,
  FindCardResult,
  Identity,
  IssueResult,
  IssuerRefused,
  IssuerState,
  IssuerUnknown,
  Revealed,
  UpdateResult,
} from '../card-issuer';
import type { Card } from '../card.entity';
import type { Customer } from '../customers/customer.entity';
import { CustomersService } from '../customers/customers.service';
import { asFindResult, asIssueResult, asRevealed, asUpdateResult } from './issuer-answers';
import { IssuersService } from './issuers.service';

/** How long an answer of an issuer is waited for. */
const CALL_TIMEOUT_MS = 20_000;

type Call = 'issue' | 'find' | 'update';
type Ask<R> = (issuer: CardIssuer) => Promise<R>;

/** The breaker is open. An order that the issuer may have had before stays open. */
const NOT_ASKED: IssuerUnknown = { outcome: 'unknown', code: 'provider_unavailable' };

const lineOf = ({ issuer: provider, brand: network, livemode, accountId }: Readonly<Card>): Line => ({
  product: 'cards',
  provider,
  network,
  livemode,
  accountId,
});

/** Speaks with issuers. Whatever happens there is one of the outcomes: but for `reveal` nothing is thrown. */
@Injectable()
export class IssuerClient {
  constructor(
    private readonly issuers: IssuersService,
    private readonly customers: CustomersService,
    private readonly extensions: Extensions,
    private readonly calls: ProviderCalls,
    private readonly breakers: Breakers,
  ) {}

  async issue(card: Readonly<Card>, customer: Readonly<Customer>): Promise<IssueResult> {
    const order = orderOf(card, customer, this.customers.identityOf(customer));
    const result = await this.call<IssueResult>(
      card,
      'issue',
      async (issuer) =>
        (await this.breakers.run(lineOf(card), async () =>
          asIssueResult(await within(CALL_TIMEOUT_MS, (signal) => issuer.issue(order, signal))),
        )) ?? NOT_ASKED,
    );
    if (result.outcome === 'refused' || result.outcome === 'unknown') this.report(card, result);
    return result;
  }

  find(card: Readonly<Card>): Promise<FindCardResult> {
    return this.call<FindCardResult>(card, 'find', async (issuer) =>
      asFindResult(await within(CALL_TIMEOUT_MS, (signal) => issuer.find(refOf(card), signal))),
    );
  }

  async setState(card: Readonly<Card>, state: IssuerState): Promise<UpdateResult> {
    const result = await this.call<UpdateResult>(card, 'update', async (issuer) =>
      asUpdateResult(await within(CALL_TIMEOUT_MS, (signal) => issuer.setState(refOf(card), state, signal))),
    );
    if (result.outcome === 'refused') this.report(card, result);
    return result;
  }

  /** Throws what the issuer throws. */
  async reveal(card: Readonly<Card>): Promise<Revealed> {
    const issuer = this.issuers.find(card.issuer, card.livemode);
    if (issuer === null) throw new Error(`this build has no issuer ${card.issuer}`);
    return asRevealed(await within(CALL_TIMEOUT_MS, (signal) => issuer.reveal(refOf(card), signal)), card.livemode);
  }

  private async call<R extends { outcome: string }>(
    card: Readonly<Card>,
    call: Call,
    ask: Ask<R>,
  ): Promise<R | IssuerUnknown> {
    const issuer = this.issuers.find(card.issuer, card.livemode);
    // A release without the adapter: the question stays open.
    if (issuer === null) return { outcome: 'unknown', code: 'provider_missing' };
    const called = { product: 'cards', provider: card.issuer, livemode: card.livemode, call, about: card.id };
    return this.calls.make(called, () => ask(issuer));
  }

  private report(card: Readonly<Card>, result: IssuerRefused | IssuerUnknown): void {
    const { accountId, livemode, requestId, currency, walletId, id, reference, metadata } = card;
    const message = 'message' in result ? result.message : 'nobody can say yet';
    this.extensions.onError({
      operation: 'card_issue',
      accountId,
      livemode,
      objectType: 'txn',
      objectId: card.transactionId,
      requestId,
      dryRun: false,
      draft: {
        transactionId: card.transactionId,
        currency,
        walletId,
        recipient: id,
        network: card.brand,
        reference,
        metadata,
      },
      error: { stage: 'provider', by: card.issuer, code: result.code, message, outcome: result.outcome },
    });
  }
}

const refOf = ({ id, accountId, livemode, brand, issuerReference, issuerOptions }: Readonly<Card>): CardRef => ({
  reference: id,
  accountId,
  livemode,
  brand,
  issuerReference,
  options: issuerOptions,
});

const orderOf = (card: Readonly<Card>, customer: Readonly<Customer>, identity: Identity): CardOrder => ({
  ...refOf(card),
  currency: card.currency,
  nameOnCard: card.nameOnCard,
  cardholder: {
    firstName: customer.firstName,
    lastName: customer.lastName,
    email: customer.email,
    phone: customer.phone,
    dateOfBirth: customer.dateOfBirth,
    address: card.billingAddress,
    identity,
  },
});
