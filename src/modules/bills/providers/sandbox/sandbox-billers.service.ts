import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Recovery } from '../../../../core/errors/domain-error';
import type { CallbackRequest } from '../../../../providers/answers';
import type { FindResult, Order, OrderCallback, ProviderResult } from '../../../purchases/purchases.provider';
import { type FinalState, SandboxOperator } from '../../../purchases/sandbox-operator.service';
import type { BillItem, ValidationQuery, ValidationResult } from '../../bills.provider';
import table from './customers.json';

/** A customer whose number decides what happens in test mode. Amounts in minor units. */
export interface SandboxCustomer {
  /** The number, or one of those that the pattern fits. */
  readonly customer: string;
  readonly pattern?: string;
  /** The number is a phone: the outcomes of sandbox phones hold. */
  readonly is_phone?: boolean;
  readonly categories: readonly string[];
  /** Only for these; absent: for all. */
  readonly service_types?: readonly string[];
  readonly validation: 'found' | 'not_found' | 'unavailable';
  readonly name?: string;
  readonly address?: string;
  readonly arrears?: number;
  readonly min_amount?: number;
  /** By biller. */
  readonly current_plans?: Readonly<Record<string, string>>;
  /** What the operator plays when the request names no scenario; absent: delivered. */
  readonly scenario?: string;
  /** How a refusal is told. */
  readonly refusal?: { readonly message: string; readonly recovery: Recovery };
  readonly description: string;
  /** Of a payment that shows it, beside the customer. */
  readonly example: {
    readonly biller_code: string;
    readonly item_code?: string;
    readonly service_type?: string;
    readonly amount?: number;
    readonly quantity?: number;
  };
  /** How that payment ends. */
  readonly final: FinalState;
}

/** A token that a payment brings when its amount fits. */
interface SandboxToken {
  readonly kind: string;
  /** Price of a unit; absent: the token brings none. */
  readonly minor_per_kwh?: number;
  readonly amount_from?: number;
  readonly amount_ends_in?: string;
}

/** Everything that the sandbox's billers know: they behave by it, the route serves it, and a test walks it. */
interface SandboxCustomers {
  readonly customers: readonly SandboxCustomer[];
  /** Everybody else. */
  readonly unknown: SandboxCustomer;
  /** What is delivered as a secret. */
  readonly goods: readonly {
    readonly category: string;
    readonly service_type?: string;
    readonly kind: 'tokens' | 'pins';
  }[];
  readonly tokens: readonly SandboxToken[];
}

const TOKEN_DIGITS = 20;
const PIN_DIGITS = 12;

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

  verify(provider: string, callback: CallbackRequest): OrderCallback {
    return this.operator.verify(provider, callback);
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

/** The same digits each time for the same words. */
function digitsOf(count: number, ...words: readonly (string | number)[]): string {
  const hash = BigInt(`0x${createHash('sha256').update(words.join('/')).digest('hex')}`);
  return (hash % 10n ** BigInt(count)).toString().padStart(count, '0');
}

/** What the biller prints on the receipt. */
const receiptOf = ({ reference }: Order): string => `SBX-${digitsOf(10, reference, 'receipt')}`;

/**
 * Tokens or PINs of an order; null: the biller hands nothing over. All follow from its reference: asked again, they
 * are the same.
 */
function goodsOf(order: Order<BillItem>, { goods, tokens }: SandboxCustomers): Record<string, unknown> | null {
  const { category, serviceType, quantity } = order.item;
  const good = goods.find((one) => one.category === category && (one.service_type ?? serviceType) === serviceType);
  if (good === undefined) return null;
  if (good.kind === 'pins') return { pins: Array.from({ length: quantity }, (_, piece) => pinOf(order, piece)) };
  return { tokens: tokens.filter((token) => isDue(token, order.amount)).map((token) => tokenOf(order, token)) };
}

const pinOf = ({ reference }: Order, piece: number) => ({
  serial: `SN${digitsOf(9, reference, 'serial', piece)}`,
  pin: digitsOf(PIN_DIGITS, reference, 'pin', piece),
});

const isDue = ({ amount_from = 0, amount_ends_in = '' }: SandboxToken, amount: bigint): boolean =>
  amount >= BigInt(amount_from) && `${amount}`.endsWith(amount_ends_in);

const tokenOf = ({ reference, amount }: Order, { kind, minor_per_kwh: price }: SandboxToken) => ({
  kind,
  value: digitsOf(TOKEN_DIGITS, reference, kind),
  units: price === undefined ? null : `${decimal((amount * 10n) / BigInt(price))} kWh`,
});

/** `1234` tenths → `123.4`. */
const decimal = (tenths: bigint): string => `${tenths / 10n}.${tenths % 10n}`;
