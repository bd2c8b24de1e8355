import type { ReplayedBy } from '../../core/idempotency/claim';
import type { WebhookEndpoint } from './webhook-endpoint.entity';
import type { EventPattern } from './webhooks.types';

export type NewEndpoint = Pick<
  WebhookEndpoint,
  'url' | 'events' | 'description' | 'includeSecrets' | 'metadata' | 'faults'
>;

/** What is undefined stays as it is. */
export type EndpointChanges = Partial<NewEndpoint>;

/** An endpoint, and whether its request was carried out before. */
export interface EndpointResult {
  readonly endpoint: WebhookEndpoint;
  readonly replayedBy: ReplayedBy | null;
}

/** `secret` is null for a repeated request: it was shown once. */
export interface SecretResult extends EndpointResult {
  readonly secret: string | null;
}

/** `failed`: attempts ended without a success. `missing`: never tried, as the endpoint did not exist or listen then. */
export const REPLAY_KINDS = ['failed', 'missing', 'all'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/** Events that an endpoint may be sent again. */
export interface ReplayRange {
  readonly from: Date;
  /** Events of this moment are outside. */
  readonly to: Date;
  readonly types: readonly EventPattern[];
  readonly only: ReplayKind;
}

/** `count` is null for a repeated request. */
export interface ReplayResult {
  readonly count: number | null;
  readonly replayedBy: ReplayedBy | null;
}

/** What an endpoint did not get, and the replay that sends it. */
export interface MissedEvents {
  readonly count: number;
  readonly range: ReplayRange;
}

/** `missed` is null when there was nothing to miss, and for a repeated request. */
export interface EnabledResult extends EndpointResult {
  readonly missed: MissedEvents | null;
}
