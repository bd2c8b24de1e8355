import { BlockList } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { LessThan, type Repository } from 'typeorm';
import { requireRoom } from '../../core/database/quota';
import { retryAway } from '../../core/database/sqlstate';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import { hashApiKey, isWellFormedApiKey, makeApiKey } from '../../core/http/api-key';
import { newId } from '../../core/http/ids';
import { SCOPES } from '../../core/http/scopes';
import type { Viewer } from '../../core/resources/resources';
import { parseRange, rangeText } from '../../core/text/ip-address';
import { AccountsService } from '../accounts/accounts.service';
import { ApiKey } from './api-key.entity';
import { InvalidKeySettings, KeyNotUsable, LiveModeNotEnabled } from './api-keys.errors';

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

/** A key that may be used now, and from where. */
export interface UsableKey {
  readonly key: Readonly<ApiKey>;
  readonly allowedIps: BlockList | null;
}

/** A key is looked up again after this long: the bound on how long a revoked one goes on working. */
const CACHE_MS = 750;
/** `last_used_at` is not worth a write per request. */
const TOUCH_MS = 60_000;
/** Keys that live, of an account in one mode: more than anybody can look after. */
const LIVE_MAX = 50;
const LIVE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

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
    private readonly accounts: AccountsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Makes a key and returns its secret, for the only time. Throws `NotFound`, `LiveModeNotEnabled`, `InvalidKeySettings`, `LimitExceeded`. */
  create(wanted: NewApiKey): Promise<{ key: ApiKey; secret: string }> {
    return this.make(wanted, LIVE_MAX);
  }

  private async make(wanted: NewApiKey, max: number): Promise<{ key: ApiKey; secret: string }> {
    const account = await this.accounts.require(wanted.accountId);
    if (wanted.livemode && !account.liveEnabled) throw new LiveModeNotEnabled();
    const stranger = wanted.scopes?.find((scope) => !(SCOPES as readonly string[]).includes(scope));
    if (stranger !== undefined) throw new InvalidKeySettings('/scopes', `${stranger} is not a scope.`);
    const secret = makeApiKey(wanted.livemode ? 'live' : 'test');
    const id = newId();
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
      await requireRoom(tx, { table: 'api_keys', of: 'keys that can be used', max, where: LIVE }, wanted);
      await tx.insert(ApiKey, row);
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

  /** A key of the account. Throws `NotFound`. */
  async requireOf(accountId: string, id: string | null): Promise<ApiKey> {
    return found(id === null ? null : await this.keys.findOneBy({ accountId, id }), 'key');
  }

  /** Stops a key, within a second on every process. Throws `NotFound`. */
  async revoke(id: string): Promise<ApiKey> {
    const { accountId, revokedAt } = await this.require(id);
    await this.keys.update({ accountId, id }, { revokedAt: revokedAt ?? new Date() });
    return this.require(id);
  }

  /** A new key like the old one, which goes on working for `overlapSeconds`. Throws `NotFound`, `KeyNotUsable`. */
  async roll(accountId: string, id: string | null, overlapSeconds: number): Promise<{ key: ApiKey; secret: string }> {
    const old = await this.requireOf(accountId, id);
    if (old.revokedAt !== null || (old.expiresAt && old.expiresAt.getTime() <= Date.now())) throw new KeyNotUsable();
    // It takes the place of the old one, which leaves it within days.
    const made = await this.make(old, LIVE_MAX + 1);
    const until = new Date(Date.now() + overlapSeconds * 1_000);
    await this.keys.update(
      { accountId, id: old.id },
      { expiresAt: old.expiresAt && old.expiresAt < until ? old.expiresAt : until },
    );
    return made;
  }

  /** The key of a secret, if it may be used now. Cached for less than a second; concurrent look-ups share one. */
  async findUsable(secret: string): Promise<UsableKey | null> {
    if (!isWellFormedApiKey(secret)) return null;
    const hash = hashApiKey(secret, 'base64');
    const usable = (this.usable.get(hash) ?? (await this.usable.fetch(hash)))?.found ?? null;
    const expiresAt = usable?.key.expiresAt;
    if (usable === null || (expiresAt && expiresAt.getTime() <= Date.now())) return null;
    this.touch(usable.key);
    return usable;
  }

  private async load(hash: Buffer): Promise<UsableKey | null> {
    const key = await retryAway(() => this.keys.findOneBy({ hash }));
    if (key === null || key.revokedAt !== null) return null;
    return { key, allowedIps: key.allowedIps && blockListOf(key.allowedIps) };
  }

  /** Off the request's path: a lost touch is of no consequence. */
  private touch({ accountId, id }: Pick<ApiKey, 'accountId' | 'id'>): void {
    if (this.touched.has(id)) return;
    this.touched.set(id, true);
    void this.keys.update({ accountId, id }, { lastUsedAt: new Date() }).catch(() => undefined);
  }

  private async require(id: string): Promise<ApiKey> {
    return found(await this.keys.findOneBy({ id }), 'key');
  }
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
