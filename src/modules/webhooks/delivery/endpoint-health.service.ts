import { Injectable } from '@nestjs/common';
import { arrayParam, unnested } from '../../../core/database/bulk';
import { MetricReads } from '../../../core/database/metric-reads';
import { type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import { encodeId } from '../../../core/http/ids';
import { sample, sampledGauges } from '../../../core/metrics/metrics';
import type { EventType } from '../../../vocabulary/event-types';
import { eventWrite, NO_ORIGIN } from '../../../core/outbox/outbox';
import { endpointSnapshot } from '../endpoints/endpoint.dto';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import { refusalOf } from './outcome';
import type { Attempted } from './webhook-sender.service';

const HOUR_MS = 3_600_000;
/** So long without a success, with failures this far apart, and an endpoint is disabled. */
const PATIENCE_MS = 5 * 24 * HOUR_MS;
const APART_MS = 12 * HOUR_MS;
/** Percents of the patience after which its account is warned. */
const WARNINGS = [90, 50] as const;
/** A success is noted again only after so long: each note is a write of the same row. */
const NOTED_MS = 60_000;

/** Rows that are counted for metrics. */
const COUNTED_MAX = 20_000;
const ENDPOINTS_SHOWN = 10;

/** How many are due, for how long the first of them is, and how many that are not done the busiest endpoints have. */
const LAG = `
  WITH waiting AS MATERIALIZED (
    SELECT endpoint_id, livemode, next_attempt_at FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
     ORDER BY next_attempt_at LIMIT ${COUNTED_MAX})
  SELECT count(*) FILTER (WHERE next_attempt_at <= now())::integer AS due,
         extract(epoch FROM now() - least(now(), min(next_attempt_at)))::float8 AS seconds,
         (SELECT coalesce(json_agg(b), '[]') FROM (
            SELECT endpoint_id AS id, livemode, count(*)::integer AS deliveries FROM waiting
             GROUP BY endpoint_id, livemode ORDER BY 3 DESC LIMIT ${ENDPOINTS_SHOWN}) b) AS busiest
    FROM waiting`;

interface Lag {
  readonly due: number;
  readonly seconds: number | null;
  readonly busiest: readonly { readonly id: string; readonly livemode: boolean; readonly deliveries: number }[];
}

const provideLag = sampledGauges({
  webhook_queue_lag_seconds: {
    help:
      'How long the delivery that is due for the longest time has waited; also those that an endpoint has no place ' +
      'for.',
  },
  webhook_deliveries_due: { help: `Deliveries whose next attempt is due, up to ${COUNTED_MAX}.` },
  webhook_endpoint_backlog: {
    help: `Deliveries that are not done, of the ${ENDPOINTS_SHOWN} endpoints that have the most.`,
    labelNames: ['endpoint', 'livemode'],
  },
});

/** A delivery with what was known of its endpoint when it was claimed. */
interface Sent extends Pick<
  WebhookEndpoint,
  'accountId' | 'livemode' | 'failingSince' | 'lastSuccessAt' | 'isDown' | 'updatedAt'
> {
  readonly endpointId: string;
  readonly isReplay: boolean;
}

/** An attempt, as far as it says something of its endpoint. */
interface Sign {
  readonly claimed: Sent;
  readonly attempted: Attempted | null;
  readonly at: Date;
}

interface State {
  readonly failingSince: Date;
  /** The failure before this one. */
  readonly lastFailureAt: Date | null;
  readonly warnedPercent: number;
}

interface Recovery {
  readonly wasDown: boolean;
  /** Null: it was disabled, and enabled since. */
  readonly failingSince: Date | null;
}

/** An endpoint that was changed since an attempt began. */
interface Later {
  /** Neither disabled nor deleted. */
  readonly isOn: boolean;
}

const LATEST = `
  SELECT w.id, w.updated_at AS "updatedAt", w.status = 'enabled' AND w.deleted_at IS NULL AS "isOn"
    FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v
    JOIN webhook_endpoints w USING (account_id, livemode, id)
   ORDER BY w.id FOR UPDATE OF w`;

const KEY = 'account_id = $1 AND livemode = $2 AND id = $3';

const LOCK = `
  SELECT coalesce(failing_since, $4) AS "failingSince", last_failure_at AS "lastFailureAt",
         warned_percent AS "warnedPercent"
    FROM webhook_endpoints WHERE ${KEY} AND status = 'enabled' FOR UPDATE`;
/** Whether it was down before: of those that succeed at a time, one is told so. */
const SUCCEEDED = `
  WITH before AS (
    SELECT is_down AND status = 'enabled' AS was_down, failing_since FROM webhook_endpoints WHERE ${KEY} FOR UPDATE
  )
  UPDATE webhook_endpoints
     SET last_success_at = $4, failing_since = NULL, last_failure_at = NULL, warned_percent = 0,
         is_down = is_down AND NOT was_down, version = version + 1
    FROM before WHERE ${KEY} RETURNING was_down AS "wasDown", before.failing_since AS "failingSince"`;
const FAILED = `
  UPDATE webhook_endpoints SET failing_since = $4, last_failure_at = $5, warned_percent = $6,
         is_down = is_down OR $6 > 0,
         version = version + 1
   WHERE ${KEY}`;
const DISABLE = `
  UPDATE webhook_endpoints
     SET status = 'disabled', disabled_reason = $4, disabled_at = $5, is_down = true,
         version = version + 1, updated_at = now()
   WHERE ${KEY} AND status = 'enabled' RETURNING 1`;

/** Learns from attempts which endpoints are gone, tells their account in time, disables them. Replays say nothing. */
@Injectable()
export class EndpointHealth {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly metrics: MetricReads,
  ) {
    provideLag(() => this.lag());
  }

  /** Whether an attempt changes what is known of its endpoint. */
  isChanging({ claimed, attempted, at }: Sign): boolean {
    if (claimed.isReplay || attempted === null || attempted.code === 'not_made') return false;
    if (attempted.code !== 'ok' || refusalOf(attempted) !== null || claimed.failingSince !== null || claimed.isDown)
      return true;
    return claimed.lastSuccessAt === null || at.getTime() - claimed.lastSuccessAt.getTime() >= NOTED_MS;
  }

  /**
   * Locks the endpoints. Signs that came late: their endpoint has moved since, was enabled or disabled, changed or
   * deleted, and they say nothing of it as it is now.
   */
  async late<S extends Sign>(tx: Tx, signs: readonly S[]): Promise<Map<S, Later>> {
    const keys = [...new Map(signs.map(({ claimed }) => [claimed.endpointId, claimed])).values()];
    const latest: (Pick<WebhookEndpoint, 'id' | 'updatedAt'> & Later)[] = await tx.query(LATEST, [
      arrayParam(
        'uuid',
        keys.map(({ accountId }) => accountId),
      ),
      arrayParam(
        'boolean',
        keys.map(({ livemode }) => livemode),
      ),
      arrayParam(
        'uuid',
        keys.map(({ endpointId }) => endpointId),
      ),
    ]);
    const byId = new Map(latest.map((endpoint) => [endpoint.id, endpoint]));
    const isLate = ({ endpointId, updatedAt }: Sent): boolean =>
      byId.get(endpointId)!.updatedAt.getTime() !== updatedAt.getTime();
    return new Map(
      signs.filter(({ claimed }) => isLate(claimed)).map((sign) => [sign, byId.get(sign.claimed.endpointId)!]),
    );
  }

  async record(tx: Tx, signs: readonly Sign[]): Promise<void> {
    const counted = signs.filter((sign) => this.isChanging(sign));
    const byEndpoint = [...Map.groupBy(counted, ({ claimed }) => claimed.endpointId)].sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    for (const [, ofOne] of byEndpoint) await this.judge(tx, ofOne);
  }

  private async judge(tx: Tx, signs: readonly Sign[]): Promise<void> {
    const refused = signs.find(({ attempted }) => refusalOf(attempted!) !== null);
    if (refused !== undefined) return this.disable(tx, refused, refusalOf(refused.attempted!)!);
    const success = signs.findLast(({ attempted }) => attempted!.code === 'ok');
    if (success !== undefined) return this.succeeded(tx, success);
    return this.failed(tx, signs.at(-1)!);
  }

  private async succeeded(tx: Tx, { claimed, at }: Sign): Promise<void> {
    const [[state]]: [(Recovery | undefined)[], number] = await tx.query(SUCCEEDED, [...keyOf(claimed), at]);
    if (state?.wasDown)
      await this.tell(tx, claimed, 'webhook_endpoint.recovered', { failed_since: state.failingSince });
  }

  private async failed(tx: Tx, sign: Sign): Promise<void> {
    const { claimed, at } = sign;
    const [state]: (State | undefined)[] = await tx.query(LOCK, [...keyOf(claimed), at]);
    // Disabled meanwhile.
    if (state === undefined) return;
    const sinceMs = at.getTime() - state.failingSince.getTime();
    const isApart = (state.lastFailureAt?.getTime() ?? 0) - state.failingSince.getTime() >= APART_MS;
    if (sinceMs >= PATIENCE_MS && isApart) return this.disable(tx, sign, 'failing');
    const percent = WARNINGS.find((warning) => sinceMs >= (PATIENCE_MS * warning) / 100) ?? 0;
    const isNew = percent > state.warnedPercent;
    await tx.query(FAILED, [...keyOf(claimed), state.failingSince, at, Math.max(percent, state.warnedPercent)]);
    if (isNew) await this.tell(tx, claimed, 'webhook_endpoint.failing', { failing_since: state.failingSince, percent });
  }

  private async disable(tx: Tx, { claimed, at }: Sign, reason: string): Promise<void> {
    const [changed]: [unknown[], number] = await tx.query(DISABLE, [...keyOf(claimed), reason, at]);
    if (changed.length > 0) await this.tell(tx, claimed, 'webhook_endpoint.disabled', { previous_status: 'enabled' });
  }

  private async tell(tx: Tx, { accountId, livemode, endpointId }: Sent, type: EventType, more: object): Promise<void> {
    const endpoint = await tx.findOneByOrFail(WebhookEndpoint, { accountId, livemode, id: endpointId });
    const snapshot = { ...endpointSnapshot(endpoint), ...more };
    await this.uow.write(tx, [
      eventWrite({ accountId, livemode, type, objectType: 'whk', objectId: endpointId, snapshot, origin: NO_ORIGIN }),
    ]);
  }

  private async lag() {
    const { due, seconds, busiest } = await this.metrics.row<Lag & Record<string, unknown>>(LAG);
    return {
      webhook_queue_lag_seconds: sample(seconds ?? 0),
      webhook_deliveries_due: sample(due),
      webhook_endpoint_backlog: busiest.map(({ id, livemode, deliveries }) => ({
        labels: { endpoint: encodeId('whk', id), livemode: String(livemode) },
        value: deliveries,
      })),
    };
  }
}

const keyOf = ({ accountId, livemode, endpointId }: Sent) => [accountId, livemode, endpointId];
