import { Inject, Injectable } from '@nestjs/common';
import type { Of } from '../../core/config/settings';
import {
  type BillItem,
  type BillsProvider,
  type CustomerFound,
  PaysBills,
  type ValidationQuery,
  type ValidationResult,
} from '../../modules/bills/bills.provider';
import type { Order, OrderDraft, Unsellable } from '../../modules/purchases/purchases.provider';
import { fieldsOf, type Given } from '../../providers/answers';
import { type CompanyAnswer, ProviderHttp } from '../../providers/http';
import { koboOf, localPhone, nairaOf, type Payment, VTPASS, VtpassSeller } from './vtpass';
import type { Sale } from './vtpass-answers';
import { itemOf, refusedOf, serviceOf, variationOf } from './vtpass-billers';
import { goodsOf } from './vtpass-goods';

@Injectable()
@PaysBills({ name: 'vtpass', mode: 'live', when: VTPASS })
export class VtpassBills extends VtpassSeller<BillItem> implements BillsProvider {
  constructor(@Inject(VTPASS) settings: Of<typeof VTPASS>, http: ProviderHttp) {
    super(settings, http);
  }

  canSell({ item, currency }: OrderDraft<BillItem>): boolean | Unsellable {
    if (currency !== 'NGN') return false;
    const refused = refusedOf(item);
    return refused === null || { outcome: 'refused', ...refused };
  }

  /** VTpass knows customers of meters, smartcards, Smile accounts and JAMB profiles. */
  async validate(query: ValidationQuery, signal: AbortSignal): Promise<ValidationResult> {
    const { billerCode, customer, itemCode, serviceType } = query;
    const service = serviceOf(billerCode);
    if (service === null || service.trade === 'pins' || service.trade === 'vouchers') return { outcome: 'unavailable' };
    const type =
      service.trade === 'meter'
        ? serviceType
        : service.trade === 'profile' && itemCode !== null
          ? variationOf(itemCode)
          : null;
    const asked = { serviceID: service.serviceId, billersCode: customer, ...(type !== null && { type }) };
    return customerOf(await this.post('merchant-verify', asked, signal));
  }

  protected paymentOf(order: Order<BillItem>): Payment {
    const { serviceId, trade } = serviceOf(order.item.biller)!;
    const { customer, quantity, itemCode, serviceType } = order.item;
    const amount = nairaOf(order.amount);
    const common = { serviceID: serviceId, billersCode: customer, phone: this.phoneOf(order) };
    const variation = { variation_code: variationOf(itemCode ?? '') };
    switch (trade) {
      case 'meter':
        return { ...common, variation_code: serviceType!, amount };
      case 'decoder':
        if (serviceType === 'renew') return { ...common, amount, subscription_type: 'renew' };
        // Of several months VTpass does not say whether an amount would be for one or for all: it takes its own price.
        return {
          ...common,
          ...variation,
          quantity: `${quantity}`,
          subscription_type: 'change',
          ...(quantity === 1 && { amount }),
        };
      case 'pins':
      case 'vouchers':
        return { ...common, ...variation, quantity: `${quantity}` };
      case 'package':
      case 'profile':
        return { ...common, ...variation, amount };
    }
  }

  protected saleOf({ item }: Order<BillItem>): Omit<Sale, 'requestId'> {
    return { tellsAmount: serviceOf(item.biller)?.trade === 'meter', goodsOf: (body) => goodsOf(item, body) };
  }

  /** The customer's own where they are a phone; else what a filter set as `phone` for this provider, or ours. */
  private phoneOf({ item: { biller, customer }, options: { phone } }: Order<BillItem>): string {
    if (serviceOf(biller)?.trade === 'pins') return localPhone(customer);
    return typeof phone === 'string' && /^\+?\d{10,15}$/.test(phone) ? localPhone(phone) : this.settings.phone;
  }
}

/**
 * Who a customer is, of an answer to POST merchant-verify. A number that the biller does not know is answered with
 * success, too, and with `WrongBillersCode` or a sentence in `error`.
 */
export function customerOf({ status, body }: CompanyAnswer): ValidationResult {
  const { code, content } = fieldsOf(body);
  const told = fieldsOf(content);
  if (status !== 200 || (code !== '000' && code !== '020')) return { outcome: 'unavailable' };
  const { WrongBillersCode: isWrong, error } = told;
  if (isWrong === true || isWrong === 'true') return { outcome: 'not_found' };
  if (typeof error === 'string')
    return { outcome: /\binvalid\b|\bnot (?:correct|valid)\b/i.test(error) ? 'not_found' : 'unavailable' };
  return nameIn(told) === null ? { outcome: 'unavailable' } : foundOf(told);
}

function foundOf(told: Given): CustomerFound {
  const plan = wordOf(told.Current_Bouquet_Code);
  return {
    outcome: 'found',
    customerName: nameIn(told),
    address: wordOf(told.Address),
    arrears: koboOf(told.Customer_Arrears),
    minAmount: koboOf(told.Min_Purchase_Amount) ?? koboOf(told.Minimum_Amount),
    maxAmount: koboOf(told.MAX_Purchase_Amount),
    currentPlan: plan === null || plan === 'UNKNOWN' ? null : itemOf(plan),
    renewalAmount: koboOf(told.Renewal_Amount),
  };
}

const nameIn = ({ Customer_Name: name }: Given): string | null => wordOf(name);

const WORD_MAX = 200;

const wordOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, WORD_MAX) : null;
