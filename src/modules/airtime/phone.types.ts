/** What to do when the number's range says another network than the caller. */
export const MISMATCH_RULES = ['reject', 'use_given', 'use_detected'] as const;
export type MismatchRule = (typeof MISMATCH_RULES)[number];

/** A phone number and what the caller says about it. Null and absent mean the same. */
export interface PhoneQuestion {
  /** E.164, or local form with `country`. */
  readonly phone: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | null;
  /** Whose local form it may be without `country`. */
  readonly home?: string | null;
  /** Slug or alias of a network. */
  readonly network?: string | null;
  /** `reject` when absent. */
  readonly on_network_mismatch?: MismatchRule | null;
  /** Sandbox numbers exist in test mode only. */
  readonly livemode: boolean;
}

export type NetworkSource = 'given' | 'prefix';

/** Where a purchase goes. */
export interface ResolvedPhone {
  /** E.164. */
  readonly phone: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Slug, never an alias. */
  readonly network: string;
  readonly networkSource: NetworkSource;
}

/** What is known about a number without a purchase. All null when it is not valid. */
export interface PhoneFacts {
  readonly valid: boolean;
  readonly phone: string | null;
  readonly country: string | null;
  readonly network: string | null;
  /** `prefix`: by its range, and it may have been ported since; `porting`: it is known to have been ported. */
  readonly source: 'prefix' | 'porting' | null;
  readonly confidence: 'high' | 'medium' | null;
}
