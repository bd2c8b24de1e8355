import { Injectable, Logger } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Cells } from '../../core/cells/cells';
import { NotFound } from '../../core/errors/domain-error';
import { slotOf } from '../../core/http/ids';
import { type CallbackRequest, heard } from '../../providers/answers';
import { type Registered, Registry } from '../../providers/registry';
import { Requeries } from '../../providers/requeries';
import { SOLD_PRODUCTS } from '../../vocabulary/products';
import { asOrderCallback } from './provider-client';
import { PurchaseStore } from './purchase-store';
import type { OrderCallback, Provider } from './purchases.provider';

/**
 * What providers say by themselves. It is never believed: a genuine callback makes its purchase due, and the requery
 * decides by what `find` answers then.
 */
@Injectable()
export class PurchaseCallbacks {
  private readonly log = new Logger('purchases');

  constructor(
    private readonly registry: Registry,
    private readonly store: PurchaseStore,
    private readonly requeries: Requeries,
    private readonly cells: Cells,
  ) {}

  /**
   * Returns once the callback is stored: whatever happens then, the provider is asked until it answers. Throws
   * `NotFound` for a provider without callbacks, `ForgedCallback`, `KeptElsewhere`.
   */
  async receive(name: string, request: CallbackRequest): Promise<void> {
    const providers = SOLD_PRODUCTS.map((product) => this.registry.find<Provider>(product, name)).filter(
      (provider) => provider?.adapter.verify !== undefined,
    ) as Registered<Provider>[];
    if (providers.length === 0) throw new NotFound('provider');
    let signer = providers[0]!;
    const result = await heard(
      name,
      async () => {
        let said: OrderCallback = { outcome: 'forged' };
        for (signer of providers) {
          const callback = asOrderCallback(await signer.adapter.verify!(request));
          if (callback.outcome === 'genuine') return callback;
          if (callback.outcome === 'other') said = callback;
        }
        return said;
      },
      asOrderCallback,
    );
    if (result === null) return;
    const { reference, says = null } = result;
    if (isUuid(reference)) this.cells.requireHere(slotOf(reference.toLowerCase()));
    const attempt = isUuid(reference) ? await this.store.findAttempt(reference, name, signer.mode === 'live') : null;
    // Answered all the same: the provider would repeat it for ever.
    if (attempt === null)
      return this.log.warn({ message: 'a callback is about no order of its provider', provider: name });
    await this.requeries.setAlarms('purchases', await this.store.makeDue(attempt, says));
  }
}
