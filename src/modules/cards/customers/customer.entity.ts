import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Address } from '../card-issuer';

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

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
