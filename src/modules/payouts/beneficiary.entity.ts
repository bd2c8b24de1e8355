import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody whom an account pays again and again. */
@Entity('beneficiaries')
export class Beneficiary {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  label: string;

  @Column('text', { name: 'bank_code' })
  bankCode: string;

  @Column('text', { name: 'account_number' })
  accountNumber: string;

  /** As the bank said when it was added. */
  @Column('text', { name: 'verified_name' })
  verifiedName: string;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** Of the last payout that was ordered. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;

  /** Grows with each change. */
  @Column('integer')
  version: number;
}
