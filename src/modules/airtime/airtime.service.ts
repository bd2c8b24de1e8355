import { Injectable } from '@nestjs/common';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import type { Viewer } from '../../core/resources/resources';
import type { NewPurchase } from '../purchases/purchases.types';
import { PurchasesService } from '../purchases/purchases.service';
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

  /** The purchase that a request asks for. Throws what `PhoneService.resolve` throws, and `AirtimeAmountOutOfRange`. */
  async order({ livemode }: Caller, { amount, recipient, terms }: WantedAirtime): Promise<NewPurchase<AirtimeItem>> {
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

  /** Networks by country and slug; all countries without one. */
  async listNetworks(viewer: Viewer, country: string | null): Promise<OfferedNetwork[]> {
    const networks = await this.networks.list(country);
    return Promise.all(
      networks.map(async (network) => ({ network, isAvailable: await this.purchases.isAvailable('airtime', network.slug, viewer) })),
    );
  }
}
