import { Inject, Injectable } from '@nestjs/common';
import type { Of } from '../../core/config/settings';
import { type DataItem, type DataProvider, type PlanList, SellsData } from '../../modules/data/data.provider';
import type { Order, OrderDraft } from '../../modules/purchases/purchases.provider';
import { ProviderHttp } from '../../providers/http';
import { localPhone, nairaOf, type Payment, VTPASS, VtpassSeller } from './vtpass';
import type { Sale } from './vtpass-answers';
import { DATA_SERVICES, type DataService, plansOf, type VtpassPlans } from './vtpass-plans';

/** A list of plans comes with each of them twice. */
const CATALOGUE_BYTES_MAX = 4 * 1_024 * 1_024;

@Injectable()
@SellsData({ name: 'vtpass', mode: 'live', when: VTPASS })
export class VtpassData extends VtpassSeller<DataItem> implements DataProvider {
  constructor(@Inject(VTPASS) settings: Of<typeof VTPASS>, http: ProviderHttp) {
    super(settings, http);
  }

  /** Plans whose codes are VTpass's own, as `plans` makes them: of others nobody knows what they are called there. */
  canSell({ item, currency }: OrderDraft<DataItem>): boolean {
    return (
      currency === 'NGN' && item.country === 'NG' && DATA_SERVICES[serviceOf(item) as DataService] === item.network
    );
  }

  /**
   * What VTpass sells of a service (`mtn-data`), as rows of a file for `catalogue:import`, and what could not be made
   * one. Throws when it does not answer with a list.
   */
  async plans(serviceId: DataService, signal: AbortSignal): Promise<VtpassPlans> {
    const answer = await this.get('service-variations', { serviceID: serviceId }, signal, CATALOGUE_BYTES_MAX);
    const plans = answer.status === 200 ? plansOf(serviceId, answer.body) : null;
    if (plans === null) throw new Error(`the plans of ${serviceId} could not be read`);
    return plans;
  }

  async catalogue(signal: AbortSignal): Promise<PlanList> {
    const services = Object.keys(DATA_SERVICES) as DataService[];
    const lists = await Promise.all(services.map((service) => this.plans(service, signal)));
    return { plans: lists.flatMap(({ plans }) => plans), left: lists.flatMap(({ left }) => left) };
  }

  /** VTpass goes by the plan alone: the amount is what we take it to cost. */
  protected paymentOf({ amount, item }: Order<DataItem>): Payment {
    const phone = localPhone(item.phone);
    const service = serviceOf(item);
    const variation = item.plan_code.slice(service.length + 1);
    return { serviceID: service, billersCode: phone, variation_code: variation, amount: nairaOf(amount), phone };
  }

  protected saleOf(): Omit<Sale, 'requestId'> {
    return { tellsAmount: false, goodsOf: () => ({}) };
  }
}

/** `mtn-data.mtn-10mb-100` → `mtn-data`. */
const serviceOf = ({ plan_code }: DataItem): string => plan_code.split('.', 1)[0]!;
