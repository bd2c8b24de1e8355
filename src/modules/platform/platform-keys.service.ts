import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { found } from '../../core/errors/domain-error';
import { hashApiKey, isWellFormedApiKey, makeApiKey } from '../../core/http/api-key';
import { encodeId, newId } from '../../core/http/ids';
import { OperatorOrders, type OperatorOrder } from './operator-orders.service';

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

export type PlatformKeyRecord = Readonly<Omit<PlatformKey, 'hash'>> & { readonly email: string };

/** Whoever is no operator any more has no key, either. */
const USE = `
  WITH used AS (
    UPDATE platform_keys k SET last_used_at = now() FROM users u
     WHERE k.hash = $1 AND k.revoked_at IS NULL AND k.expires_at > now() AND u.id = k.user_id AND u.operator
    RETURNING k.user_id AS "userId", u.email)
  SELECT * FROM used`;
const LIST = `
  SELECT k.id, k.user_id AS "userId", u.email, k.name, k.last4,
         k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt",
         k.created_at AS "createdAt"
    FROM platform_keys k JOIN users u ON u.id = k.user_id ORDER BY k.id`;

/**
 * Keys with which operators use the platform's own API. They stand for a log-in, so that two keys of one person are one
 * person.
 */
@Injectable()
export class PlatformKeys {
  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OperatorOrders,
  ) {}

  /** A key of the one who orders it; its secret for the only time. */
  create(
    order: OperatorOrder,
    { name, expiresAt }: { name: string; expiresAt: Date },
  ): Promise<{ key: PlatformKey; secret: string }> {
    const secret = makeApiKey('platform');
    return this.orders.run(order, async (tx) => {
      const id = newId();
      await tx.insert(PlatformKey, {
        id,
        userId: order.operator.userId,
        name,
        last4: secret.slice(-4),
        hash: hashApiKey(secret),
        expiresAt,
      });
      const key = await tx.findOneByOrFail(PlatformKey, { id });
      return [{ key, secret }, await this.entryFor(order, key, 'platform_key.created')];
    });
  }

  /** Newest last. */
  list(): Promise<PlatformKeyRecord[]> {
    return this.dataSource.query(LIST);
  }

  /** Counts from the next request on. Throws `NotFound`. */
  revoke(order: OperatorOrder, id: string): Promise<PlatformKey> {
    return this.orders.run(order, async (tx) => {
      const key = found(await tx.findOneBy(PlatformKey, { id }), 'key');
      const revokedAt = key.revokedAt ?? new Date();
      await tx.update(PlatformKey, { id }, { revokedAt });
      return [{ ...key, revokedAt }, await this.entryFor(order, key, 'platform_key.revoked')];
    });
  }

  private async entryFor({ operator }: OperatorOrder, { id, userId, name, last4 }: PlatformKey, action: string) {
    const accountId = await this.orders.accountOf(userId, operator.userId);
    return accountId === null ? null : { accountId, action, target: encodeId('key', id), detail: { name, last4 } };
  }

  /** Who may use it now; null: nobody. */
  async use(secret: string): Promise<{ userId: string; email: string } | null> {
    if (!secret.startsWith('sk_platform_') || !isWellFormedApiKey(secret)) return null;
    const [operator]: { userId: string; email: string }[] = await this.dataSource.query(USE, [hashApiKey(secret)]);
    return operator ?? null;
  }
}
