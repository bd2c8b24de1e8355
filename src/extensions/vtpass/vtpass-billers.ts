import type { BillItem } from '../../modules/bills/bills.provider';

/** How VTpass sells a biller's things. */
type Trade =
  /** Electricity: any amount for a meter. */
  | 'meter'
  /** A decoder whose bouquet is renewed or changed. */
  | 'decoder'
  /** A package for a customer's number. */
  | 'package'
  /** Vouchers for a customer's number. */
  | 'vouchers'
  /** PINs for whoever has the phone. */
  | 'pins'
  /** A PIN for a candidate's profile. */
  | 'profile';

export interface BillerService {
  readonly serviceId: string;
  readonly trade: Trade;
}

const meter = (serviceId: string): BillerService => ({ serviceId, trade: 'meter' });

/** VTpass's services by billers of the catalogue. What is not listed it does not sell, or nobody looked it up yet. */
const BILLERS: Readonly<Record<string, BillerService>> = {
  'ikeja-electric': meter('ikeja-electric'),
  'eko-electric': meter('eko-electric'),
  'abuja-electric': meter('abuja-electric'),
  'kano-electric': meter('kano-electric'),
  'portharcourt-electric': meter('portharcourt-electric'),
  'jos-electric': meter('jos-electric'),
  'kaduna-electric': meter('kaduna-electric'),
  'ibadan-electric': meter('ibadan-electric'),
  'enugu-electric': meter('enugu-electric'),
  'benin-electric': meter('benin-electric'),
  'yola-electric': meter('yola-electric'),
  'aba-electric': meter('aba-electric'),
  dstv: { serviceId: 'dstv', trade: 'decoder' },
  gotv: { serviceId: 'gotv', trade: 'decoder' },
  startimes: { serviceId: 'startimes', trade: 'package' },
  smile: { serviceId: 'smile-direct', trade: 'package' },
  spectranet: { serviceId: 'spectranet', trade: 'vouchers' },
  'waec-result': { serviceId: 'waec', trade: 'pins' },
  'waec-registration': { serviceId: 'waec-registration', trade: 'pins' },
  jamb: { serviceId: 'jamb', trade: 'profile' },
};

export const serviceOf = (biller: string): BillerService | null =>
  Object.hasOwn(BILLERS, biller) ? BILLERS[biller]! : null;

/** VTpass's codes of items that the catalogue calls otherwise; all others are called as they are there. */
const VARIATIONS: Readonly<Record<string, string>> = {
  'dstv-compact': 'dstv79',
  'dstv-compact-plus': 'dstv7',
  'dstv-premium': 'dstv3',
  'dstv-premium-xtraview': 'dstv33',
  'startimes-nova': 'nova',
  'startimes-basic': 'basic',
  'startimes-classic': 'classic',
  'startimes-super': 'super',
  'startimes-chinese': 'uni-1',
  'waec-result-pin': 'waecdirect',
  // As they spell it.
  'waec-registration-pin': 'waec-registraion',
  'jamb-utme': 'utme-no-mock',
  'jamb-utme-mock': 'utme-mock',
  'jamb-direct-entry': 'de',
};

const ITEMS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(VARIATIONS).map(([item, variation]) => [variation, item]),
);

export const variationOf = (itemCode: string): string =>
  Object.hasOwn(VARIATIONS, itemCode) ? VARIATIONS[itemCode]! : itemCode;

/** The way back, for what a biller says that a customer has. Several at once stay as they are. */
export const itemOf = (variation: string): string => (Object.hasOwn(ITEMS, variation) ? ITEMS[variation]! : variation);

/** Why VTpass never sells this; null: it does. */
export function refusedOf({
  biller,
  itemCode,
  serviceType,
  quantity,
}: BillItem): { message: string; param: string } | null {
  const service = serviceOf(biller);
  if (service === null) return { message: 'This biller is not sold.', param: '/biller_code' };
  const { trade } = service;
  const isRenewal = trade === 'decoder' && serviceType === 'renew';
  if (trade === 'meter' ? serviceType !== 'prepaid' && serviceType !== 'postpaid' : itemCode === null && !isRenewal)
    return { message: 'It must be said what is bought of this biller.', param: '/item_code' };
  const hasQuantity = trade === 'pins' || trade === 'vouchers' || (trade === 'decoder' && !isRenewal);
  return quantity > 1 && !hasQuantity ? { message: 'This is sold one at a time.', param: '/quantity' } : null;
}
