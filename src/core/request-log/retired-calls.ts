import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { lowestIdAt, timeOf } from '../http/ids';
import { RETIRED, type Retirement } from '../http/route-markers';

const DAY_MS = 24 * 3_600_000;

const SELECT_CALLERS = `
  SELECT account_id AS "accountId", livemode, key_id AS "keyId", count(*)::integer AS calls, max(id::text) AS "lastId"
    FROM request_log
   WHERE id >= $1 AND method = $2 AND route = $3 AND ($4::text IS NULL OR strpos(request_body, $4) > 0)
   GROUP BY account_id, livemode, key_id ORDER BY calls DESC`;

interface CallerRow {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly keyId: string | null;
  readonly calls: number;
  readonly lastId: string;
}

/** Somebody who still uses what is retired. */
export interface RetiredCaller extends Omit<CallerRow, 'lastId'> {
  readonly lastAt: Date;
}

export interface RetiredRoute extends Retirement {
  readonly method: string;
  readonly route: string;
}

/** What is retired, and who still calls it, by the request log. */
@Injectable()
export class RetiredCalls {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly dataSource: DataSource,
  ) {}

  async list(days: number): Promise<(RetiredRoute & { callers: RetiredCaller[] })[]> {
    const from = lowestIdAt(new Date(Date.now() - days * DAY_MS));
    return Promise.all(this.routes().map(async (route) => ({ ...route, callers: await this.callersOf(route, from) })));
  }

  private async callersOf({ method, route, field }: RetiredRoute, from: string): Promise<RetiredCaller[]> {
    const rows: CallerRow[] = await this.dataSource.query(SELECT_CALLERS, [
      from,
      method,
      route,
      field === undefined ? null : `"${field}":`,
    ]);
    return rows.map(({ lastId, ...caller }) => ({ ...caller, lastAt: timeOf(lastId) }));
  }

  private routes(): RetiredRoute[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const prototype = (metatype?.prototype ?? null) as Record<string, () => unknown> | null;
      const names = prototype === null ? [] : this.scanner.getAllMethodNames(prototype);
      return names.flatMap((name) => {
        const handler = prototype![name]!;
        const retirement = this.reflector.get<Retirement | undefined>(RETIRED, handler);
        if (retirement === undefined) return [];
        const paths = [
          this.reflector.get<string>(PATH_METADATA, metatype as () => unknown),
          this.reflector.get<string>(PATH_METADATA, handler),
        ];
        const route = `/${paths
          .flatMap((path) => path.split('/'))
          .filter(Boolean)
          .join('/')}`;
        return [
          { ...retirement, method: RequestMethod[this.reflector.get<RequestMethod>(METHOD_METADATA, handler)], route },
        ];
      });
    });
  }
}
