import { ApiProperty } from '@nestjs/swagger';
import { field, OneOf, Text } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { DateTime, Flag, PageQuery } from '../../core/http/query-fields';
import type { KeptExchange } from '../../core/request-log/kept';

const STATUS = /^[1-5](?:\d\d|xx)$/;

/** Which requests are meant. */
export class RequestLogsQuery extends PageQuery {
  @field(
    {
      type: 'string',
      pattern: STATUS.source,
      maxLength: 3,
      description: 'A status, or a class of them: `404`, `4xx`.',
    },
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

  /** A part of the path. */
  @Text(300, { optional: true })
  path?: string;

  @Text(64, { optional: true })
  key_id?: string;

  /** As the log has it: `/v4/airtime/purchase`, `/v4/wallets/:id`. */
  @Text(300, { optional: true })
  route?: string;

  @Text(64, { optional: true })
  error_code?: string;

  /** 30 days ago when absent. */
  @DateTime({ optional: true })
  created_gte?: Date;

  @DateTime({ optional: true })
  created_lt?: Date;
}

export class RequestLogQuery extends RequestLogsQuery {
  @Flag()
  livemode: boolean = false;

  /** Those of the account's programs unless it says `dashboard`. */
  @OneOf(['programs', 'dashboard'], { optional: true })
  by?: string;

  /** Only the request that made this: the id of a transaction, a payment or anything else. */
  @Text(64, { optional: true })
  made?: string;
}

/** A body as it was kept: JSON, or the first 4,096 characters of it and `…`. */
const ANY_JSON: Record<string, unknown>[] = [
  { type: 'object', additionalProperties: true },
  { type: 'array', items: {}, maxItems: 4_096 },
  { type: 'string', maxLength: 4_097 },
];

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
  @ApiProperty({ oneOf: ANY_JSON, nullable: true, description: 'Redacted; text when it was cut.' })
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

/** A body that was cut is no JSON any more: shown as text, as are numbers and the like. */
function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' || typeof value === 'string' ? value : body;
  } catch {
    return `${body}…`;
  }
}

/** As it is stored. */
export interface RequestRow extends Omit<LoggedRequestDto, 'request_body' | 'created_at'> {
  readonly request_body: string | null;
}

export class LoggedRequestListDto extends ListOf(LoggedRequestDto) {}

/** A request with what went to and fro. */
export class RequestExchangeDto extends LoggedRequestDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    description: 'Without keys and cookies; only of requests that failed.',
  })
  request_headers: Readonly<Record<string, string>> | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  answer_headers: Readonly<Record<string, string>> | null;
  @ApiProperty({
    oneOf: ANY_JSON,
    nullable: true,
    description: 'The problem that was answered, redacted; text when it was cut.',
  })
  answer: unknown;
  /** For how many days headers and answers are kept. */
  answer_days: number;

  static with({ exchange, ...row }: ExchangedRequest, answerDays: number): RequestExchangeDto {
    return {
      ...LoggedRequestDto.of(row),
      request_headers: exchange?.request_headers ?? null,
      answer_headers: exchange?.answer_headers ?? null,
      answer: exchange?.answer ? parsed(exchange.answer) : null,
      answer_days: answerDays,
    };
  }
}

/** The same, as the public API shows it. */
export class RequestLogDto extends RequestExchangeDto {
  @ApiProperty({ enum: ['request_log'] })
  object: 'request_log';

  livemode: boolean;

  static shown(livemode: boolean, row: ExchangedRequest, answerDays: number): RequestLogDto {
    return { ...RequestExchangeDto.with(row, answerDays), object: 'request_log', livemode };
  }
}

export class RequestLogListDto extends ListOf(RequestLogDto) {}

/** A request, what was answered, and what it made. */
export class RequestDetailDto extends RequestExchangeDto {
  /** Ids of what it made or changed. */
  made: string[];
}

/** A request with what is kept of both sides. */
export interface ExchangedRequest extends RequestRow {
  readonly exchange: KeptExchange | null;
}

/** A request with all that is known of it. */
export interface RequestStory extends ExchangedRequest {
  readonly made: string[];
}

/** How requests went. */
export class RequestCountsDto {
  requests: number;
  /** Answered with 4xx, or not waited for. */
  refused: number;
  /** Answered with 5xx. */
  failed: number;
  /** 95 % were answered within; null where there are none. */
  p95_ms: number | null;
}

export class RequestSpanDto extends RequestCountsDto {
  from: Date;
}

export class RequestFiguresDto {
  all: RequestCountsDto;
  @ApiProperty({ type: [RequestSpanDto] })
  spans: RequestSpanDto[];
  /** Only the newest 100,000 were counted. */
  capped: boolean;
}

export type RequestCounts = Readonly<RequestCountsDto>;
export type RequestFigures = RequestFiguresDto;

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
