import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/domain-error';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import type { RequestClaim } from '../../core/idempotency/claim';
import type { Viewer } from '../../core/resources/resources';
import { type PurchasePreview, PurchasesService } from '../purchases/purchases.service';
import type { NewPurchase, PurchaseResult } from '../purchases/purchases.types';
import { AirtimeAmountOutOfRange } from './airtime.errors';
import type { AirtimeItem } from './airtime.provider';
import type { WantedAirtime } from './airtime.types';
import { type NetworkRecord, NetworksService } from './networks.service';
import { PhoneService } from './phone.service';

export interface OfferedNetwork {
  readonly network: NetworkRecord;
  /** Some provider of the caller's mode would be asked now. */
  readonly isAvailable: boolean;
}

@Injectable()
export class AirtimeService {
  constructor(
    private readonly networks: NetworksService,
    private readonly phones: PhoneService,
    private readonly purchases: PurchasesService,
  ) {}

  /** Throws `AirtimeAmountOutOfRange` and what `PhoneService.resolve` and `PurchasesService.purchase` throw. */
  async buy(caller: Caller, wanted: WantedAirtime, request: RequestClaim): Promise<PurchaseResult> {
    let order: NewPurchase<AirtimeItem>;
    try {
      order = await this.orderOf(caller, wanted);
    } catch (error) {
      // Bought already, and since then an operator changed the network's row: what was bought answers.
      const bought = error instanceof DomainError ? await this.purchases.findReplay(caller, request, wanted.terms.reference) : null;
      if (bought === null) throw error;
      return bought;
    }
    return this.purchases.purchase(caller, order, request);
  }

  /** What `buy` would do now; writes nothing. */
  async preview(caller: Caller, wanted: WantedAirtime): Promise<PurchasePreview> {
    return this.purchases.preview(caller, await this.orderOf(caller, wanted));
  }

  /** Networks by country and slug; all countries without one. */
  async listNetworks(viewer: Viewer, country: string | null): Promise<OfferedNetwork[]> {
    const networks = await this.networks.list(country);
    return Promise.all(
      networks.map(async (network) => ({ network, isAvailable: await this.purchases.isAvailable('airtime', network.slug, viewer) })),
    );
  }

  private async orderOf({ livemode }: Viewer, { amount, recipient, terms }: WantedAirtime): Promise<NewPurchase<AirtimeItem>> {
    const { phone, country, network: slug, networkSource } = await this.phones.resolve({ ...recipient, livemode });
    const network = found(await this.networks.find(country, slug), 'network', '/network');
    if (amount < network.minAmount || amount > network.maxAmount) throw new AirtimeAmountOutOfRange(network);
    return {
      ...terms,
      product: 'airtime',
      amount,
      commission: (amount * BigInt(network.commissionBps)) / 10_000n,
      currency: network.currency,
      recipient: phone,
      network: slug,
      variant: null,
      item: { phone, network: slug, country },
      details: { phone, network: slug, network_source: networkSource },
    };
  }
}
