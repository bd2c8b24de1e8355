import { Injectable } from '@nestjs/common';
import type { Write } from '../../../core/database/bulk';
import { encodeId } from '../../../core/http/ids';
import { ApiKeysService, detailOf, type KeyRecord, type NewApiKey } from '../../accounts/api-keys.service';
import { auditWrite } from '../audit.service';
import { InsufficientRole, LiveModeLocked, StepUpRequired } from '../dashboard.errors';
import type { SignedIn } from '../people/sessions.service';
import { POWERS } from '../roles';

interface MadeKey {
  readonly key: KeyRecord;
  /** Shown for the only time. */
  readonly secret: string;
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
    return this.keys.create({ ...wanted, accountId: me.accountId }, (key) => [entryOf(me, 'key.created', key, { ip })]);
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
  { accountId, userId, email: actor }: SignedIn,
  action: string,
  { id, name, livemode, last4 }: Pick<KeyRecord, 'id' | 'name' | 'livemode' | 'last4'>,
  { ip, detail }: { readonly ip: string; readonly detail?: object },
): Write {
  const target = encodeId('key', id);
  return auditWrite({ accountId, userId, actor, action, target, ip, detail: { name, livemode, last4, ...detail } });
}

const mayLive = ({ role }: SignedIn): boolean => POWERS[role].dashboard.includes('live_keys:write');

function requireRight(me: SignedIn, livemode: boolean): void {
  if (!livemode) return;
  if (!mayLive(me)) throw new InsufficientRole('live_keys:write');
  if (!me.liveEnabled) throw new LiveModeLocked();
  if (me.steppedUpUntil === null) throw new StepUpRequired();
}
