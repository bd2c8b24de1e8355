import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Text } from '../../../../core/http/fields';
import { encodeId, timeOf } from '../../../../core/http/ids';
import { PageQuery } from '../../../../core/http/query-fields';
import { CURRENCIES, type Currency, displayMoney } from '../../../../core/money/money';
import { FREEZE_DIRECTIONS, type FreezeDirection } from '../../../../vocabulary/freezes';

const REASON_MAX = 500;
const SEARCH_MAX = 128;
const ACCOUNT_STATES = ['live', 'test_only', 'frozen'] as const;

export class AccountsQuery extends PageQuery {
  /** A part of the name or of the address of somebody in its team, or its id. */
  @Text(SEARCH_MAX, { optional: true })
  q?: string;

  @OneOf(ACCOUNT_STATES, { optional: true })
  state?: (typeof ACCOUNT_STATES)[number];
}

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly liveEnabled: boolean;
  readonly tier: string;
  readonly timeZone: string;
  readonly freeze: FreezeDirection | null;
  readonly frozenUntil: Date | null;
  readonly owner: string | null;
}

/** An account as operators see it. */
export class PlatformAccountDto {
  id: string;
  name: string;
  /** E-mail address of its first owner. */
  owner: string | null;
  live_enabled: boolean;
  tier: string;
  time_zone: string;
  /** Which way no money of it moves; null: every way. */
  @ApiProperty({ enum: FREEZE_DIRECTIONS, nullable: true })
  freeze: FreezeDirection | null;
  frozen_until: Date | null;
  created_at: Date;

  static of(this: void, { id, name, owner, liveEnabled, tier, timeZone, freeze, frozenUntil }: AccountRow) {
    return {
      id: encodeId('acct', id),
      name,
      owner,
      live_enabled: liveEnabled,
      tier,
      time_zone: timeZone,
      freeze,
      frozen_until: frozenUntil,
      created_at: timeOf(id),
    };
  }
}

export class PlatformAccountsDto {
  data: PlatformAccountDto[];
  next_cursor: string | null;
}

/** Sums may be more than a number holds: the text says them. */
export class AccountMoneyDto {
  livemode: boolean;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  count: number;
  amount_display: string;

  static of(this: void, { livemode, currency, count, amount }: AccountMoney): AccountMoneyDto {
    return { livemode, currency, count, amount_display: displayMoney({ amount: BigInt(amount), currency }) };
  }
}

export interface AccountMoney {
  readonly livemode: boolean;
  readonly currency: Currency;
  readonly count: number;
  readonly amount: string;
}

export class AccountPersonDto {
  /** Null: invited, and not there yet. */
  user_id: string | null;
  name: string | null;
  email: string;
  role: string;
  operator: boolean;
  /** Not ended. */
  sessions: number;
  last_seen_at: Date | null;
}

export class AccountKeysDto {
  livemode: boolean;
  /** That work. */
  count: number;
}

/** An account with what it has. */
export class AccountStoryDto {
  account: PlatformAccountDto;
  /** What is in its wallets, that are open, with what is held. */
  wallets: AccountMoneyDto[];
  /** Of 30 days: what succeeded, without transfers, conversions and reversals. */
  volume: AccountMoneyDto[];
  people: AccountPersonDto[];
  keys: AccountKeysDto[];
}

export class EndSessionsDto {
  /** Why: goes to the audit log of the account. */
  @Text(REASON_MAX)
  reason: string;
}
