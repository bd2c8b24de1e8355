import { ApiProperty } from '@nestjs/swagger';
import { field, Flag, Label } from '../../../core/http/fields';
import { encodeId } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { DateTime, Flag as QueryFlag, PageQuery } from '../../../core/http/query-fields';
import { type ScopeName, SCOPES } from '../../../vocabulary/scopes';
import { OVERLAP_MAX_SECONDS } from '../../accounts/api-key.entity';
import type { KeyRecord } from '../../accounts/api-keys.service';

const LIST_MAX = 100;

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= LIST_MAX &&
  value.every((one) => typeof one === 'string' && one.length <= 64);

/** A list of words; absent or null: no restriction. */
export const Words = () =>
  field(
    { type: 'array', items: { type: 'string' } } as never,
    [{ name: 'words', says: `must be a list of 1 to ${LIST_MAX} texts, or null`, holds: isTexts }],
    { optional: true },
  );

export class KeysQuery extends PageQuery {
  @QueryFlag()
  livemode: boolean = false;
}

export class CreateKeyDto {
  @Label()
  name: string;

  @Flag()
  livemode: boolean;

  @Words()
  scopes?: string[] | null;

  @DateTime({ optional: true })
  expires_at?: Date | null;

  @Words()
  allowed_ips?: string[] | null;
}

export class RollKeyDto {
  @field({ type: 'integer', minimum: 0, maximum: OVERLAP_MAX_SECONDS }, [
    {
      name: 'overlap',
      says: `must be a whole number of seconds from 0 to ${OVERLAP_MAX_SECONDS}`,
      holds: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= OVERLAP_MAX_SECONDS,
    },
  ])
  overlap_seconds: number;
}

/** A key without its secret. */
export class KeyDto {
  id: string;
  name: string;
  livemode: boolean;
  prefix: string;
  last4: string;
  /** Null: all. */
  scopes: string[] | null;
  /** Null: any. */
  allowed_ips: string[] | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  /** The key that took its place. */
  rolled_to: string | null;
  last_used_at: Date | null;
  created_at: Date;

  static of(this: void, key: KeyRecord): KeyDto {
    return {
      id: encodeId('key', key.id),
      name: key.name,
      livemode: key.livemode,
      prefix: key.livemode ? 'sk_live_' : 'sk_test_',
      last4: key.last4,
      scopes: key.scopes,
      allowed_ips: key.allowedIps,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      rolled_to: key.rolledTo && encodeId('key', key.rolledTo),
      last_used_at: key.lastUsedAt,
      created_at: key.createdAt,
    };
  }
}

export class KeyListDto extends ListOf(KeyDto) {}

export class NewKeyDto {
  key: KeyDto;
  /** Shown for the only time. */
  secret: string;
}

export class ScopesDto {
  @ApiProperty({ enum: SCOPES, isArray: true })
  data: readonly ScopeName[];
}
