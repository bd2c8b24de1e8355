import { DomainError, FieldRefused, NotFound } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import { displayMoney, type Money } from '../../core/money/money';
import type { BillValidation } from './bill-validation.entity';
import type { Biller, BillerItem } from './biller.entity';
import type { CommonPurchase } from '../purchases/running';

/** A validation as it was asked for. */
export interface NewValidation {
  readonly billerCode: string;
  readonly itemCode: string | null;
  readonly customer: string;
  readonly serviceType: string | null;
}

/** A payment as it is asked for: by a biller's customer or, where that is null, by a beneficiary. */
export interface WantedBill extends Omit<BillOrder, 'billerCode' | 'customer'> {
  readonly billerCode: string | null;
  readonly customer: string | null;
}

/** A payment whose customer is known, not yet held against the catalogue. */
export interface BillOrder extends NewValidation {
  readonly terms: CommonPurchase;
  /** Public id. */
  readonly validationId: string | null;
  /** Public id of the beneficiary that the customer is. */
  readonly beneficiaryId: string | null;
  /** Minor units; null: the price of the item. */
  readonly amount: bigint | null;
  readonly quantity: number;
}

/** A payment held against the catalogue: what is bought, how often, for how much. */
export interface ResolvedBill {
  /** Null: the customer's own package, which the catalogue does not have. */
  readonly item: BillerItem | null;
  readonly itemCode: string | null;
  readonly serviceType: string | null;
  readonly quantity: number;
  /** Minor units. */
  readonly amount: bigint;
}

/** The service type that goes on with the package that the customer has. */
const RENEW = 'renew';
/** Months of a package that only the biller knows. */
const QUANTITY_MAX = 12;

/** Throws `FieldRefused` for a number that no customer of the biller can have. */
export function assertCustomer({ customerPattern, customerLabel }: Biller, customer: string): void {
  if (!new RegExp(customerPattern).test(customer)) {
    throw new FieldRefused(
      '/customer_identifier',
      `/customer_identifier must be a ${customerLabel.toLowerCase()}: ${customerPattern}.`,
    );
  }
}

/** The item that a code names; null without a code. Throws `NotFound`. */
export function namedItem(items: readonly BillerItem[], code: string | null): BillerItem | null {
  if (code === null) return null;
  const item = items.find((one) => one.code === code);
  if (item === undefined) throw new NotFound('item of this biller', '/item_code');
  return item;
}

/** What a request asks of its service type, as far as it is known; null: the biller has none, or it is left open. */
export function serviceTypeOf(
  { name, serviceTypes }: Biller,
  { serviceType }: NewValidation,
  item: BillerItem | null,
): string | null {
  if (serviceType !== null && !serviceTypes.includes(serviceType)) {
    throw new FieldRefused(
      '/service_type',
      `/service_type of ${name} must be ${serviceTypes.length > 0 ? `one of ${serviceTypes.join(', ')}` : 'left out'}.`,
    );
  }
  if (serviceType !== null && item?.serviceType && item.serviceType !== serviceType) {
    throw new FieldRefused('/service_type', `/service_type of ${item.code} must be ${item.serviceType}.`);
  }
  return serviceType ?? item?.serviceType ?? null;
}

/** Throws `FieldRefused` when the biller has service types and the request leaves it open. */
export function requireServiceType({ serviceTypes }: Biller, serviceType: string | null): string | null {
  if (serviceType === null && serviceTypes.length > 0)
    throw new FieldRefused('/service_type', `/service_type is required: one of ${serviceTypes.join(', ')}.`);
  return serviceType;
}

/**
 * Holds a payment against the catalogue and what the biller said of the customer. Throws `NotFound`, `FieldRefused`,
 * `ValidationMismatch`, `ItemInactive`, `PriceChanged`, `AmountOutsideLimits`.
 */
export function resolveBill(
  biller: Biller,
  items: readonly BillerItem[],
  order: BillOrder,
  validation: BillValidation | null,
): ResolvedBill {
  const named = namedItem(items, order.itemCode);
  const serviceType = requireServiceType(
    biller,
    serviceTypeOf(biller, order, named) ?? validation?.serviceType ?? null,
  );
  if (validation?.serviceType && validation.serviceType !== serviceType)
    throw new ValidationMismatch(validation.id, '/service_type');
  const bought =
    serviceType === RENEW ? renewed(items, named, validation) : { ...chosen(items, named, serviceType), price: null };
  const { item, itemCode } = bought;
  assertSold(item);
  const quantity = quantityOf(order, item);
  const price = bought.price ?? item?.amount ?? null;
  const amount = price === null ? amountWithin(biller, item, order.amount, validation) : price * BigInt(quantity);
  if (order.amount !== null && order.amount !== amount)
    throw new PriceChanged({ amount, currency: biller.currency }, order.amount);
  return { item, itemCode, serviceType, quantity, amount };
}

/** Throws `ItemInactive`. */
export function assertSold(item: BillerItem | null): void {
  if (item && !item.enabled) throw new ItemInactive(item.code);
}

interface Bought {
  readonly item: BillerItem | null;
  readonly itemCode: string | null;
  /** What the biller asks for one; null: what the catalogue says. */
  readonly price: bigint | null;
}

function renewed(items: readonly BillerItem[], named: BillerItem | null, validation: BillValidation | null): Bought {
  const current = validation?.currentPlan ?? null;
  if (current === null)
    throw new FieldRefused('/service_type', '/service_type cannot be renew: the customer has no package that runs.');
  if (named && named.code !== current)
    throw new FieldRefused('/item_code', `/item_code must be ${current}, or /service_type must be change.`);
  const item = items.find(({ code }) => code === current) ?? null;
  return { item, itemCode: current, price: validation!.renewalAmount };
}

/** Without a code it is the only item that there is for the service type. */
function chosen(
  items: readonly BillerItem[],
  named: BillerItem | null,
  serviceType: string | null,
): { item: BillerItem; itemCode: string } {
  const fitting = items.filter((one) => one.serviceType === null || one.serviceType === serviceType);
  const item = named ?? (fitting.length === 1 ? fitting[0]! : null);
  if (item === null)
    throw new FieldRefused('/item_code', '/item_code is required: this biller sells more than one thing.');
  return { item, itemCode: item.code };
}

function quantityOf({ quantity }: BillOrder, item: BillerItem | null): number {
  const max = item?.maxQuantity ?? QUANTITY_MAX;
  if (quantity > max)
    throw new FieldRefused('/quantity', `/quantity must be ${max === 1 ? '1' : `from 1 to ${max}`} here.`);
  return quantity;
}

/** The customer's own bounds count beside those of the catalogue: arrears, for one, must be paid first. */
function amountWithin(
  biller: Biller,
  item: BillerItem | null,
  amount: bigint | null,
  validation: BillValidation | null,
): bigint {
  if (amount === null) throw new FieldRefused('/amount', '/amount is required.');
  const { min, max } = limitsOf(biller, item);
  const lowest = validation && validation.minAmount > min ? validation.minAmount : min;
  const highest = validation && validation.maxAmount < max ? validation.maxAmount : max;
  if (amount < lowest || amount > highest) {
    throw new AmountOutsideLimits(
      { amount: lowest, currency: biller.currency },
      { amount: highest, currency: biller.currency },
      amount,
    );
  }
  return amount;
}

/** What the catalogue lets anybody pay at once, in minor units. */
export const limitsOf = (biller: Biller, item: BillerItem | null): { min: bigint; max: bigint } => ({
  min: item?.minAmount ?? biller.minAmount,
  max: item?.maxAmount ?? biller.maxAmount,
});

/** The biller does not take such an amount. */
class AmountOutsideLimits extends DomainError {
  constructor(min: Money, max: Money, actual: bigint) {
    const shown = `${displayMoney(min)} to ${displayMoney(max)}`;
    const detail = `/amount must be between ${min.amount} and ${max.amount} (${shown}).`;
    super({
      code: 'amount_out_of_range',
      kind: 'malformed',
      title: 'Amount is out of range',
      detail,
      param: '/amount',
      errors: [{ param: '/amount', code: 'amount_out_of_range', detail }],
      figures: { min: min.amount, max: max.amount, actual },
    });
  }
}

/** What was to be bought costs something else. */
class PriceChanged extends DomainError {
  constructor(price: Money, actual: bigint) {
    super({
      code: 'price_changed',
      kind: 'conflict',
      title: 'Price changed',
      param: '/amount',
      detail: `This costs ${price.amount} (${displayMoney(price)}).`,
      figures: { expected: price.amount, actual },
    });
  }
}

class ItemInactive extends DomainError {
  constructor(itemCode: string) {
    super({
      code: 'plan_inactive',
      kind: 'conflict',
      title: 'Not sold',
      detail: `${itemCode} is not sold at the moment.`,
      param: '/item_code',
    });
  }
}

/** The validation is about somebody or something else than the payment. */
export class ValidationMismatch extends DomainError {
  constructor(validationId: string, param: string) {
    super({
      code: 'validation_mismatch',
      kind: 'unprocessable',
      title: 'Validation of something else',
      param,
      detail: `The validation has another ${param.slice(1)} than this payment.`,
      resourceId: encodeId('val', validationId),
    });
  }
}
