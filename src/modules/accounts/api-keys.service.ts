import { BlockList } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { IsNull, LessThan, type Repository } from 'typeorm';
import { DomainError, found } from '../../core/errors/domain-error';
import type { Write } from '../../core/database/bulk';
import { requireRoom } from '../../core/database/quota';
import { retryAway, type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { hashApiKey, isWellFormedApiKey, makeApiKey } from '../../core/http/api-key';
import { encodeId, newIdOf } from '../../core/http/ids';
import { SCOPES } from '../../vocabulary/scopes';
import type { Viewer } from '../../core/resources/resources';
import { whenThere } from '../../core/process/work-under-way';
import { parseRange, rangeText } from '../../core/text/ip-address';
import { Account } from './account.entity';
import type { AccountRecord } from './accounts.service';
import { ApiKey } from './api-key.entity';

class LiveModeNotEnabled extends DomainError {
  constructor() {
    super({
      code: 'live_mode_not_enabled',
      kind: 'forbidden',
      title: 'Live mode not enabled',
      detail: 'An operator must enable live mode for this account before a live key can be made.',
    });
  }
}

export class InvalidKeySettings extends DomainError {
  constructor(param: string, detail: string) {
    super({ code: 'validation_failed', kind: 'malformed', title: 'Invalid key settings', detail, param });
  }
}

class KeyNotUsable extends DomainError {
  constructor(detail: string) {
    super({ code: 'invalid_state_transition', kind: 'conflict', title: 'Key not usable', detail });
  }
}

export interface NewApiKey {
  /** Account uuid. */
  readonly accountId: string;
  readonly livemode: boolean;
  readonly name: string;
  /** Null: all. */
  readonly scopes: readonly string[] | null;
  /** Addresses or CIDR ranges; null: any. */
  readonly allowedIps: readonly string[] | null;
  readonly expiresAt: Date | null;
}

/** What others may know of a key. */
export type KeyRecord = Readonly<ApiKey>;

/** What is written with what is done to a key, such as its entry in the audit log. */
type Beside = (key: Pick<KeyRecord, 'id' | 'accountId' | 'livemode' | 'name' | 'last4'>) => readonly Write[];

/** What became of a key that was rolled. */
export interface Rolled {
  readonly old: KeyRecord;
  /** Of the key that takes its place. */
  readonly newId: string;
  readonly newLast4: string;
  /** The earlier of its own expiry and the end of the overlap. */
  readonly oldEndsAt: Date;
}

/** A key that may be used now, and from where. */
export interface UsableKey {
  readonly key: Readonly<ApiKey>;
  readonly allowedIps: BlockList | null;
  readonly account: AccountRecord;
}

/** A key is looked up again after this long: the bound on how long a revoked one goes on working. */
const CACHE_MS = 750;
/** `last_used_at` is not worth a write per request. */
const TOUCH_MS = 60_000;
/** Keys that live, of an account in one mode: more than anybody can look after. */
const LIVE_MAX = 50;
const LIVE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

/** Of two at once the second waits, and then finds the key rolled. */
const END_ROLLED = `
  UPDATE api_keys SET rolled_to = $3, expires_at = least(expires_at, $4)
   WHERE account_id = $1 AND id = $2 AND rolled_to IS NULL AND ${LIVE}
  RETURNING expires_at AS "endsAt"`;

@Injectable()
export class ApiKeysService {
  /** By the hash of the secret: a picture of the memory must not hold keys. */
  private readonly usable = new LRUCache<string, { found: UsableKey | null }>({
    max: 10_000,
    ttl: CACHE_MS,
    fetchMethod: async (hash) => ({ found: await this.load(Buffer.from(hash, 'base64')) }),
  });
  private readonly touched = new LRUCache<string, true>({ max: 10_000, ttl: TOUCH_MS });

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Makes a key and returns its secret, for the only time. Throws `NotFound`, `LiveModeNotEnabled`,
   * `InvalidKeySettings`, `LimitExceeded`.
   */
  create(wanted: NewApiKey, beside: Beside = () => []): Promise<{ key: ApiKey; secret: string }> {
    return this.make(wanted, LIVE_MAX, (tx, key) => this.unitOfWork.write(tx, beside(key)));
  }

  private async make(
    wanted: NewApiKey,
    max: number,
    more: (tx: Tx, key: Parameters<Beside>[0]) => Promise<void>,
  ): Promise<{ key: ApiKey; secret: string }> {
    requireScopes(wanted.scopes);
    const secret = makeApiKey(wanted.livemode ? 'live' : 'test', wanted.accountId);
    const id = newIdOf(wanted.accountId);
    const { accountId, livemode, name, scopes, allowedIps, expiresAt } = wanted;
    const row = {
      accountId,
      livemode,
      name,
      expiresAt,
      scopes: scopes && [...scopes],
      allowedIps: allowedIps && normalRanges(allowedIps),
      id,
      last4: secret.slice(-4),
      hash: hashApiKey(secret),
    };
    await this.unitOfWork.run(async (tx) => {
      // Whoever closes live mode waits for this, and then stops this key, too.
      const lock = { mode: 'pessimistic_read' } as const;
      const account = found(await tx.findOne(Account, { where: { id: accountId }, lock }), 'account');
      if (livemode && !account.liveEnabled) throw new LiveModeNotEnabled();
      await requireRoom(tx, { table: 'api_keys', of: 'keys that can be used', max, where: LIVE }, wanted);
      await tx.insert(ApiKey, row);
      await more(tx, row);
    });
    return { key: await this.require(id), secret };
  }

  /** Keys of an account in one mode, newest first, below the uuid `before`. */
  list({ accountId, livemode }: Viewer, before: string | null, take: number): Promise<ApiKey[]> {
    return this.keys.find({
      where: { accountId, livemode, ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take,
    });
  }

  /** A key of any account. Throws `NotFound`. */
  async require(id: string): Promise<ApiKey> {
    return found(await this.keys.findOneBy({ id }), 'key');
  }

  /** A key of the account. Throws `NotFound`. */
  async requireOf(accountId: string, id: string | null): Promise<ApiKey> {
    return found(id === null ? null : await this.keys.findOneBy({ accountId, id }), 'key');
  }

  /** Stops a key, within a second on every process; once. Throws `NotFound`. */
  async revoke(id: string, beside: Beside = () => []): Promise<ApiKey> {
    const key = await this.require(id);
    await this.unitOfWork.run(async (tx) => {
      const living = { accountId: key.accountId, id, revokedAt: IsNull() };
      const { affected } = await tx.update(ApiKey, living, { revokedAt: new Date() });
      if (affected === 1) await this.unitOfWork.write(tx, beside(key));
    });
    return this.require(id);
  }

  /** Stops all live keys of an account, as `revoke` does; how many. */
  async revokeLive(tx: Tx, accountId: string): Promise<number> {
    const { affected } = await tx.update(
      ApiKey,
      { accountId, livemode: true, revokedAt: IsNull() },
      { revokedAt: new Date() },
    );
    return affected ?? 0;
  }

  /**
   * A new key of the same name, scopes, addresses and expiry. The old one goes on working for `overlapSeconds` (at most
   * `OVERLAP_MAX_SECONDS`), but never beyond its own expiry. Throws `KeyNotUsable`, also for one that was rolled,
   * `LimitExceeded`, `LiveModeNotEnabled`.
   */
  async roll(
    old: KeyRecord,
    overlapSeconds: number,
    beside: (rolled: Rolled) => readonly Write[],
  ): Promise<{ key: ApiKey; secret: string }> {
    requireRollable(old);
    // It takes the place of the old one, which leaves it within days.
    return this.make(old, LIVE_MAX + 1, async (tx, made) => {
      const until = new Date(Date.now() + overlapSeconds * 1_000);
      const [[ended]]: [{ endsAt: Date }[]] = await tx.query(END_ROLLED, [old.accountId, old.id, made.id, until]);
      if (ended === undefined) {
        requireRollable(await tx.findOneByOrFail(ApiKey, { accountId: old.accountId, id: old.id }));
        throw new KeyNotUsable(EXPIRED);
      }
      await this.unitOfWork.write(tx, beside({ old, newId: made.id, newLast4: made.last4, oldEndsAt: ended.endsAt }));
    });
  }

  /**
   * The key of a secret, if it may be used now. At once while it is cached, which is for less than a second; concurrent
   * look-ups share one.
   */
  findUsable(secret: string): UsableKey | null | Promise<UsableKey | null> {
    const hash = hashApiKey(secret, 'base64');
    const cached = this.usable.get(hash);
    // Asked here only: what is cached was spelled right.
    if (cached === undefined && !isWellFormedApiKey(secret)) return null;
    return whenThere(cached ?? this.usable.fetch(hash), (looked) => {
      const usable = looked?.found ?? null;
      const expiresAt = usable?.key.expiresAt;
      if (usable === null || (expiresAt && expiresAt.getTime() <= Date.now())) return null;
      this.touch(usable.key);
      return usable;
    });
  }

  private async load(hash: Buffer): Promise<UsableKey | null> {
    const key = await retryAway(() => this.keys.findOneBy({ hash }));
    if (key === null || key.revokedAt !== null) return null;
    const account = await retryAway(() => this.keys.manager.findOneByOrFail(Account, { id: key.accountId }));
    return { key, allowedIps: key.allowedIps && blockListOf(key.allowedIps), account };
  }

  /** Off the request's path: a lost touch is of no consequence. */
  private touch({ accountId, id }: Pick<ApiKey, 'accountId' | 'id'>): void {
    if (this.touched.has(id)) return;
    this.touched.set(id, true);
    void this.keys.update({ accountId, id }, { lastUsedAt: new Date() }).catch(() => undefined);
  }
}

/** How the audit log ties the two keys to each other, in the entry of the old one. */
export const detailOf = ({ newId: made, newLast4, oldEndsAt }: Rolled): object => ({
  new_key: encodeId('key', made),
  new_last4: newLast4,
  ends_at: oldEndsAt,
});

/** Throws `InvalidKeySettings`. */
export function requireScopes(scopes: readonly string[] | null): void {
  const stranger = scopes?.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (stranger !== undefined) throw new InvalidKeySettings('/scopes', `${stranger} is not a scope.`);
}

const EXPIRED = 'This key is expired: make a new one.';

/** Throws `KeyNotUsable`. */
function requireRollable({ revokedAt, rolledTo, expiresAt }: KeyRecord): void {
  if (revokedAt !== null) throw new KeyNotUsable('This key is revoked: make a new one.');
  if (rolledTo !== null)
    throw new KeyNotUsable(`This key was rolled already: ${encodeId('key', rolledTo)} took its place; roll that one.`);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) throw new KeyNotUsable(EXPIRED);
}

/** As they are understood, each once. Throws `InvalidKeySettings`. */
function normalRanges(ranges: readonly string[]): string[] {
  const normal = ranges.map((range) => {
    const parsed = parseRange(range);
    if (parsed === null)
      throw new InvalidKeySettings('/allowed_ips', `${JSON.stringify(range)} is neither an address nor a CIDR range.`);
    return rangeText(parsed);
  });
  return [...new Set(normal)];
}

/** What is not spelled right lets in nobody. */
function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const parsed of ranges.map(parseRange))
    if (parsed !== null) list.addSubnet(parsed.network, parsed.bits, parsed.family);
  return list;
}
