import { Column, Entity, PrimaryColumn } from 'typeorm';

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

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
