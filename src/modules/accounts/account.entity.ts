import type { FreezeDirection } from '../../vocabulary/freezes';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A customer of the platform. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /**
   * Live keys can be made only after an operator allowed it, from the command line: the service itself has no right to.
   */
  @Column({ type: 'boolean', name: 'live_enabled', default: false, insert: false })
  liveEnabled: boolean;

  /** What moves money is refused without key or reference. */
  @Column('boolean', { name: 'require_idempotency_key', default: false })
  requireIdempotencyKey: boolean;

  /** Which row of the fee table counts. */
  @Column({ type: 'text', default: 'standard', insert: false })
  tier: string;

  /** In which its days begin: a name of the IANA's list. */
  @Column({ type: 'text', name: 'time_zone', default: 'Africa/Lagos', insert: false })
  timeZone: string;

  /** Which way no money of the account moves; set by an operator, from the command line. */
  @Column({ type: 'text', name: 'freeze_direction', nullable: true, insert: false })
  freeze: FreezeDirection | null;

  /** When that ends by itself. */
  @Column({ type: 'timestamptz', name: 'frozen_until', nullable: true, insert: false })
  frozenUntil: Date | null;

  /** Its end by itself is not told yet. */
  @Column({ type: 'boolean', name: 'unfreezing_due', default: false, insert: false })
  unfreezingDue: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
