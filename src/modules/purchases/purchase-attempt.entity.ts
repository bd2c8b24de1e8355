import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One request to one provider. Written before the provider is asked. */
@Entity('purchase_attempts')
export class PurchaseAttempt {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** The reference that the provider was given. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'purchase_id' })
  purchaseId: string;

  @Column('integer')
  number: number;

  @Column('text')
  provider: string;

  /** In the time of the account's clock. */
  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** What the provider answered at last; null while it is being asked, and after a crash. */
  @Column('text', { nullable: true })
  outcome: 'delivered' | 'not_delivered' | 'accepted' | 'unknown' | null;

  @Column('text', { nullable: true })
  code: string | null;

  @Column('text', { nullable: true })
  message: string | null;

  @Column('text', { name: 'provider_reference', nullable: true })
  providerReference: string | null;
}
