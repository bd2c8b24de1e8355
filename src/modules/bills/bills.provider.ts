import { adapts } from '../../providers/registry';
import type { Provider } from '../purchases/purchases.provider';

/** What a biller's provider is asked to pay for. Kept as JSON with the purchase. */
export interface BillItem {
  readonly biller: string;
  /** Of the biller: `electricity`. */
  readonly category: string;
  /**
   * Package, bundle or PIN of the catalogue; null where the customer's own plan is renewed and the catalogue does not
   * have it.
   */
  readonly itemCode: string | null;
  /** As the biller knows them: meter, smartcard, profile, phone. */
  readonly customer: string;
  /** From the validation, where there was one. */
  readonly customerName: string | null;
  readonly serviceType: string | null;
  /** Months of a package, or PINs. */
  readonly quantity: number;
}

/** Whom a provider is asked about. */
export interface ValidationQuery {
  readonly billerCode: string;
  /** Of the biller: `electricity`. */
  readonly category: string;
  readonly itemCode: string | null;
  readonly customer: string;
  readonly serviceType: string | null;
  readonly livemode: boolean;
}

/** The biller knows the customer. Amounts in minor units; null: the biller does not say. */
export interface CustomerFound {
  readonly outcome: 'found';
  readonly customerName: string | null;
  readonly address: string | null;
  /** What the customer owes. */
  readonly arrears: bigint | null;
  readonly minAmount: bigint | null;
  readonly maxAmount: bigint | null;
  /** Code of the package that runs now. */
  readonly currentPlan: string | null;
  /** Price of one more month of it. */
  readonly renewalAmount: bigint | null;
}

/** `unavailable`: the biller does not answer; another provider may reach it. A provider that throws has answered so. */
export type ValidationResult = CustomerFound | { readonly outcome: 'not_found' } | { readonly outcome: 'unavailable' };

/**
 * Pays bills and knows the billers' customers. Tokens and PINs go into `secrets` of what it delivers, never into
 * `details`.
 */
export interface BillsProvider extends Provider<BillItem> {
  /** Who the customer is to the biller. Moves nothing and may be repeated. */
  validate(query: ValidationQuery, signal: AbortSignal): Promise<ValidationResult>;
}

/** Marks a Nest provider class as one that pays bills. */
export const PaysBills = adapts<BillsProvider>('bills');
