import type { ReplayedBy } from '../../core/idempotency/claim';
import type { Controls } from './controls/spending-controls';

export const BRANDS = ['visa', 'mastercard'] as const;
export type Brand = (typeof BRANDS)[number];

export interface Address {
  readonly line1: string;
  readonly city: string;
  readonly state: string;
  readonly postal_code: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** A document and its number, in clear: on its way in, or to the issuer. */
export interface Identity {
  readonly type: string;
  readonly number: string;
}

export interface NewCustomer {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** E.164. */
  readonly phone: string;
  /** `YYYY-MM-DD`. */
  readonly dateOfBirth: string;
  readonly address: Address;
  readonly identity: Identity;
  readonly metadata: Record<string, string>;
}

/** Undefined leaves a field as it is. */
export type CustomerChanges = { readonly [K in keyof NewCustomer]?: NewCustomer[K] | undefined };

/** A card as it is asked for. */
export interface NewCard {
  /** Public id; null: `customer` is made with the card. */
  readonly customerId: string | null;
  readonly customer: NewCustomer | null;
  readonly brand: Brand;
  /** First load, in cents. */
  readonly amount: bigint;
  /** Public id. */
  readonly fundingWalletId: string;
  readonly spendingControls: Controls;
  readonly label: string | null;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  /** A repetition of what was asked for moments ago is meant. */
  readonly allowDuplicate: boolean;
}

/** Undefined leaves a field as it is. */
export interface CardChanges {
  readonly label?: string | null;
  readonly metadata?: Record<string, string>;
  readonly spendingControls?: Controls;
}

/** Money that goes onto a card or comes back from it. */
export interface CardMove {
  readonly type: 'card_funding' | 'card_withdrawal';
  /** Minor units. */
  readonly amount: bigint;
  /** Public id; null: the wallet that paid the card. */
  readonly walletId: string | null;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  /** A repetition of what was asked for moments ago is meant. */
  readonly allowDuplicate: boolean;
}

/** What became of a request, and whether it had been carried out before. */
export interface Result<T> {
  readonly made: T;
  readonly replayedBy: ReplayedBy | null;
}
