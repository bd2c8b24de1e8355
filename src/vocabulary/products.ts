import type { ScopeName } from './scopes';

/** What the service does with money, said once. A new product is a row, a module, and a migration of the checks. */
interface Product {
  /** What extensions know it by; null: no gate is asked. */
  readonly operation: string | null;
  /** The types of the transactions that record it. */
  readonly transactions: readonly string[];
  /** The table `fees` says what it costs, by the name of the row. */
  readonly hasFee: boolean;
  /** What the table `provider_routes` calls whoever does it for us; null: nobody is asked. */
  readonly route: string | null;
  /**
   * How the module `purchases` sells it; null: not at all. `whole`: another amount than was asked for is for a person
   * to settle; `in_parts`: less than was asked for is paid for by its part.
   */
  readonly sold: 'whole' | 'in_parts' | null;
}

const NEITHER = { hasFee: false, route: null, sold: null } as const;

export const PRODUCTS = {
  transfer: { operation: 'transfer', transactions: ['transfer_out', 'transfer_in'], ...NEITHER },
  airtime: {
    operation: 'airtime_purchase',
    transactions: ['airtime_purchase'],
    hasFee: true,
    route: 'airtime',
    sold: 'in_parts',
  },
  // Half a data plan, half a subscription, or a token over another amount is not half of what was asked for.
  data: { operation: 'data_purchase', transactions: ['data_purchase'], hasFee: true, route: 'data', sold: 'whole' },
  bills: { operation: 'bill_payment', transactions: ['bill_payment'], hasFee: true, route: 'bills', sold: 'whole' },
  payout: { operation: 'payout', transactions: ['payout'], hasFee: true, route: 'payout', sold: 'whole' },
  card_issue: { operation: 'card_issue', transactions: ['card_issue'], hasFee: true, route: 'cards', sold: null },
  identity: { operation: null, transactions: [], hasFee: false, route: 'identity', sold: null },
  card_funding: { operation: 'card_funding', transactions: ['card_funding'], hasFee: true, route: null, sold: null },
  card_withdrawal: {
    operation: 'card_withdrawal',
    transactions: ['card_withdrawal'],
    hasFee: true,
    route: null,
    sold: null,
  },
  card_fee: { operation: null, transactions: ['card_fee'], ...NEITHER },
  payment: { operation: 'payment', transactions: ['payment'], hasFee: true, route: 'payment', sold: null },
  payment_refund: {
    operation: 'payment_refund',
    transactions: ['payment_refund'],
    hasFee: true,
    route: null,
    sold: null,
  },
  conversion: {
    operation: 'conversion',
    transactions: ['conversion_out', 'conversion_in'],
    hasFee: true,
    route: null,
    sold: null,
  },
  rates: { operation: null, transactions: [], hasFee: false, route: 'rates', sold: null },
  deposit: { operation: null, transactions: ['deposit'], hasFee: false, route: 'virtual_accounts', sold: null },
  reversal: { operation: null, transactions: ['reversal'], ...NEITHER },
} as const satisfies Readonly<Record<string, Product>>;

type Products = typeof PRODUCTS;
type ProductName = keyof Products;

/** Every operation that moves an account's money and that extensions are asked about. */
export type Operation = NonNullable<Products[ProductName]['operation']>;

export type TransactionType = Products[ProductName]['transactions'][number];

/** What a fee of the table `fees` may be for. */
export type FeeProduct = { [Name in ProductName]: Products[Name]['hasFee'] extends true ? Name : never }[ProductName];

/** What somebody outside does for us, as the table `provider_routes` calls it. */
export type RoutedProduct = NonNullable<Products[ProductName]['route']>;

/** What is sold through one path: hold, ask a provider, settle. */
export type SoldProduct = { [Name in ProductName]: Products[Name]['sold'] extends null ? never : Name }[ProductName];

const names = Object.keys(PRODUCTS) as ProductName[];

export const TRANSACTION_TYPES: readonly TransactionType[] = names.flatMap((name) => PRODUCTS[name].transactions);

/** What a key needs to cancel a transaction, or to ask about it: what it needs to order one. */
export const SCOPE_OF: Readonly<Record<TransactionType, ScopeName>> = {
  transfer_out: 'wallets:write',
  transfer_in: 'wallets:write',
  airtime_purchase: 'purchases:write',
  data_purchase: 'purchases:write',
  bill_payment: 'purchases:write',
  payout: 'payouts:write',
  card_issue: 'cards:write',
  card_funding: 'cards:write',
  card_withdrawal: 'cards:write',
  card_fee: 'cards:write',
  payment: 'payments:write',
  payment_refund: 'payments:write',
  conversion_out: 'conversions:write',
  conversion_in: 'conversions:write',
  deposit: 'virtual_accounts:write',
  reversal: 'wallets:write',
};

export const FEE_PRODUCTS = names.filter((name): name is FeeProduct => PRODUCTS[name].hasFee);

export const ROUTED_PRODUCTS = names.map((name) => PRODUCTS[name].route).filter((route) => route !== null);

export const SOLD_PRODUCTS = names.filter((name): name is SoldProduct => PRODUCTS[name].sold !== null);
