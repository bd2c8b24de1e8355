import { createHash } from 'node:crypto';
import type { Order } from '../../../purchases/purchases.provider';
import type { BillItem } from '../../bills.types';
import type { SandboxCustomers, SandboxToken } from './sandbox-customers.types';

const TOKEN_DIGITS = 20;
const PIN_DIGITS = 12;

/** The same digits each time for the same words. */
function digitsOf(count: number, ...words: readonly (string | number)[]): string {
  const hash = BigInt(`0x${createHash('sha256').update(words.join('/')).digest('hex')}`);
  return (hash % 10n ** BigInt(count)).toString().padStart(count, '0');
}

/** What the biller prints on the receipt. */
export const receiptOf = ({ reference }: Order): string => `SBX-${digitsOf(10, reference, 'receipt')}`;

/** Tokens or PINs of an order; null: the biller hands nothing over. All follow from its reference: asked again, they are the same. */
export function goodsOf(order: Order<BillItem>, { goods, tokens }: SandboxCustomers): Record<string, unknown> | null {
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
