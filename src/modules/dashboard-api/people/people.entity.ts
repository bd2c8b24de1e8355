import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../roles';

/** A person who may sign in at the dashboard. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id: string;

  /** In lower case. On the whole platform at most one who is proven has it, and one who is not. */
  @Column('text')
  email: string;

  /** Was invited with the address, and did not just claim it. */
  @Column('boolean', { default: false })
  proven: boolean;

  @Column('text')
  name: string;

  /** Argon2id, in the PHC form. */
  @Column('text', { name: 'password_hash' })
  passwordHash: string;

  /** Sealed; null while one-time codes are off. */
  @Column('bytea', { name: 'totp_secret', nullable: true })
  totpSecret: Buffer | null;

  /** Sealed: shown to the person and not confirmed yet. */
  @Column('bytea', { name: 'totp_pending', nullable: true })
  totpPending: Buffer | null;

  /**
   * Looks after the platform: sees providers, sets fees. Given by the command line only: the service itself has no
   * right to.
   */
  @Column({ type: 'boolean', default: false, insert: false })
  operator: boolean;

  /** Sessions that began before are over, in whichever cell; null while there is one cell, or nobody ended them. */
  @Column('timestamptz', { name: 'signed_out_at', nullable: true })
  signedOutAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

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

  /** When the person last came to this account. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;
}

/** A person signed in with one browser. The token itself is in the cookie only. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  /** SHA-256 of the token. */
  @Column('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  @Column('text')
  ip: string;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt: Date;

  @Column('timestamptz', { name: 'stepped_up_until', nullable: true })
  steppedUpUntil: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;
}
