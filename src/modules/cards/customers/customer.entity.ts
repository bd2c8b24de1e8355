import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../../core/database/rows';
import type { Refused } from '../../../providers/answers';
import type { Address } from '../card-issuer';
import type { KycTier } from '../kyc-tier';

/** Whether somebody who knows says that a cardholder is who they say. */
export const KYC_STATUSES = ['unverified', 'pending', 'verified', 'rejected'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

/** A cardholder. */
@Entity('customers')
export class Customer {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { name: 'first_name' })
  firstName: string;

  @Column('text', { name: 'last_name' })
  lastName: string;

  @Column('text')
  email: string;

  /** E.164. */
  @Column('text')
  phone: string;

  /** `YYYY-MM-DD`. */
  @Column('text', { name: 'date_of_birth' })
  dateOfBirth: string;

  @Column('jsonb')
  address: Address;

  @Column('text', { name: 'identity_type' })
  identityType: string;

  /** Sealed; opened only for the issuer. */
  @Column('bytea', { name: 'identity_number' })
  identityNumber: Buffer;

  @Column('text', { name: 'identity_masked' })
  identityMasked: string;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** Grows by one with each change. */
  @Column('integer')
  version: number;

  /** The request that registered them. */
  @Column('uuid', { name: 'request_id', nullable: true })
  requestId: string | null;

  /** Since then nothing here is personal. */
  @Column('timestamptz', { name: 'anonymized_at', nullable: true })
  anonymizedAt: Date | null;

  @Column('text', { name: 'kyc_status' })
  kycStatus: KycStatus;

  /** How far they are known; 0 while they are not verified. */
  @Column('integer', { name: 'kyc_tier' })
  kycTier: 0 | KycTier;

  /** UUIDv7, ours: what the provider knows this verification by. A new one is asked for under a new one. */
  @Column('uuid', { name: 'kyc_reference', nullable: true })
  kycReference: string | null;

  /** Who was asked. */
  @Column('text', { name: 'kyc_provider', nullable: true })
  kycProvider: string | null;

  /** The provider's own id of it. */
  @Column('text', { name: 'kyc_provider_reference', nullable: true })
  kycProviderReference: string | null;

  /** Why it is rejected. */
  @Column('jsonb', { name: 'kyc_failure', nullable: true })
  kycFailure: Refused | null;

  @Column('timestamptz', { name: 'kyc_verified_at', nullable: true })
  kycVerifiedAt: Date | null;

  /** Times that the provider was asked without an answer that settles it. */
  @Column('integer', { name: 'kyc_checks' })
  kycChecks: number;

  /** Why a person must decide; null when nobody must. */
  @Column('text', { name: 'kyc_review', nullable: true })
  kycReview: string | null;

  /** Grows with each review. */
  @Column('integer', { name: 'kyc_reviews' })
  kycReviews: number;

  /** The request that asked for it, and its key. */
  @Column('uuid', { name: 'kyc_request_id', nullable: true })
  kycRequestId: string | null;

  @Column('text', { name: 'kyc_idempotency_key', nullable: true })
  kycIdempotencyKey: string | null;

  /** When the provider must be asked again, by the account's clock; null when it need not be. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  /** Grows with each card and load that is counted against a limit: of two that read the same sum, the second fails. */
  @MinorColumn({ name: 'card_loads' })
  cardLoads: bigint;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

/** Nobody was asked about this person. */
export const UNVERIFIED = {
  kycStatus: 'unverified',
  kycTier: 0,
  kycReference: null,
  kycProvider: null,
  kycProviderReference: null,
  kycFailure: null,
  kycVerifiedAt: null,
  kycChecks: 0,
  kycReview: null,
  kycRequestId: null,
  kycIdempotencyKey: null,
  nextCheckAt: null,
} as const satisfies Partial<Customer>;
