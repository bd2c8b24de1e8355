import { Injectable, Logger } from '@nestjs/common';
import { ControlCell } from '../../core/cells/control-cell';
import { Recurring } from '../../core/queue/recurring-jobs';
import { fieldsOf, NOT_ASKED, unknownOf, UNREADABLE } from '../../providers/answers';
import { Client } from '../../providers/client';
import { Routes } from '../../providers/routes';
import { PLATFORM_ACCOUNT_ID } from '../ledger/posting';
import { rateFrom } from './rate';
import type { RateResult, RatesProvider } from './rates.provider';
import { type Pair, RatesService } from './rates.service';

const EVERY_MS = 60_000;
/** Clocks of two servers may differ so much. */
const SLACK_MS = 60_000;

/**
 * Asks providers what currencies are worth, where an operator lets them say so: the first of the route that says
 * something within the operator's bounds counts. What is said beyond them is for an operator to look at, and changes
 * nothing.
 */
@Injectable()
export class ProvidedRates {
  private readonly log = new Logger('rates');

  constructor(
    private readonly rates: RatesService,
    private readonly routes: Routes,
    private readonly client: Client,
    private readonly control: ControlCell,
  ) {}

  @Recurring({ name: 'rates.fetch', everyMs: EVERY_MS })
  async fetch(): Promise<void> {
    if (!this.control.isHere) return;
    for (const pair of await this.rates.listProvided()) await this.fetchOne(pair);
  }

  private async fetchOne(pair: Pair): Promise<void> {
    const { livemode, base, quote } = pair;
    const network = `${base}/${quote}`;
    const matter = { product: 'rates', network, livemode, accountId: PLATFORM_ACCOUNT_ID } as const;
    for (const { name: provider } of await this.routes.inOrder<RatesProvider>(matter)) {
      const result = await this.client.ask<RatesProvider, RateResult>(
        { ...matter, provider, id: network },
        { call: 'mid', ask: (adapter, signal) => adapter.mid(pair, signal), parse: asRateResult, whenOpen: NOT_ASKED },
      );
      if (result.outcome !== 'said') continue;
      const said = { rate: rateFrom(result.rate)!, asOf: result.asOf, provider };
      const done = await this.rates.addProvided(pair, said);
      if (done !== 'too_far') return;
      this.log.error({
        message: 'a provider says a rate beyond the bounds',
        provider,
        pair: network,
        livemode,
        ...result,
      });
    }
  }
}

/** What an adapter returned, as far as it can be trusted: anything that is no rate of now or before is `unknown`. */
export function asRateResult(value: unknown): RateResult {
  const given = fieldsOf(value);
  const { outcome, rate, asOf } = given;
  if (outcome !== 'said') return unknownOf(given);
  const isRate = typeof rate === 'string' && rateFrom(rate) !== null;
  const isPast = asOf instanceof Date && asOf.getTime() <= Date.now() + SLACK_MS;
  return isRate && isPast ? { outcome, rate, asOf } : UNREADABLE;
}
