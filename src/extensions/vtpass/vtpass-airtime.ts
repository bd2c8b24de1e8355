import { Inject, Injectable } from '@nestjs/common';
import type { Of } from '../../core/config/settings';
import { type AirtimeItem, type AirtimeProvider, SellsAirtime } from '../../modules/airtime/airtime.provider';
import type { Order, OrderDraft, Unsellable } from '../../modules/purchases/purchases.provider';
import { ProviderHttp } from '../../providers/http';
import { localPhone, nairaOf, type Payment, VTPASS, VtpassSeller } from './vtpass';
import type { Sale } from './vtpass-answers';

/** By network. 9mobile is T2 now; VTpass still calls it by its first name. */
const SERVICES: Readonly<Record<string, string>> = { mtn: 'mtn', airtel: 'airtel', glo: 'glo', t2: 'etisalat' };

@Injectable()
@SellsAirtime({ name: 'vtpass', mode: 'live', when: VTPASS })
export class VtpassAirtime extends VtpassSeller<AirtimeItem> implements AirtimeProvider {
  constructor(@Inject(VTPASS) settings: Of<typeof VTPASS>, http: ProviderHttp) {
    super(settings, http);
  }

  canSell({ item: { country, network }, currency }: OrderDraft<AirtimeItem>): boolean | Unsellable {
    if (currency !== 'NGN') return false;
    if (country === 'NG' && Object.hasOwn(SERVICES, network)) return true;
    return { outcome: 'refused', message: 'No airtime is sold for numbers of this network.', param: '/phone' };
  }

  protected paymentOf({ amount, item: { network, phone } }: Order<AirtimeItem>): Payment {
    return { serviceID: SERVICES[network]!, amount: nairaOf(amount), phone: localPhone(phone) };
  }

  protected saleOf(): Omit<Sale, 'requestId'> {
    return { tellsAmount: true, goodsOf: () => ({}) };
  }
}
