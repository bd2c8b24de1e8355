import { bulkInsert, type RowOf, type Write } from '../database/bulk';
import { newIdOf } from '../http/ids';
import type { IdPrefix } from '../../vocabulary/id-prefixes';
import type { EventType } from '../../vocabulary/event-types';

/** Where an event came from; sent with it so that a receiver can match it to the call it made. */
export interface EventOrigin {
  /** Request uuid. */
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

/** Of what no request asked for. */
export const NO_ORIGIN: EventOrigin = { requestId: null, idempotencyKey: null };

export interface NewEvent {
  /** Account that is told. */
  readonly accountId: string;
  readonly livemode: boolean;
  readonly type: EventType;
  /** What the event is about: read again when the event is shown or sent. */
  readonly objectType: IdPrefix;
  readonly objectId: string;
  /** Fields as they stood at the event, where they may differ from those of the object today. */
  readonly snapshot?: object;
  readonly origin: EventOrigin;
}

const COLUMNS = {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  type: 'text',
  object_type: 'text',
  object_id: 'uuid',
  snapshot: 'json?',
  request_id: 'uuid?',
  idempotency_key: 'text?',
} as const;

const insertEvent = bulkInsert('events', COLUMNS);
const insertSample = bulkInsert('events', { ...COLUMNS, is_sample: 'boolean' }, 'insert_sample_events');

/** An event as a write of the transaction that it announces: rolled back with it, committed with it. */
export const eventWrite = (event: NewEvent): Write => insertEvent.row(rowOf(event));

/** An event of something that did not happen, under an id of its own: only for test mode. */
export const sampleEventWrite = (event: NewEvent, id: string): Write =>
  insertSample.row({ ...rowOf(event), id, is_sample: true });

const rowOf = (event: NewEvent): RowOf<typeof COLUMNS> => ({
  account_id: event.accountId,
  livemode: event.livemode,
  id: newIdOf(event.accountId),
  type: event.type,
  object_type: event.objectType,
  object_id: event.objectId,
  snapshot: event.snapshot ?? null,
  request_id: event.origin.requestId,
  idempotency_key: event.origin.idempotencyKey,
});
