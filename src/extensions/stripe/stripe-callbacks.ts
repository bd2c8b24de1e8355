import { Inject, Injectable } from '@nestjs/common';
import { needSettings, type Of } from '../../core/config/settings';
import { DomainError, found } from '../../core/errors/domain-error';
import { toJsonNumber } from '../../core/money/money';
import { IssuerMessages } from '../../modules/cards/issuer-messages';
import { type CallbackRequest, heard, isObject } from '../../providers/answers';
import { objectOf, referenceOf, STRIPE, Stripe, type Told } from './stripe';
import { ISSUER } from './stripe-issuer';
import {
  createdSteps,
  disputeMessageOf,
  idOf,
  incrementSteps,
  type Question,
  questionOf,
  type Step,
  type StripeEvent,
  transactionSteps,
  updatedSteps,
  type Verified,
  verified,
} from './stripe-messages';

const CALL_TIMEOUT_MS = 10_000;

/** What Stripe reads of the answer to a real-time authorization. */
export interface Decision {
  readonly approved: boolean;
  /** Minor units: less than was asked for. */
  readonly amount?: number;
}

type Handled = Decision | { readonly received: true };

const RECEIVED = { received: true } as const;
const DECLINED: Decision = { approved: false };

/** What Stripe tells by itself, from its signature to what the cards make of it. */
@Injectable()
export class StripeCallbacks {
  private readonly secrets: readonly string[];

  constructor(
    @Inject(STRIPE) { webhookSecret, authorizationSecret }: Of<typeof STRIPE>,
    private readonly stripe: Stripe,
    private readonly messages: IssuerMessages,
  ) {
    this.secrets = [webhookSecret, ...(authorizationSecret === undefined ? [] : [authorizationSecret])];
  }

  /** Throws `ForgedCallback`, and what the cards throw where Stripe is to send it again. */
  async receive(callback: CallbackRequest): Promise<Handled> {
    const genuine = await heard(
      ISSUER,
      () => verified(callback, this.secrets),
      (value) => (value as Verified | undefined) ?? { outcome: 'forged' as const },
    );
    if (genuine === null) return RECEIVED;
    const { event } = genuine;
    if (event.type === 'issuing_authorization.request') return this.decide(questionOf(event));
    if (event.type.startsWith('issuing_dispute.')) await this.takeDispute(event);
    else for (const step of await this.stepsOf(event)) await this.take(step);
    return RECEIVED;
  }

  /** A card that is none of ours is declined: nobody here would answer for it. */
  private async decide(question: Question | null): Promise<Decision> {
    if (question === null) return DECLINED;
    const { message, amount, isControllable } = question;
    // Only the card is verified, and Stripe asks of active cards only. Nothing is held.
    if (amount === 0n) return { approved: true };
    const { made } = await this.messages.take(message);
    if (made.status !== 'authorized') return DECLINED;
    if (made.amount === amount) return { approved: true };
    if (isControllable) return { approved: true, amount: toJsonNumber(made.amount) };
    // A part was approved of what Stripe gives whole or not at all.
    await this.messages.take({ ...message, id: `${message.id}/part`, kind: 'void', amount: null, merchant: null });
    return DECLINED;
  }

  private async stepsOf(event: StripeEvent): Promise<Step[]> {
    const { type, object } = event;
    if (type === 'issuing_transaction.created') return this.stepsOfTransaction(object);
    const cardId = isObject(object.card) ? referenceOf(object.card) : null;
    if (cardId === null) return [];
    if (type === 'issuing_authorization.created') return createdSteps(event, cardId);
    return type === 'issuing_authorization.updated' ? updatedSteps(event, cardId) : [];
  }

  /** A transaction names its card by Stripe's id: the authorization, else the card, says whose it is. */
  private async stepsOfTransaction(transaction: Told): Promise<Step[]> {
    const authorization = idOf(transaction.authorization);
    const told = await (authorization === null
      ? this.told('issuing/cards', idOf(transaction.card), 'issuing.card')
      : this.told('issuing/authorizations', authorization, 'issuing.authorization'));
    const card = authorization === null ? told : told.card;
    const cardId = isObject(card) ? referenceOf(card) : null;
    if (cardId === null) return [];
    const isCapture = authorization !== null && transaction.type === 'capture';
    return [...(isCapture ? incrementSteps(told, cardId) : []), ...transactionSteps(transaction, cardId)];
  }

  /** Throws when Stripe does not show it: then the event comes again. */
  private async told(path: string, id: string | null, kind: string): Promise<Told> {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const answer = await this.stripe.get(`${path}/${encodeURIComponent(found(id, 'card'))}`, signal);
    const told = objectOf(answer, kind);
    if (told === null)
      throw new Error(`Stripe does not show what an event is about (${kind}, status ${answer.status})`);
    return told;
  }

  private async take({ message, passes }: Step): Promise<void> {
    try {
      await this.messages.take(message);
    } catch (error) {
      if (!(error instanceof DomainError) || !passes.includes(error.details.code)) throw error;
    }
  }

  private async takeDispute(event: StripeEvent): Promise<void> {
    const message = disputeMessageOf(event);
    if (message !== null) await this.messages.takeDispute(message);
  }
}

needSettings(STRIPE, StripeCallbacks);
