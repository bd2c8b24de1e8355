import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How long a rolled key may go on working beside the one that takes its place. */
export const OVERLAP_MAX_SECONDS = 7 * 24 * 3_600;

/** An API key. The secret itself is shown once and stored nowhere. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('boolean')
  livemode: boolean;

  @Column('text')
  name: string;

  @Column('text')
  last4: string;

  /** SHA-256 of the secret. */
  @Column('bytea')
  hash: Buffer;

  /** Null: all. */
  @Column('text', { array: true, nullable: true })
  scopes: string[] | null;

  /** Addresses and CIDR ranges; null: any. */
  @Column('text', { name: 'allowed_ips', array: true, nullable: true })
  allowedIps: string[] | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** The key that took its place: it is rolled once. */
  @Column('uuid', { name: 'rolled_to', nullable: true })
  rolledTo: string | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
