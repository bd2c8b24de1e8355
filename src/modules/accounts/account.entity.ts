import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer of the platform. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Live keys can be made only after an operator allowed it. */
  @Column('boolean', { name: 'live_enabled', default: false })
  liveEnabled: boolean;

  /** Which row of the fee table counts. */
  @Column('text', { default: 'standard' })
  tier: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
