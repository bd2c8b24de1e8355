import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../roles';

/** Ties a person to an account; before the person has accepted, an invitation. */
@Entity('team_members')
export class TeamMember {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('uuid')
  id: string;

  /** Null until the invitation is accepted. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('text')
  role: Role;

  /** SHA-256 of the invitation's token; null once it was used. */
  @Column('bytea', { name: 'invite_hash', nullable: true })
  inviteHash: Buffer | null;

  @Column('timestamptz', { name: 'invite_until', nullable: true })
  inviteUntil: Date | null;

  @Column('timestamptz', { name: 'removed_at', nullable: true })
  removedAt: Date | null;
}
