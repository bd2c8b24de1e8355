import { ApiProperty } from '@nestjs/swagger';
import { field, OneOf, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { DateTime, Flag, PageQuery } from '../../../core/http/query-fields';
import { type Currency, AMOUNT_MAX, displayMoney, toJsonNumber } from '../../../core/money/money';
import type { WalletsService } from '../../wallets/wallets.service';
import type { AuditRecord } from '../audit.service';
import type { Day } from './overview.service';

/** Test mode where nothing is said. */
export class ModeQuery {
  @Flag()
  livemode: boolean = false;
}

type Wallet = Awaited<ReturnType<WalletsService['list']>>[number];

export class OverviewWalletDto {
  id: string;
  currency: string;
  label: string | null;
  status: string;
  available: number;
  held: number;
  available_display: string;
  held_display: string;

  static of(this: void, { id, currency, label, status, available, held }: Wallet): OverviewWalletDto {
    return {
      id: encodeId('wal', id),
      currency,
      label,
      status,
      available: toJsonNumber(available),
      held: toJsonNumber(held),
      available_display: displayMoney({ amount: available, currency }),
      held_display: displayMoney({ amount: held, currency }),
    };
  }
}

/** Transactions of a day in one currency. */
export class OverviewDayDto {
  day: string;
  currency: string;
  count: number;
  successful: number;
  /** Null: more than a number holds; the text says it. */
  amount_in: number | null;
  amount_in_display: string;
  /** Likewise. */
  amount_out: number | null;
  amount_out_display: string;

  static of(this: void, { day, currency, count, successful, amount_in, amount_out }: Day): OverviewDayDto {
    const [sumIn, sumOut] = [BigInt(amount_in), BigInt(amount_out)];
    return {
      day: day.toISOString().slice(0, 10),
      currency,
      count,
      successful,
      amount_in: numberOf(sumIn),
      amount_in_display: displayMoney({ amount: sumIn, currency: currency as Currency }),
      amount_out: numberOf(sumOut),
      amount_out_display: displayMoney({ amount: sumOut, currency: currency as Currency }),
    };
  }
}

/** Many amounts that each are a JSON number may sum to more than one. */
const numberOf = (sum: bigint): number | null => (sum > AMOUNT_MAX ? null : toJsonNumber(sum));

/** What a newcomer has done already. */
export class ChecklistDto {
  has_key: boolean;
  has_transfer: boolean;
  has_webhook: boolean;
  has_delivery: boolean;
  totp_enabled: boolean;
  live_enabled: boolean;
}

/** An account at a glance. */
export class OverviewDto {
  wallets: OverviewWalletDto[];
  days: OverviewDayDto[];
  /** Of what ended in the last 30 days; null when nothing did. */
  success_rate: number | null;
  checklist: ChecklistDto;
}

export class SearchQuery extends ModeQuery {
  @Text(128)
  q: string;
}

export class FoundDto {
  id: string;
  /** `transaction`, `wallet`, … as in the field `object`. */
  type: string;
}

export class FoundListDto {
  data: FoundDto[];
}

/** An entry that a transaction wrote into the account's own books. */
export class TransactionEntryDto {
  id: string;
  /** Null for a card. */
  wallet_id: string | null;
  @ApiProperty({ enum: ['wallet', 'card'] })
  account: 'wallet' | 'card';
  @ApiProperty({ enum: ['available', 'held'] })
  bucket: 'available' | 'held';
  /** Signed minor units. */
  amount: number;
  currency: string;
  amount_display: string;
  balance_after: number;
  created_at: Date;
}

export class TransactionEntriesDto {
  data: TransactionEntryDto[];
}

const STATUS = /^[1-5](?:\d\d|xx)$/;

export class RequestLogQuery extends PageQuery {
  @Flag()
  livemode: boolean = false;

  @field(
    { type: 'string' },
    [
      {
        name: 'status',
        says: 'must be a status like 404, or a class like 4xx',
        holds: (value) => typeof value === 'string' && STATUS.test(value),
      },
    ],
    { optional: true },
  )
  status?: string;

  @OneOf(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], { optional: true })
  method?: string;

  @Text(300, { optional: true })
  path?: string;

  @Text(64, { optional: true })
  key_id?: string;

  @DateTime({ optional: true })
  created_gte?: Date;

  @DateTime({ optional: true })
  created_lt?: Date;
}

/** A request to the public API. */
export class LoggedRequestDto {
  id: string;
  method: string;
  path: string;
  route: string;
  /** 499: the client did not wait for the answer. */
  status: number;
  /** What was answered when nobody waited for it; else null. */
  handled_status: number | null;
  duration_ms: number;
  key_id: string | null;
  key_last4: string | null;
  replayed: boolean;
  error_code: string | null;
  ip: string | null;
  user_agent: string | null;
  @ApiProperty({
    oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }],
    nullable: true,
    description: 'Redacted; text when it was cut.',
  })
  request_body: unknown;
  created_at: Date;

  static of(this: void, row: RequestRow): LoggedRequestDto {
    return {
      ...row,
      id: encodeId('req', row.id),
      key_id: row.key_id && encodeId('key', row.key_id),
      request_body: row.request_body && parsed(row.request_body),
      created_at: timeOf(row.id),
    };
  }
}

/** A body that was cut is no JSON any more: shown as text. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return `${body}…`;
  }
}

/** As it is stored. */
export interface RequestRow extends Omit<LoggedRequestDto, 'request_body' | 'created_at'> {
  readonly request_body: string | null;
}

export class LoggedRequestListDto extends ListOf(LoggedRequestDto) {}

/** Requests that failed alike. */
export class ErrorGroupDto {
  method: string;
  route: string;
  status: number;
  error_code: string | null;
  count: number;
  last_at: Date;

  static of(this: void, { last_id: lastId, ...row }: ErrorRow): ErrorGroupDto {
    return { ...row, last_at: timeOf(lastId) };
  }
}

/** As they are counted. */
export interface ErrorRow extends Omit<ErrorGroupDto, 'last_at'> {
  readonly last_id: string;
}

export class ErrorGroupsDto {
  data: ErrorGroupDto[];
}

/** What somebody did at the dashboard. */
export class AuditEntryDto {
  id: string;
  user_id: string | null;
  actor: string;
  action: string;
  target: string | null;
  ip: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true })
  detail: object;
  at: Date;

  static of(this: void, { id, userId, actor, action, target, ip, detail }: AuditRecord): AuditEntryDto {
    return {
      id: encodeId('aud', id),
      user_id: userId && encodeId('usr', userId),
      actor,
      action,
      target,
      ip,
      detail,
      at: timeOf(id),
    };
  }
}

export class AuditEntryListDto extends ListOf(AuditEntryDto) {}

export class EndpointSecretDto {
  secret: string;
}

/** What is masked of a purchase elsewhere: meter tokens and PINs. */
export class RevealedDto {
  @ApiProperty({ type: 'object', additionalProperties: true })
  details: object;
}
