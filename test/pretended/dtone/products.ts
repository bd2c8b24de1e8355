/** An operator as the look-up tells it. */
export interface PretendedOperator {
  readonly id: number;
  readonly name: string;
  /** ISO 3166-1 alpha-3: they know no other. */
  readonly country: string;
  /** How its numbers begin. */
  readonly prefixes: readonly string[];
}

/** 1/100,000 of a currency. */
export type Units = bigint;

export interface PretendedProduct {
  readonly id: number;
  readonly name: string;
  readonly operator: PretendedOperator;
  readonly type: string;
  readonly subservice: { readonly id: number; readonly name: string } | null;
  readonly currency: string;
  /** Whole, of the recipient's currency: one of fixed value has one. */
  readonly amounts: readonly number[];
  readonly increment?: number;
  readonly modes?: readonly string[];
  readonly needs?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly benefit: string;
}

/** Units of a recipient's currency for a dollar, and what of the face value we pay, in percent. */
const RATES: Readonly<Record<string, bigint>> = { NGN: 1_500n, HTG: 130n, USD: 1n, KES: 129n };
const WHOLESALE = 97n;

const operator = (id: number, name: string, country: string, prefixes: readonly string[]): PretendedOperator => ({
  id,
  name,
  country,
  prefixes,
});

const MTN = operator(1301, 'MTN Nigeria', 'NGA', ['+234803', '+234806', '+234703', '+234903']);
const AIRTEL = operator(1302, 'Airtel Nigeria', 'NGA', ['+234802', '+234808', '+234701']);
const GLO = operator(1303, 'Glo Nigeria', 'NGA', ['+234805', '+234807', '+234705']);
/** Two that the same numbers are taken for. */
const TELKOM = operator(1304, 'Telkom Kenya', 'KEN', ['+25477']);
const TELKOM_DATA = operator(1305, 'Telkom Kenya Bundles', 'KEN', ['+25477']);
const SAFARICOM = operator(1306, 'Safaricom Kenya', 'KEN', ['+25472', '+25470']);
const DIGICEL = operator(1307, 'Digicel Haiti', 'HTI', ['+509']);
/** Its id and its products are theirs, the others imagined. */
const CLARO = operator(1596, 'Claro Ecuador', 'ECU', ['+5939']);

export const OPERATORS = [MTN, AIRTEL, GLO, TELKOM, TELKOM_DATA, SAFARICOM, DIGICEL, CLARO];

const AIRTIME = { id: 11, name: 'Airtime' };
const DATA = { id: 13, name: 'Data' };
const BOTH = ['SOURCE_AMOUNT', 'DESTINATION_AMOUNT'];
const ranged = { type: 'RANGED_VALUE_RECHARGE', subservice: AIRTIME, benefit: 'CREDITS', modes: BOTH } as const;
const fixed = { type: 'FIXED_VALUE_RECHARGE', subservice: AIRTIME, benefit: 'CREDITS' } as const;

export const PRODUCTS: readonly PretendedProduct[] = [
  { ...ranged, id: 20_001, name: '50-50000 NGN', operator: MTN, currency: 'NGN', amounts: [50, 50_000] },
  { ...fixed, id: 20_002, name: '1000 NGN', operator: MTN, currency: 'NGN', amounts: [1_000] },
  {
    ...fixed,
    id: 20_003,
    name: '49 NGN, by name',
    operator: MTN,
    currency: 'NGN',
    amounts: [49],
    needs: { sender: [['first_name', 'last_name']] },
  },
  {
    ...fixed,
    id: 20_004,
    name: '1 GB',
    operator: MTN,
    currency: 'NGN',
    amounts: [1_050],
    subservice: DATA,
    benefit: 'DATA',
  },
  {
    ...fixed,
    id: 20_005,
    name: 'PIN of 500 NGN',
    operator: MTN,
    currency: 'NGN',
    amounts: [500],
    type: 'FIXED_VALUE_PIN_PURCHASE',
  },
  { ...ranged, id: 20_011, name: 'in steps', operator: AIRTEL, currency: 'NGN', amounts: [100, 5_000], increment: 50 },
  { ...ranged, id: 20_031, name: 'shillings', operator: TELKOM, currency: 'KES', amounts: [5, 10_000] },
  { ...ranged, id: 20_032, name: 'shillings', operator: SAFARICOM, currency: 'KES', amounts: [5, 10_000] },
  {
    ...ranged,
    id: 20_041,
    name: 'gourdes',
    operator: DIGICEL,
    currency: 'HTG',
    amounts: [130, 13_000],
    modes: ['SOURCE_AMOUNT'],
  },
  { ...fixed, id: 6_035, name: '3 USD', operator: CLARO, currency: 'USD', amounts: [3] },
];

export const UNIT = 100_000n;

/** What a product sells for, in dollars, before the discount; rounded up. */
export const toDollars = (amount: Units, currency: string): Units => {
  const rate = RATES[currency]!;
  return (amount + rate - 1n) / rate;
};

export const toLocal = (dollars: Units, currency: string): Units => dollars * RATES[currency]!;

export const wholesaleOf = (dollars: Units): Units => (dollars * WHOLESALE + 99n) / 100n;

/** A number of JSON with as many places as it has. */
export function decimal(units: Units): unknown {
  const digits = units.toString().padStart(6, '0');
  const text = `${digits.slice(0, -5)}.${digits.slice(-5)}`.replace(/\.?0+$/, '');
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

export function unitsOf(given: unknown): Units | null {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,5}))?$/.exec(String(given)) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(5, '0'));
}

export const operatorJson = ({ id, name, country }: PretendedOperator): object => ({
  id,
  name,
  country: { iso_code: country, name: country, regions: null },
  regions: null,
});

export const money = (unit: string, amount: unknown): object => ({ unit_type: 'CURRENCY', unit, amount });

/** What a transaction says of its product, too. */
export const productBase = ({ id, name, operator: of, type, subservice }: PretendedProduct): object => ({
  id,
  name,
  description: '',
  tags: null,
  service: { id: 1, name: 'Mobile', ...(subservice && { subservice }) },
  operator: operatorJson(of),
  regions: null,
  type,
});

export function productJson(product: PretendedProduct): object {
  const { currency, amounts, needs = {}, modes, increment, benefit, type } = product;
  const locals = amounts.map((amount) => BigInt(amount) * UNIT);
  const dollars = locals.map((amount) => toDollars(amount, currency));
  const [local, source, wholesale] = [locals, dollars, dollars.map(wholesaleOf)].map((all) =>
    all.length === 1 ? decimal(all[0]!) : { min: decimal(all[0]!), max: decimal(all[1]!) },
  );
  const isRange = amounts.length > 1;
  const fields = ['debit_party_identifier', 'sender', 'beneficiary', 'statement_identifier', 'additional_identifier'];
  return {
    ...productBase(product),
    validity: null,
    ...Object.fromEntries(fields.map((who) => [`required_${who}_fields`, needs[who] ?? null])),
    required_credit_party_identifier_fields: [['mobile_number']],
    ...(modes && { accepted_calculation_modes: modes }),
    availability_zones: ['INTERNATIONAL'],
    source: money('USD', source),
    destination: money(currency, isRange ? { ...(local as object), increment: increment ?? 1 } : local),
    prices: { wholesale: { ...money('USD', wholesale), fee: 0 }, retail: null },
    rates: { base: 1, wholesale: 1, retail: null },
    ...(type.endsWith('PIN_PURCHASE') && { pin: { usage_info: null, validity: null, terms: null } }),
    benefits: [{ type: benefit, unit_type: 'CURRENCY', unit: currency, amount: {}, additional_information: null }],
    promotions: null,
  };
}
