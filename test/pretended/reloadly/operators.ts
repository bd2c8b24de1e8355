/** An operator as `GET /operators/{id}` tells it; amounts in 1/100,000 of their currency. */
export interface PretendedOperator {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  readonly currency: string;
  /** Units of `currency` for one unit of our account's. */
  readonly fx: number;
  /** Percent off what is asked for in the sender's currency; in the recipient's there is none. */
  readonly discount: number;
  readonly sellsLocalAmounts: boolean;
  readonly kind: 'airtime' | 'data' | 'pin';
  readonly isActive: boolean;
  /** Of the recipient's currency, whole; a FIXED operator sells its amounts only. */
  readonly amounts: readonly [number, number] | readonly number[];
  readonly isFixed: boolean;
  /** How its numbers begin. */
  readonly prefixes: readonly string[];
}

const AIRTIME = { discount: 3, sellsLocalAmounts: true, kind: 'airtime', isActive: true, isFixed: false } as const;

/** 173, 341 and 342 are Reloadly's own ids; the others are imagined. */
export const OPERATORS: readonly PretendedOperator[] = [
  {
    ...AIRTIME,
    id: 341,
    name: 'MTN Nigeria',
    country: 'NG',
    currency: 'NGN',
    fx: 1_500,
    amounts: [50, 50_000],
    prefixes: ['+234803', '+234806', '+234703', '+234903'],
  },
  {
    ...AIRTIME,
    id: 342,
    name: 'Airtel Nigeria',
    country: 'NG',
    currency: 'NGN',
    fx: 1_500,
    amounts: [50, 50_000],
    prefixes: ['+234802', '+234808', '+234701'],
  },
  {
    ...AIRTIME,
    id: 344,
    name: 'Glo Nigeria',
    country: 'NG',
    currency: 'NGN',
    fx: 1_500,
    amounts: [50, 50_000],
    prefixes: ['+234805', '+234807', '+234705'],
    isActive: false,
  },
  {
    ...AIRTIME,
    id: 345,
    name: 'MTN Nigeria Data',
    country: 'NG',
    currency: 'NGN',
    fx: 1_500,
    kind: 'data',
    isFixed: true,
    amounts: [100, 500, 1_050, 3_500],
    prefixes: [],
  },
  {
    ...AIRTIME,
    id: 173,
    name: 'Digicel Haiti',
    country: 'HT',
    currency: 'HTG',
    fx: 121.46,
    sellsLocalAmounts: false,
    amounts: [485, 12_146],
    prefixes: ['+509'],
  },
  {
    ...AIRTIME,
    id: 369,
    name: 'MTN PIN South Africa',
    country: 'ZA',
    currency: 'ZAR',
    fx: 18,
    kind: 'pin',
    amounts: [5, 1_000],
    prefixes: ['+27'],
  },
];
