import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { registry } from '../../core/metrics/metrics';
import { totalOf } from '../../core/money/bought';
import { SOLD_PRODUCTS } from '../../vocabulary/products';
import { priceOf, type Running } from './running';

const DAY_MS = 24 * 3_600_000;

const lossesTotal = new Counter({
  name: 'purchases_below_cost_total',
  help: 'Live deliveries for which a provider took more than their buyers paid.',
  labelNames: ['product'],
  registers: [registry],
});
// The first one is a change only from zero.
for (const product of SOLD_PRODUCTS) lossesTotal.inc({ product }, 0);

/**
 * Tells of deliveries that cost us more than they brought: a price rose at the provider, and not here. Of a float in
 * another currency than was sold the rates decide, and of a cost that nobody told nothing is known.
 */
export class Losses {
  private readonly log = new Logger('purchases');
  /** What was told of in the last day: a plan is sold again and again. */
  private readonly told = new LRUCache<string, true>({ max: 10_000, ttl: DAY_MS });

  note(delivered: Running): void {
    const { purchase, attempt } = delivered;
    const { product, network, variant } = purchase;
    if (!purchase.livemode || !attempt?.cost || attempt.costCurrency !== null) return;
    const price = priceOf(delivered);
    if (attempt.cost <= totalOf(price)) return;
    lossesTotal.inc({ product });
    const key = `${product}/${network}/${variant}/${attempt.provider}`;
    if (this.told.has(key)) return;
    this.told.set(key, true);
    this.log.error({
      message: 'something is sold below cost',
      product,
      network,
      variant,
      provider: attempt.provider,
      cost: `${attempt.cost}`,
      paid: `${totalOf(price)}`,
      currency: price.currency,
      purchase: purchase.id,
    });
  }
}
