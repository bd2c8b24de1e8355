import { field, OneOf, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { DateTime } from '../../../core/http/query-fields';
import { ModePageQuery } from '../mode.dto';
import type { ErrorRow, RequestFilters, RequestRow } from './request-log.service';

const STATUS = /^[1-5](?:\d\d|xx)$/;

export class RequestLogQuery extends ModePageQuery implements RequestFilters {
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

export interface LoggedRequestDto extends Omit<RequestRow, 'request_body'> {
  readonly request_body: unknown;
  readonly created_at: Date;
}

export const presentRequest = (row: RequestRow): LoggedRequestDto => ({
  ...row,
  id: encodeId('req', row.id),
  key_id: row.key_id && encodeId('key', row.key_id),
  request_body: row.request_body && parsed(row.request_body),
  created_at: timeOf(row.id),
});

export const presentError = ({ last_id: lastId, ...row }: ErrorRow) => ({ ...row, last_at: timeOf(lastId) });

/** A body that was cut is no JSON any more: shown as text. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return `${body}…`;
  }
}
