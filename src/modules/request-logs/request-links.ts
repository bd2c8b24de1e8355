import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { decodeId, encodeId, lowestIdAt, timeOf } from '../../core/http/ids';
import { EventLog } from '../../core/outbox/event-log';
import type { Viewer } from '../../core/resources/resources';
import type { IdPrefix } from '../../vocabulary/id-prefixes';

/** What has the request that made it on its record: not all of it is told of by an event when it is made. */
const RECORDS = {
  pay: 'payments',
  rfd: 'refunds',
  crd: 'cards',
  cus: 'customers',
  bat: 'batches',
  rpt: 'reports',
} as const satisfies Partial<Record<IdPrefix, string>>;

/** Ids begin with the time: of an account's, those made meanwhile are few. */
const SELECT_MADE = Object.entries(RECORDS)
  .map(
    ([prefix, table]) =>
      `SELECT '${prefix}' AS type, id FROM ${table}
        WHERE account_id = $1 AND livemode = $2 AND id >= $3 AND id < $4 AND request_id = $5`,
  )
  .join(' UNION ALL ');

const isRecord = (prefix: string): prefix is keyof typeof RECORDS => Object.hasOwn(RECORDS, prefix);

/** Clocks of two processes may differ a little. */
const SLACK_MS = 1_000;
/** What is told of a request long after it, such as what a provider answered later, is found at what it made. */
const AFTERMATH_MS = 60_000;

/** Which request made what. */
@Injectable()
export class RequestLinks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventLog,
  ) {}

  /** Public ids of what a request made or changed while it ran, or soon after. */
  async madeBy(viewer: Viewer, requestId: string, durationMs: number): Promise<string[]> {
    const began = timeOf(requestId).getTime();
    const during: [Date, Date] = [new Date(began - SLACK_MS), new Date(began + durationMs + AFTERMATH_MS)];
    const [records, changed] = await Promise.all([
      this.dataSource.query<{ type: IdPrefix; id: string }[]>(SELECT_MADE, [
        viewer.accountId,
        viewer.livemode,
        ...during.map(lowestIdAt),
        requestId,
      ]),
      this.events.changedBy(viewer, requestId, during),
    ]);
    const ids = [
      ...records.map(({ type, id }) => encodeId(type, id)),
      ...changed.map(({ objectType, objectId }) => encodeId(objectType, objectId)),
    ];
    return [...new Set(ids)];
  }

  /** Uuid of the request that made something, by the public id of that; null when no request did. */
  async thatMade(viewer: Viewer, publicId: string): Promise<string | null> {
    const prefix = publicId.slice(0, Math.max(publicId.indexOf('_'), 0));
    const id = decodeId(prefix as IdPrefix, publicId);
    if (id === null) return null;
    if (isRecord(prefix)) {
      const [record]: { request_id: string | null }[] = await this.dataSource.query(
        `SELECT request_id FROM ${RECORDS[prefix]} WHERE account_id = $1 AND livemode = $2 AND id = $3`,
        [viewer.accountId, viewer.livemode, id],
      );
      return record?.request_id ?? null;
    }
    const at = timeOf(id).getTime();
    const events = await this.events.about(viewer, [id], [new Date(at - SLACK_MS), new Date(at + AFTERMATH_MS)]);
    return events.find(({ requestId }) => requestId !== null)?.requestId ?? null;
  }
}
