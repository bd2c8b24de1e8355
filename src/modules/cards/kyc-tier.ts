/** How far a verified person was proven: by a number that is theirs, by a document, by all that is asked for. */
export const KYC_TIERS = [1, 2, 3] as const;
export type KycTier = (typeof KYC_TIERS)[number];

export const isKycTier = (value: unknown): value is KycTier => KYC_TIERS.some((tier) => tier === value);

/**
 * What a document proves where nobody says more: a number who has it, one with a photo who it is. That somebody lives
 * where they say, which makes the third tier, no document says.
 */
const DOCUMENTS: ReadonlyMap<string, KycTier> = new Map([
  ['bvn', 1],
  ['nin', 1],
  ['ssn', 1],
  ['voters_card', 2],
  ['drivers_license', 2],
  ['national_id', 2],
  ['passport', 2],
]);

/** The tier of somebody who was verified by a document of that kind. */
export const tierOfDocument = (kind: string): KycTier => DOCUMENTS.get(kind) ?? 1;
