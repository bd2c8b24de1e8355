import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import { CardLifecycle } from '../cards/card-lifecycle';
import type { CardRecord } from '../cards/card.entity';
import { CardsService } from '../cards/cards.service';
import { CustomerAnonymizing, type CustomerTraces } from '../cards/customer-anonymizing.service';
import { KycLimits, type TierKey, type TierLimits } from '../cards/kyc-limits.service';
import { OperatorOrders, type OperatorOrder, type Order } from './operator-orders.service';
import { NO_ORIGIN } from '../../core/outbox/outbox';

/** What operators do with cards and those who hold them. */
@Injectable()
export class OperatorCards {
  constructor(
    private readonly orders: OperatorOrders,
    private readonly cards: CardsService,
    private readonly lifecycle: CardLifecycle,
    private readonly anonymizing: CustomerAnonymizing,
    private readonly limits: KycLimits,
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

  /** What cardholders of a tier may have on cards from now on; null: as much as they like. */
  setTierLimits(order: Order, key: TierKey, limits: TierLimits): Promise<TierLimitsShown> {
    return this.orders.run(order, async (tx) => {
      const { name: person, reason, operator } = order;
      const before = await this.limits.set(tx, key, limits, { person, reason });
      const accountId = operator === null ? null : await this.orders.accountOf(operator.userId);
      const detail = { livemode: key.livemode, before: before && shownLimits(before), after: shownLimits(limits) };
      const entry = { action: 'kyc.limits_set', target: `tier ${key.tier}`, detail };
      return [{ ...key, ...shownLimits(limits) }, accountId === null ? null : { accountId, ...entry }];
    });
  }

  /** What is not there has no limit. */
  async listTierLimits(): Promise<(TierLimitsShown & { set_by: string; reason: string; set_at: Date })[]> {
    return (await this.limits.list()).map(({ livemode, tier, person, reason, setAt, ...limits }) => ({
      livemode,
      tier,
      ...shownLimits(limits),
      set_by: person,
      reason,
      set_at: setAt,
    }));
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

/** As they are shown. Amounts in minor units of the currency of cards. */
export interface TierLimitsShown extends TierKey {
  readonly cards_max: number | null;
  readonly load_single_max: number | null;
  readonly load_daily_max: number | null;
  readonly balance_max: number | null;
}

function shownLimits({ cardsMax, ...amounts }: TierLimits): Omit<TierLimitsShown, keyof TierKey> {
  const shown = (amount: bigint | null): number | null => (amount === null ? null : toJsonNumber(amount));
  return {
    cards_max: cardsMax,
    load_single_max: shown(amounts.loadSingleMax),
    load_daily_max: shown(amounts.loadDailyMax),
    balance_max: shown(amounts.balanceMax),
  };
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
