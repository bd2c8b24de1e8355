import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { ApiKeysService, type KeyRecord, type NewApiKey } from '../api-keys/api-keys.service';
import { AuditService } from './audit.service';
import { InsufficientRole, LiveModeLocked, StepUpRequired } from './dashboard.errors';
import type { SignedIn } from './people.types';
import { POWERS } from './roles.types';

interface MadeKey {
  readonly key: KeyRecord;
  /** Shown for the only time. */
  readonly secret: string;
}

/** API keys in the hands of people. */
@Injectable()
export class KeysService {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly audit: AuditService,
  ) {}

  /** Newest first, below the uuid `before`. */
  list({ accountId }: SignedIn, livemode: boolean, before: string | null, take: number): Promise<KeyRecord[]> {
    return this.keys.list({ accountId, livemode }, before, take);
  }

  /** Throws `InsufficientRole`, `LiveModeLocked`, `StepUpRequired`, `InvalidKeySettings`. */
  async create(me: SignedIn, wanted: Omit<NewApiKey, 'accountId'>, ip: string): Promise<MadeKey> {
    requireRight(me, wanted.livemode);
    const made = await this.keys.create({ ...wanted, accountId: me.accountId });
    await this.record(me, 'key.created', made.key, ip);
    return made;
  }

  /** A new key like the old one, which works on for a while. Throws `NotFound`, and as `create`. */
  async roll(me: SignedIn, id: string | null, overlap: { seconds: number; ip: string }): Promise<MadeKey> {
    const old = await this.keys.requireOf(me.accountId, id);
    requireRight(me, old.livemode);
    const made = await this.keys.roll(me.accountId, old.id, overlap.seconds);
    await this.record(me, 'key.rolled', old, overlap.ip, {
      new_key: encodeId('key', made.key.id),
      overlap_seconds: overlap.seconds,
    });
    return made;
  }

  /** Stops a key at once; this needs no step-up. Throws `NotFound`, `InsufficientRole`. */
  async revoke(me: SignedIn, id: string | null, ip: string): Promise<KeyRecord> {
    const old = await this.keys.requireOf(me.accountId, id);
    if (old.livemode && !mayLive(me)) throw new InsufficientRole('live_keys:write');
    const key = await this.keys.revoke(old.id);
    await this.record(me, 'key.revoked', key, ip);
    return key;
  }

  private record(
    { accountId, userId, email: actor }: SignedIn,
    ...[action, key, ip, detail]: [string, KeyRecord, string, object?]
  ): Promise<void> {
    const about = { name: key.name, livemode: key.livemode, last4: key.last4, ...detail };
    return this.audit.record({ accountId, userId, actor, action, target: encodeId('key', key.id), ip, detail: about });
  }
}

const mayLive = ({ role }: SignedIn): boolean => POWERS[role].dashboard.includes('live_keys:write');

function requireRight(me: SignedIn, livemode: boolean): void {
  if (!livemode) return;
  if (!mayLive(me)) throw new InsufficientRole('live_keys:write');
  if (!me.liveEnabled) throw new LiveModeLocked();
  if (me.steppedUpUntil === null) throw new StepUpRequired();
}
