import { Injectable } from '@nestjs/common';
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
  buy(caller: Caller, wanted: WantedAirtime, request: RequestClaim): Promise<PurchaseResult> {
    return this.purchases.purchase(caller, { request, reference: wanted.terms.reference }, () => this.orderOf(caller, wanted));
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
