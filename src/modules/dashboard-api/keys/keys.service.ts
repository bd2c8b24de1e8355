import { Injectable } from '@nestjs/common';
import type { Write } from '../../../core/database/bulk';
import { encodeId } from '../../../core/http/ids';
import {
  ApiKeysService,
  detailOf,
  type KeyRecord,
  type NewApiKey,
  requireScopes,
} from '../../accounts/api-keys.service';
import { auditWrite } from '../audit.service';
import { InsufficientRole, LiveModeLocked, StepUpRequired } from '../dashboard.errors';
import type { SignedIn } from '../people/sessions.service';
import { POWERS, type Role } from '../roles';

interface MadeKey {
  readonly key: KeyRecord;
  /** Shown for the only time. */
  readonly secret: string;
}

/** Who does something with a key. */
interface Orderer extends Pick<SignedIn, 'accountId' | 'email'> {
  readonly userId: string | null;
}

/** Where from, and what else is to be known of it. */
interface Where {
  readonly ip: string;
  readonly detail?: object;
}

/** API keys in the hands of people. */
@Injectable()
export class KeysService {
  constructor(private readonly keys: ApiKeysService) {}

  /** Newest first, below the uuid `before`. */
  list({ accountId }: SignedIn, livemode: boolean, before: string | null, take: number): Promise<KeyRecord[]> {
    return this.keys.list({ accountId, livemode }, before, take);
  }

  /** Throws `InsufficientRole`, `LiveModeLocked`, `StepUpRequired`, `InvalidKeySettings`. */
  async create(me: SignedIn, wanted: Omit<NewApiKey, 'accountId'>, ip: string): Promise<MadeKey> {
    requireRight(me, wanted.livemode);
    return this.make(me, wanted, { ip });
  }

  /** Throws as `create` does, before a key is made later. */
  requireMayCreate(me: SignedIn, { livemode, scopes }: Pick<NewApiKey, 'livemode' | 'scopes'>): void {
    requireRight(me, livemode);
    requireScopes(scopes);
  }

  /** A key that somebody with the right to it has ordered. Throws as `ApiKeysService.create` does. */
  make(by: Orderer, wanted: Omit<NewApiKey, 'accountId'>, where: Where): Promise<MadeKey> {
    return this.keys.create({ ...wanted, accountId: by.accountId }, (key) => [entryOf(by, 'key.created', key, where)]);
  }

  /** By whoever has the secret; that it is none is not told. */
  async revokeBySecret(secret: string, ip: string): Promise<void> {
    const usable = await this.keys.findUsable(secret);
    if (usable === null) return;
    const by = { accountId: usable.key.accountId, userId: null, email: `key …${usable.key.last4}` };
    await this.keys.revoke(usable.key.id, (key) => [entryOf(by, 'key.revoked', key, { ip })]);
  }

  /** A new key like the old one, which works on for a while. Throws `NotFound`, `KeyNotUsable`, and as `create`. */
  async roll(me: SignedIn, id: string | null, overlap: { seconds: number; ip: string }): Promise<MadeKey> {
    const old = await this.keys.requireOf(me.accountId, id);
    requireRight(me, old.livemode);
    return this.keys.roll(old, overlap.seconds, (rolled) => [
      entryOf(me, 'key.rolled', old, { ip: overlap.ip, detail: detailOf(rolled) }),
    ]);
  }

  /** Stops a key at once; this needs no step-up. Throws `NotFound`, `InsufficientRole`. */
  async revoke(me: SignedIn, id: string | null, ip: string): Promise<KeyRecord> {
    const old = await this.keys.requireOf(me.accountId, id);
    if (old.livemode && !mayLive(me)) throw new InsufficientRole('live_keys:write');
    return this.keys.revoke(old.id, (key) => [entryOf(me, 'key.revoked', key, { ip })]);
  }
}

function entryOf(
  { accountId, userId, email: actor }: Orderer,
  action: string,
  { id, name, livemode, last4 }: Pick<KeyRecord, 'id' | 'name' | 'livemode' | 'last4'>,
  { ip, detail }: Where,
): Write {
  const target = encodeId('key', id);
  return auditWrite({ accountId, userId, actor, action, target, ip, detail: { name, livemode, last4, ...detail } });
}

/** What somebody with the role may order. */
export const mayOrder = (role: Role, livemode: boolean): boolean =>
  POWERS[role].dashboard.includes(livemode ? 'live_keys:write' : 'keys:write');

const mayLive = ({ role }: SignedIn): boolean => mayOrder(role, true);

function requireRight(me: SignedIn, livemode: boolean): void {
  if (!livemode) return;
  if (!mayLive(me)) throw new InsufficientRole('live_keys:write');
  if (!me.liveEnabled) throw new LiveModeLocked();
  if (me.steppedUpUntil === null) throw new StepUpRequired();
}
