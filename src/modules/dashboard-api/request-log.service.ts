import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { decodeId, HIGHEST_ID, lowestIdAt } from '../../core/http/ids';
import type { Viewer } from '../../core/resources/resources';
import { type ErrorRow, type RequestRow, SELECT_ERRORS, SELECT_REQUESTS } from './request-log.queries';

export interface RequestFilters {
  /** `404`, or a class: `4xx`. */
  readonly status?: string;
  readonly method?: string;
  /** Beginning of the path. */
  readonly path?: string;
  /** Public id. */
  readonly key_id?: string;
  readonly created_gte?: Date;
  readonly created_lt?: Date;
}

const DAY_MS = 24 * 3_600_000;
/** How far back is looked where nothing is said. */
const REQUESTS_MS = 30 * DAY_MS;
const ERRORS_MS = 7 * DAY_MS;

/** Reads the log of requests to the public API. */
@Injectable()
export class RequestLogService {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first, below the uuid `before`. */
  async list(
    { accountId, livemode }: Viewer,
    filters: RequestFilters,
    before: string | null,
    take: number,
  ): Promise<RequestRow[]> {
    const keyId = filters.key_id === undefined ? null : decodeId('key', filters.key_id);
    if (keyId === null && filters.key_id !== undefined) return [];
    const until = filters.created_lt === undefined ? HIGHEST_ID : lowestIdAt(filters.created_lt);
    const from = lowestIdAt(filters.created_gte ?? new Date(Date.now() - REQUESTS_MS));
    return this.dataSource.query(SELECT_REQUESTS, [
      accountId,
      livemode,
      before !== null && before < until ? before : until,
      from,
      ...statusesOf(filters.status),
      filters.method ?? null,
      filters.path ?? null,
      keyId,
      take,
    ]);
  }

  /** What failed in the last week, the most frequent first. */
  errors({ accountId, livemode }: Viewer): Promise<ErrorRow[]> {
    return this.dataSource.query(SELECT_ERRORS, [accountId, livemode, lowestIdAt(new Date(Date.now() - ERRORS_MS))]);
  }
}

/** First and last status that is meant. */
function statusesOf(status: string | undefined): [number | null, number | null] {
  if (status === undefined) return [null, null];
  const [first, last] = [status.replaceAll('x', '0'), status.replaceAll('x', '9')];
  return [Number(first), Number(last)];
}
