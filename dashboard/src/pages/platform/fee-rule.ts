import { FEE_PRODUCTS } from '../../../../src/vocabulary/products';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { toBasisPoints, toMinorOrZero } from '../../ui/money';

export type FeeRule = DashboardSchemas['Fee'];

const WHOLE_BASIS_POINTS = 10_000n;

/** As the service computes it, in minor units. */
export function feeOf({ flat, basis_points, cap }: FeeRule, amount: number): number {
  const fee = Number(BigInt(flat) + (BigInt(amount) * BigInt(basis_points)) / WHOLE_BASIS_POINTS);
  return cap === null ? fee : Math.min(fee, cap);
}

export const isFree = ({ flat, basis_points, cap }: FeeRule): boolean =>
  (flat === 0 && basis_points === 0) || cap === 0;

export const keyOf = ({ product, tier, currency }: FeeRule): string => `${product} ${tier} ${currency}`;

/** The words of a rule's key, for people. */
export const nameOf = ({ product, tier, currency }: FeeRule): string =>
  `${product.replaceAll('_', ' ')}, ${tier}, ${currency}`;

/** What a form says, each null when it is no such value. */
export interface Entered {
  readonly flat: number | null;
  readonly basisPoints: number | null;
  readonly cap: number | 'none' | null;
}

export function enteredIn({ flat = '', percent = '', cap = '' }: Record<string, string>, currency: string): Entered {
  return {
    flat: toMinorOrZero(flat, currency),
    basisPoints: toBasisPoints(percent),
    cap: cap === '' ? 'none' : toMinorOrZero(cap, currency),
  };
}

/** Null while something of it is missing or wrong. */
export function ruleOf(fields: Record<string, string>, { flat, basisPoints, cap }: Entered): FeeRule | null {
  const { tier = '', currency = '' } = fields;
  const product = FEE_PRODUCTS.find((known) => known === fields.product);
  if (!product || tier === '' || flat === null || basisPoints === null || cap === null) return null;
  return {
    product,
    tier,
    currency: currency as FeeRule['currency'],
    flat,
    basis_points: basisPoints,
    cap: cap === 'none' ? null : cap,
  };
}
