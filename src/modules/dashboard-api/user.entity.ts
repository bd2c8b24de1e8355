import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person who may sign in at the dashboard. */
@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id: string;

  /** In lower case; unique on the whole platform. */
  @Column('text')
  email: string;

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

  /** Looks after the platform: sees providers, sets fees. Given by the command line only: the service itself has no right to. */
  @Column({ type: 'boolean', default: false, insert: false })
  operator: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
