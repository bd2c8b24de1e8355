import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { CardLifecycle } from '../cards/card-lifecycle';
import type { CardRecord } from '../cards/card.entity';
import { CardsService } from '../cards/cards.service';
import { CustomerAnonymizing, type CustomerTraces } from '../cards/customer-anonymizing.service';
import { OperatorOrders, type OperatorOrder } from './operator-orders.service';
import { NO_ORIGIN } from '../../core/outbox/outbox';

/** What operators do with cards and those who hold them. */
@Injectable()
export class OperatorCards {
  constructor(
    private readonly orders: OperatorOrders,
    private readonly cards: CardsService,
    private readonly lifecycle: CardLifecycle,
    private readonly anonymizing: CustomerAnonymizing,
  ) {}

  /** Throws `NotFound`, `InvalidCardTransition`. */
  async change(order: OperatorOrder, id: string, to: 'blocked' | 'unblocked'): Promise<CardChanged> {
    const card = await this.cards.requireAny(id);
    const { accountId, livemode } = card;
    const by = { actor: 'operator', actorId: order.operator.email, reason: order.reason } as const;
    const entry = this.orders.entry(order, {
      accountId,
      action: `card.${to}`,
      target: encodeId('crd', id),
      detail: { livemode },
    });
    await this.lifecycle.change(card, { to, by, origin: NO_ORIGIN, claim: null, writes: [entry] });
    const { status } = await this.cards.require(card, card.id);
    return {
      card_id: encodeId('crd', id),
      account_id: encodeId('acct', accountId),
      livemode,
      status,
      was: card.status,
    };
  }

  /** Empties what is personal of a cardholder, or counts it. Throws `NotFound`, `CustomerHasCards`. */
  async anonymize(order: OperatorOrder, id: string, dryRun: boolean): Promise<Anonymized> {
    const { customer, traces, isDone } = await this.orders.run(order, async (tx) => {
      const traced = await this.anonymizing.trace(tx, id);
      if (dryRun || traced.isDone) return [traced, null];
      await this.anonymizing.empty(tx, traced);
      const { accountId, livemode } = traced.customer;
      return [
        traced,
        {
          accountId,
          action: 'customer.anonymized',
          target: encodeId('cus', id),
          detail: { livemode, ...countsOf(traced.traces) },
        },
      ];
    });
    return {
      customer_id: encodeId('cus', id),
      account_id: encodeId('acct', customer.accountId),
      livemode: customer.livemode,
      dry_run: dryRun,
      done_before: isDone,
      ...countsOf(traces),
    };
  }
}

export interface CardChanged {
  readonly card_id: string;
  readonly account_id: string;
  readonly livemode: boolean;
  readonly status: CardRecord['status'];
  readonly was: CardRecord['status'];
}

export interface Anonymized extends ReturnType<typeof countsOf> {
  readonly customer_id: string;
  readonly account_id: string;
  readonly livemode: boolean;
  readonly dry_run: boolean;
  readonly done_before: boolean;
}

const countsOf = ({ cards, events, webhookAttempts, issuerCalls, requests }: CustomerTraces) => ({
  cards: cards.length,
  events: events.length,
  webhook_attempts: webhookAttempts.length,
  issuer_calls: issuerCalls.length,
  requests: requests.length,
});
