import { Injectable } from '@nestjs/common';
import { AMOUNT_MAX } from '../../../core/money/money';
import { within } from '../../../core/process/work-under-way';
import {
  fieldsOf,
  isReference,
  NOT_ABOUT_ORDER,
  NOT_ASKED,
  refusalOf,
  unknownOf,
  UNREADABLE,
} from '../../../providers/answers';
import { CALL_TIMEOUT_MS, Client, type Matter } from '../../../providers/client';
import { Registry } from '../../../providers/registry';
import type {
  CardIssuer,
  CardOrder,
  CardRef,
  DisputeRef,
  DisputeResult,
  FindCardResult,
  FindDisputeResult,
  Identity,
  IssueResult,
  IssuerState,
  Revealed,
  UpdateResult,
} from '../card-issuer';
import type { CardTransaction } from '../card-transaction.entity';
import type { Card } from '../card.entity';
import type { Customer } from '../customers/customer.entity';
import { CustomersService } from '../customers/customers.service';
import type { Dispute } from '../disputes/dispute.entity';

/** Speaks with issuers. Whatever happens there is one of the outcomes: but for `reveal` nothing is thrown. */
@Injectable()
export class IssuerClient {
  constructor(
    private readonly client: Client,
    private readonly registry: Registry,
    private readonly customers: CustomersService,
  ) {}

  /** `amount`: what is loaded onto it, in minor units of the card's currency. */
  issue(card: Readonly<Card>, customer: Readonly<Customer>, amount: bigint): Promise<IssueResult> {
    const order = { ...orderOf(card, customer, this.customers.identityOf(customer)), amount };
    return this.client.ask<CardIssuer, IssueResult>(matterOf(card), {
      call: 'issue',
      ask: (issuer, signal) => issuer.issue(order, signal),
      parse: asIssueResult,
      whenOpen: NOT_ASKED,
      context: contextOf(card),
    });
  }

  find(card: Readonly<Card>): Promise<FindCardResult> {
    return this.client.ask<CardIssuer, FindCardResult>(matterOf(card), {
      call: 'find',
      ask: (issuer, signal) => issuer.find(refOf(card), signal),
      parse: asFindResult,
    });
  }

  setState(card: Readonly<Card>, state: IssuerState): Promise<UpdateResult> {
    return this.client.ask<CardIssuer, UpdateResult>(matterOf(card), {
      call: 'update',
      ask: (issuer, signal) => issuer.setState(refOf(card), state, signal),
      parse: asUpdateResult,
      context: contextOf(card),
    });
  }

  /** Whether the card's issuer takes disputes up. */
  canDispute({ issuer, livemode }: Pick<Card, 'issuer' | 'livemode'>): boolean {
    const adapter = this.registry.findOf<CardIssuer>('cards', issuer, livemode)?.adapter;
    return adapter?.dispute !== undefined && adapter.findDispute !== undefined && adapter.withdrawDispute !== undefined;
  }

  dispute(card: Readonly<Card>, dispute: Readonly<Dispute>, paid: Readonly<CardTransaction>): Promise<DisputeResult> {
    const { amount, currency, reason, evidence } = dispute;
    const transaction = { reference: paid.id, issuerReference: paid.issuerReference };
    const order = { ...disputeRefOf(card, dispute), transaction, amount, currency, reason, evidence };
    return this.client.ask<CardIssuer, DisputeResult>(matterOf(card), {
      call: 'dispute',
      ask: (issuer, signal) => issuer.dispute!(order, signal),
      parse: asDisputeResult,
      whenOpen: NOT_ASKED,
    });
  }

  findDispute(card: Readonly<Card>, dispute: Readonly<Dispute>): Promise<FindDisputeResult> {
    return this.client.ask<CardIssuer, FindDisputeResult>(matterOf(card), {
      call: 'find_dispute',
      ask: (issuer, signal) => issuer.findDispute!(disputeRefOf(card, dispute), signal),
      parse: asFindDisputeResult,
    });
  }

  withdrawDispute(card: Readonly<Card>, dispute: Readonly<Dispute>): Promise<UpdateResult> {
    return this.client.ask<CardIssuer, UpdateResult>(matterOf(card), {
      call: 'withdraw_dispute',
      ask: (issuer, signal) => issuer.withdrawDispute!(disputeRefOf(card, dispute), signal),
      parse: asUpdateResult,
    });
  }

  /** Throws what the issuer throws. */
  async reveal(card: Readonly<Card>): Promise<Revealed> {
    const issuer = this.registry.findOf<CardIssuer>('cards', card.issuer, card.livemode)?.adapter;
    if (issuer === undefined) throw new Error(`this build has no issuer ${card.issuer}`);
    return asRevealed(await within(CALL_TIMEOUT_MS, (signal) => issuer.reveal(refOf(card), signal)), card.livemode);
  }
}

const matterOf = ({ issuer: provider, brand: network, livemode, accountId, id }: Readonly<Card>): Matter => ({
  product: 'cards',
  provider,
  network,
  livemode,
  accountId,
  id,
});

const contextOf = (card: Readonly<Card>) => {
  const { accountId, livemode, requestId, transactionId, currency, walletId, id, brand, reference, metadata } = card;
  const draft = { transactionId, currency, walletId, recipient: id, network: brand, reference, metadata };
  const object = { objectType: 'txn', objectId: transactionId } as const;
  return { operation: 'card_issue', accountId, livemode, ...object, requestId, dryRun: false, draft } as const;
};

const refOf = ({ id, accountId, livemode, brand, issuerReference, issuerOptions }: Readonly<Card>): CardRef => ({
  reference: id,
  accountId,
  livemode,
  brand,
  issuerReference,
  options: issuerOptions,
});

const disputeRefOf = (card: Readonly<Card>, { id, issuerReference }: Readonly<Dispute>): DisputeRef => ({
  reference: id,
  card: refOf(card),
  issuerReference,
});

const orderOf = (
  card: Readonly<Card>,
  customer: Readonly<Customer>,
  identity: Identity,
): Omit<CardOrder, 'amount'> => ({
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

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asIssueResult(value: unknown): IssueResult {
  const given = fieldsOf(value);
  const { outcome, issuerReference, last4, expMonth, expYear } = given;
  if (outcome === 'refused') return { outcome, ...refusalOf(given, 'issuer_refused') };
  if (outcome === 'accepted') return { outcome };
  if (outcome !== 'done') return unknownOf(given);
  const isIssued =
    isReference(issuerReference) &&
    typeof last4 === 'string' &&
    /^\d{4}$/.test(last4) &&
    (expMonth === null ? expYear === null : isWhole(expMonth, 1, 12) && isWhole(expYear, 2000, 2999));
  if (!isIssued) return UNREADABLE;
  return { outcome, issuerReference, last4, expMonth: expMonth as number | null, expYear: expYear as number | null };
}

export function asFindResult(value: unknown): FindCardResult {
  const { outcome, about } = fieldsOf(value);
  if (outcome === 'not_known') return { outcome };
  if (outcome === 'refused' && about !== 'order') return NOT_ABOUT_ORDER;
  const result = asIssueResult(value);
  return result.outcome === 'refused' ? { ...result, about: 'order' } : result;
}

export function asUpdateResult(value: unknown): UpdateResult {
  const given = fieldsOf(value);
  if (given.outcome === 'done') return { outcome: 'done' };
  return given.outcome === 'refused' ? { outcome: 'refused', ...refusalOf(given, 'issuer_refused') } : unknownOf(given);
}

function asDisputeResult(value: unknown): DisputeResult {
  const given = fieldsOf(value);
  const { outcome, issuerReference, provisionalCredit, amount } = given;
  if (outcome === 'refused') return { outcome, ...refusalOf(given, 'issuer_refused') };
  if (outcome === 'accepted') return { outcome };
  const isStanding = outcome === 'under_review' || outcome === 'won' || outcome === 'lost' || outcome === 'withdrawn';
  if (!isStanding) return unknownOf(given);
  if (!isReference(issuerReference)) return UNREADABLE;
  if (outcome === 'won') return isAmount(amount) ? { outcome, issuerReference, amount } : UNREADABLE;
  if (outcome !== 'under_review') return { outcome, issuerReference };
  return provisionalCredit === null || isAmount(provisionalCredit)
    ? { outcome, issuerReference, provisionalCredit }
    : UNREADABLE;
}

function asFindDisputeResult(value: unknown): FindDisputeResult {
  const { outcome, about } = fieldsOf(value);
  if (outcome === 'not_known') return { outcome };
  if (outcome === 'refused' && about !== 'order') return NOT_ABOUT_ORDER;
  const result = asDisputeResult(value);
  return result.outcome === 'refused' ? { ...result, about: 'order' } : result;
}

/** Throws for what cannot be shown. The number of a live card is not even looked at. */
function asRevealed(value: unknown, livemode: boolean): Revealed {
  const { url, number, cvv } = fieldsOf(value);
  if (typeof url === 'string' && /^https:\/\/\S+$/.test(url)) return { url };
  if (!livemode && typeof number === 'string' && typeof cvv === 'string') return { number, cvv };
  throw new Error('the issuer shows neither a page nor a test card');
}

const isAmount = (value: unknown): value is bigint => typeof value === 'bigint' && value > 0n && value <= AMOUNT_MAX;

const isWhole = (value: unknown, lowest: number, highest: number): value is number =>
  typeof value === 'number' && value % 1 === 0 && value >= lowest && value <= highest;
