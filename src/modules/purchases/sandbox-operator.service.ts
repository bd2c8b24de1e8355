import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import type { Tx } from '../../core/database/unit-of-work';
import {
  type FindResult,
  type Order,
  type OrderCallback,
  type Provider,
  ProviderOutage,
  type ProviderResult,
} from './purchases.provider';
import type { CallbackRequest } from '../../providers/answers';
import { SandboxCalls } from './sandbox/calls';
import { SandboxOrders, SandboxOutages } from './sandbox/memory';
import {
  ending,
  endingOf,
  firstAnswer,
  laterAnswer,
  needsMemory,
  type Plan,
  planOf,
  settledAnswer,
} from './sandbox/plan';
import { type OutageMode, SCENARIOS, type ScenarioTable, type SettledAs } from './sandbox/scenarios';

export type { FinalState } from './sandbox/scenarios';

/** How long a slow provider takes to answer nothing. */
const SLOW_MS = 500;

/** The operator behind every sandbox provider: outcome and delay are in the input, or in the request's scenario. */
@Injectable()
export class SandboxOperator {
  private readonly orders: SandboxOrders;
  private readonly outages: SandboxOutages;

  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
    private readonly calls: SandboxCalls,
  ) {
    this.orders = new SandboxOrders(dataSource);
    this.outages = new SandboxOutages(dataSource);
  }

  /** All that a tester can ask for. */
  get scenarios(): ScenarioTable {
    return SCENARIOS;
  }

  canSell(provider: string, order: Omit<Order, 'reference'>): boolean {
    return planOf(provider, order).isSellable;
  }

  /**
   * With the same reference it sells once and answers alike. A sale that is final at once leaves no trace: it can be
   * told from the order.
   */
  async sell(provider: string, order: Order, signal?: AbortSignal): Promise<ProviderResult> {
    if (order.livemode) throw new Error('the sandbox sells nothing real');
    const outage = await this.outages.of(order.accountId, provider);
    const { plan, delayMs } = planOf(provider, order);
    if (outage === null && !needsMemory(plan)) return firstAnswer(order, { plan, ...AT_ONCE });
    const soldAt = await this.clock.agreedNow(order);
    const times = [soldAt, new Date(soldAt.getTime() + delayMs)] as const;
    if (await this.isAway(outage, provider, order)) {
      await this.orders.remember(provider, order, null, times);
      throw new ProviderOutage(`${provider} is down: a tester ordered it.`);
    }
    const known = await this.orders.remember(provider, order, outage === 'slow' ? accepted(plan) : plan, times);
    await this.calls.plan(provider, order, known.plan, known.readyAt);
    if (outage === 'slow') return this.answerNothing(signal);
    return firstAnswer(order, known);
  }

  /** What became of an order, by the account's clock. */
  async find(provider: string, order: Order, signal?: AbortSignal): Promise<FindResult> {
    const outage = await this.outages.of(order.accountId, provider);
    if (await this.isAway(outage, provider, order))
      throw new ProviderOutage(`${provider} is down: a tester ordered it.`);
    if (outage === 'slow') return this.answerNothing(signal);
    const { order: known, settledAs } = await this.orders.recall(order);
    if (settledAs !== null) return settledAnswer(order, settledAs);
    if (known) return laterAnswer(order, known, await this.clock.agreedNow(order));
    const { plan } = planOf(provider, order);
    return known === null || needsMemory(plan) ? { outcome: 'not_known' } : ending(order, plan);
  }

  /** Whether a callback is the provider's own, and what it is about. */
  verify(provider: string, callback: CallbackRequest): OrderCallback {
    return this.calls.verify(provider, callback);
  }

  /** What every later `find` about this purchase is to say. */
  settle(tx: Tx, purchase: Pick<Order, 'accountId' | 'purchaseId'>, as: SettledAs): Promise<void> {
    return this.orders.settle(tx, purchase, as);
  }

  setOutage(accountId: string, provider: string, mode: OutageMode, rows: readonly Write[] = []): Promise<void> {
    return this.outages.set(accountId, provider, mode, rows);
  }

  listOutages(accountId: string): Promise<{ provider: string; mode: OutageMode }[]> {
    return this.outages.list(accountId);
  }

  clearOutages(accountId: string): Promise<void> {
    return this.outages.clear(accountId);
  }

  private async isAway(outage: OutageMode | null, provider: string, { accountId }: Order): Promise<boolean> {
    if (outage === 'flaky') return (await this.outages.count(accountId, provider)) % 2 === 1;
    return outage === 'down';
  }

  private async answerNothing(signal?: AbortSignal): Promise<{ outcome: 'unknown'; code: string }> {
    await sleep(SLOW_MS, undefined, { signal });
    return { outcome: 'unknown', code: 'slow_answer' };
  }
}

/** Where nothing is remembered, time plays no part. */
const AT_ONCE = { soldAt: new Date(0), readyAt: new Date(0) };

/** The order arrives; only its answer does not. */
const accepted = (plan: Plan): Plan => ({ ...plan, answer: 'processing', later: endingOf(plan) });

/** What both sandbox sellers of a product do: the operator decides by the number that is bought for. */
export abstract class SandboxSeller<Item extends object> implements Provider<Item> {
  constructor(
    private readonly name: string,
    private readonly operator: SandboxOperator,
  ) {}

  canSell(order: Omit<Order<Item>, 'reference'>): boolean {
    return this.operator.canSell(this.name, order);
  }

  purchase(order: Order<Item>, signal: AbortSignal): Promise<ProviderResult> {
    return this.operator.sell(this.name, order, signal);
  }

  find(order: Order<Item>, signal: AbortSignal): Promise<FindResult> {
    return this.operator.find(this.name, order, signal);
  }

  verify(callback: CallbackRequest): OrderCallback {
    return this.operator.verify(this.name, callback);
  }
}
