import { Injectable } from '@nestjs/common';
import type { FindResult, Order, ProviderResult } from '../../../purchases/purchases.provider';
import { SandboxOperator } from '../../../purchases/sandbox-operator.service';
import type { BillItem, ValidationQuery, ValidationResult } from '../../bills.types';
import table from './customers.json';
import type { SandboxCustomer, SandboxCustomers } from './sandbox-customers.types';
import { goodsOf, receiptOf } from './sandbox-goods.batch';

const TABLE = table as SandboxCustomers;

/** The billers behind both sandbox providers: the customer's number decides, unless the request names a scenario. */
@Injectable()
export class SandboxBillers {
  constructor(private readonly operator: SandboxOperator) {}

  /** Every number that has a meaning, for the page that lists them. */
  customers(): readonly SandboxCustomer[] {
    return [...TABLE.customers, TABLE.unknown];
  }

  validate({ billerCode, ...query }: ValidationQuery): ValidationResult {
    const { validation, name, address, arrears, min_amount: minAmount, current_plans: plans } = customerOf(query);
    if (validation !== 'found') return { outcome: validation };
    return {
      outcome: 'found',
      customerName: name ?? null,
      address: address ?? null,
      arrears: arrears === undefined ? null : BigInt(arrears),
      minAmount: minAmount === undefined ? null : BigInt(minAmount),
      maxAmount: null,
      currentPlan: plans?.[billerCode] ?? null,
      renewalAmount: null,
    };
  }

  canSell(provider: string, order: Omit<Order<BillItem>, 'reference'>): boolean | Promise<boolean> {
    return this.operator.canSell(provider, played(order));
  }

  async purchase(provider: string, order: Order<BillItem>, signal: AbortSignal): Promise<ProviderResult> {
    return told(order, await this.operator.sell(provider, played(order), signal));
  }

  async find(provider: string, order: Order<BillItem>, signal: AbortSignal): Promise<FindResult> {
    return told(order, await this.operator.find(provider, played(order), signal));
  }
}

type Asked = Pick<BillItem, 'customer' | 'category' | 'serviceType'>;

/** Everybody whom no row describes is not known. */
const customerOf = ({ customer, category, serviceType }: Asked): SandboxCustomer =>
  TABLE.customers.find(
    (row) =>
      (row.pattern === undefined ? row.customer === customer : new RegExp(row.pattern).test(customer)) &&
      row.categories.includes(category) &&
      (row.service_types === undefined || serviceType === null || row.service_types.includes(serviceType)),
  ) ?? TABLE.unknown;

/** The order as the operator knows them: a phone number, or the scenario that the customer stands for. */
function played<O extends Omit<Order<BillItem>, 'reference'>>(order: O): O {
  const { scenario, is_phone: isPhone } = customerOf(order.item);
  const item = isPhone ? { ...order.item, phone: order.item.customer.replace(/^0/, '+234') } : order.item;
  return { ...order, item, scenario: order.scenario ?? scenario ?? null };
}

/** The operator's answer in the words of a biller. */
function told<R extends ProviderResult | FindResult>(order: Order<BillItem>, result: R): R {
  if (result.outcome === 'not_delivered') {
    const isOfCustomer = order.scenario === null;
    return isOfCustomer ? { ...result, ...customerOf(order.item).refusal } : result;
  }
  if (result.outcome !== 'delivered') return result;
  const secrets = goodsOf(order, TABLE);
  return { ...result, details: { ...result.details, receipt_number: receiptOf(order) }, ...(secrets && { secrets }) };
}
