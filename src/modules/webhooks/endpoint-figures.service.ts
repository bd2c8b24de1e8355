import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sumsBySpan } from '../../core/database/spans';
import { lowestIdAt, timeOf } from '../../core/http/ids';
import type { Viewer } from '../../core/resources/resources';
import type { AttemptCode } from './delivery/webhook-delivery.entity';
import { EndpointsService } from './endpoints.service';

/** Attempts by span of time: account, mode, endpoint, first ids of the spans, oldest first. All is in one index. */
const SELECT_SPANS = sumsBySpan(
  `SELECT width_bucket(id, $4::uuid[]) - 1 AS span, duration_ms, count(*) AS count,
          count(*) FILTER (WHERE code = 'ok') AS ok
     FROM webhook_attempts
    WHERE account_id = $1 AND livemode = $2 AND endpoint_id = $3 AND id >= ($4::uuid[])[1] AND code <> 'not_made'
    GROUP BY 1, 2`,
  { count: 'attempts', ok: 'successful' },
  { p50Ms: 0.5, p95Ms: 0.95 },
);

const SELECT_LAST_FAILURE = `
  SELECT id, delivery_id AS "deliveryId", number, code, http_status AS "httpStatus", duration_ms AS "durationMs",
         response_body AS "responseBody"
    FROM webhook_attempts
   WHERE account_id = $1 AND livemode = $2 AND endpoint_id = $3 AND code NOT IN ('ok', 'not_made')
   ORDER BY id DESC LIMIT 1`;

/** Attempts of a span of time. */
export interface Figures {
  readonly attempts: number;
  readonly successful: number;
  /** Null where nothing was attempted. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface SpanFigures extends Figures {
  readonly from: Date;
}

export interface LastFailure {
  readonly at: Date;
  readonly deliveryId: string;
  readonly number: number;
  readonly code: AttemptCode;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly responseBody: string | null;
}

export interface EndpointFigures {
  readonly all: Figures;
  /** Those without an attempt too, oldest first. */
  readonly spans: readonly SpanFigures[];
}

type FailureRow = Omit<LastFailure, 'at'> & { readonly id: string };
type SpanRow = Figures & { readonly span: number };

const NONE: Figures = { attempts: 0, successful: 0, p50Ms: null, p95Ms: null };

/** How deliveries to an endpoint have been going. */
@Injectable()
export class EndpointFiguresService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: EndpointsService,
  ) {}

  /** `begins`: of the spans, oldest first. Throws `NotFound`. */
  async of(viewer: Viewer, id: string | null, begins: readonly Date[]): Promise<EndpointFigures> {
    const { id: endpointId } = await this.endpoints.require(viewer, id);
    const key = [viewer.accountId, viewer.livemode, endpointId];
    const rows: SpanRow[] = await this.dataSource.query(SELECT_SPANS, [...key, begins.map(lowestIdAt)]);
    const bySpan = new Map(rows.map(({ span, ...figures }) => [span, figures]));
    return {
      all: bySpan.get(-1) ?? NONE,
      spans: begins.map((from, span) => ({ from, ...(bySpan.get(span) ?? NONE) })),
    };
  }

  /** Of whatever time; null: none. */
  async lastFailure({ accountId, livemode }: Viewer, id: string | null): Promise<LastFailure | null> {
    if (id === null) return null;
    const [failed]: FailureRow[] = await this.dataSource.query(SELECT_LAST_FAILURE, [accountId, livemode, id]);
    return failed ? { ...failed, at: timeOf(failed.id) } : null;
  }
}
