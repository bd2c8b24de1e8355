import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An operator's key. The secret itself is shown once and stored nowhere. */
@Entity('platform_keys')
export class PlatformKey {
  @PrimaryColumn('uuid')
  id: string;

  /** Whose log-in it stands for. */
  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('text')
  name: string;

  @Column('text')
  last4: string;

  /** SHA-256 of the secret. */
  @Column('bytea')
  hash: Buffer;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
