import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A payout or a refund that needs a second person. */
@Entity('approvals')
export class Approval {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** Of the transaction. */
  @PrimaryColumn('uuid')
  id: string;

  /** Who ordered it; null: an API key did. */
  @Column('uuid', { name: 'made_by', nullable: true })
  madeBy: string | null;

  @Column('text', { nullable: true })
  decision: 'approved' | 'declined' | null;

  @Column('uuid', { name: 'decided_by', nullable: true })
  decidedBy: string | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt: Date | null;
}
