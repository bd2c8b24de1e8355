import { fromMajor, toJsonNumber } from '../../core/money/money';
import type { PlanType, Validity } from '../../modules/data/data-plan';
import type { PlanList } from '../../modules/data/data.provider';
import { fieldsOf } from '../../providers/answers';

/** Networks by VTpass's services that sell data. */
export const DATA_SERVICES = {
  'mtn-data': 'mtn',
  'airtel-data': 'airtel',
  'glo-data': 'glo',
  'glo-sme-data': 'glo',
  'etisalat-data': 't2',
  '9mobile-sme-data': 't2',
} as const;

export type DataService = keyof typeof DATA_SERVICES;

/** A row of a file for `catalogue:import`. */
interface PlanRow {
  readonly plan_code: string;
  readonly network: string;
  readonly country: 'NG';
  readonly name: string;
  readonly type: PlanType;
  readonly data_bytes: number;
  readonly validity: Validity;
  /** Minor units: what VTpass asks. */
  readonly price: number;
  readonly currency: 'NGN';
  readonly commission_bps: number;
}

export type VtpassPlans = Omit<PlanList, 'plans'> & { readonly plans: readonly PlanRow[] };

const PLAN_CODE = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const NAME_MAX = 100;

/**
 * Plans of an answer to GET service-variations; null when it is none. How much data a plan has and for how long stands
 * in its name only (`N1000 1.5GB - 30 days`): where that cannot be read without a doubt, the plan is left out.
 */
export function plansOf(service: DataService, body: unknown): VtpassPlans | null {
  const { content, response_description: said } = fieldsOf(body);
  // Both spellings are sent; the older answers have the second only.
  const { variations, varations } = fieldsOf(content);
  const rows = variations ?? varations;
  if (said !== '000' || !Array.isArray(rows)) return null;
  const plans = new Map<string, PlanRow>();
  const left: { variation: string; why: string }[] = [];
  for (const row of rows as unknown[]) {
    const plan = planOf(service, row);
    const variation = String(fieldsOf(row).variation_code);
    if (typeof plan === 'string') left.push({ variation, why: plan });
    else if (plans.has(plan.plan_code)) left.push({ variation, why: 'stands there twice' });
    else plans.set(plan.plan_code, plan);
  }
  return { plans: [...plans.values()], left };
}

/** A plan, or why there is none. */
function planOf(service: DataService, row: unknown): PlanRow | string {
  const { variation_code: variation, name, variation_amount: amount, fixedPrice } = fieldsOf(row);
  if (typeof variation !== 'string' || typeof name !== 'string') return 'has no code or no name';
  const code = `${service}.${variation}`;
  const price = fromMajor(amount, 'NGN');
  const bytes = bytesIn(name);
  const validity = validityIn(name);
  if (!PLAN_CODE.test(code)) return 'its code cannot stand in the catalogue';
  if (fixedPrice !== 'Yes' || !price) return 'has no fixed price';
  if (bytes === null) return 'its name does not say how much data it has';
  if (validity === null) return 'its name does not say how long it lasts';
  return {
    plan_code: code,
    network: DATA_SERVICES[service],
    country: 'NG',
    name: name.trim().replace(/\s+/g, ' ').slice(0, NAME_MAX),
    type: /\bsme\b/i.test(`${service} ${name}`) ? 'sme' : 'direct',
    data_bytes: toJsonNumber(bytes),
    validity,
    price: toJsonNumber(price),
    currency: 'NGN',
    commission_bps: 0,
  };
}

const SIZES: Readonly<Record<string, bigint>> = { mb: 1n << 20n, gb: 1n << 30n, tb: 1n << 40n };

/** Null where the name has no size, or more than one: `1GB + 1GB Night`. */
function bytesIn(name: string): bigint | null {
  const found = [...name.matchAll(/(?<![\d.,])(\d{1,6})(?:\.(\d{1,3}))?\s?(MB|GB|TB)\b/gi)];
  if (found.length !== 1) return null;
  const [, whole, fraction = '', unit] = found[0]!;
  const bytes = (BigInt(whole! + fraction) * SIZES[unit!.toLowerCase()]!) / 10n ** BigInt(fraction.length);
  return bytes === 0n ? null : bytes;
}

const UNITS: Readonly<Record<string, Validity>> = {
  hr: { quantity: 1, unit: 'hour' },
  hour: { quantity: 1, unit: 'hour' },
  day: { quantity: 1, unit: 'day' },
  week: { quantity: 1, unit: 'week' },
  month: { quantity: 1, unit: 'month' },
  year: { quantity: 12, unit: 'month' },
  daily: { quantity: 1, unit: 'day' },
  weekly: { quantity: 1, unit: 'week' },
  monthly: { quantity: 1, unit: 'month' },
};

/** `24 hrs`, `2-Month Plan`, `Weekly Bundle`; null where the name has none, or more than one. */
function validityIn(name: string): Validity | null {
  const found = [...name.matchAll(/\b(?:(\d{1,3})[\s-]*(hr|hour|day|week|month|year)s?|(daily|weekly|monthly))\b/gi)];
  if (found.length !== 1) return null;
  const [, times, counted, word] = found[0]!;
  const { quantity, unit } = UNITS[(counted ?? word!).toLowerCase()]!;
  // No more than three digits.
  const total = toJsonNumber(BigInt(times ?? '1')) * quantity;
  return total > 0 && total <= 1_000 ? { quantity: total, unit } : null;
}
