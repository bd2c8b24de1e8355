import type { KeyObject } from 'node:crypto';
import type { EventType } from '../../core/outbox/event-types';

/** What an endpoint listens to: a type of event, all of a resource (`card.*`), or everything (`*`). */
export type EventPattern = EventType | `${string}.*` | '*';

/** `retrying`: at least one attempt failed. `disabled`: the endpoint was, when the event came. `aborted`: the receiver asked for it. */
export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'exhausted', 'disabled', 'aborted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What is posted, complete but for its destination. */
export interface Message {
  /** Public id of the event: the receiver drops repeats by it. */
  readonly id: string;
  readonly type: string;
  /** JSON, signed as it is. */
  readonly body: string;
  /** Signing keys, the newest first: during a rotation both sign. */
  readonly secrets: readonly KeyObject[];
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly traceparent: string | null;
}

/** Where it goes, and what is allowed of it. */
export interface Destination {
  readonly url: string;
  readonly livemode: boolean;
}

/** Why an attempt failed, in words that do not tell open ports from closed ones. */
export type AttemptCode =
  | 'ok'
  | 'http_error'
  | 'redirect'
  | 'gone'
  | 'rate_limited'
  | 'timeout'
  | 'connection_failed'
  | 'address_refused'
  | 'url_refused'
  /** Nothing was sent, and it is no fault of the receiver's: what the event is about cannot be shown. */
  | 'not_made';

/** What came of one attempt. */
export interface Attempted {
  readonly code: AttemptCode;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** At most 16 kB; null when there was none. */
  readonly responseBody: string | null;
  /** `Retry-After` of a 429 or 503, in seconds. */
  readonly retryAfterSeconds: number | null;
  /** `webhook-delivery` header of the receiver. */
  readonly control: 'disable' | 'abort-message' | null;
}
