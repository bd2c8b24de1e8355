import { ApiProperty } from '@nestjs/swagger';
import { DryRun, OneOf } from '../../core/http/fields';
import { DateTime } from '../../core/http/query-fields';
import type { Viewer } from '../../core/resources/resources';
import { type MissedEvents, REPLAY_KINDS, type ReplayKind, type ReplayRange } from './endpoints.types';
import { EventPatterns } from './event-patterns.dto';
import type { EventPattern } from './webhooks.types';

export class ReplayEventsDto {
  @DateTime({ description: 'Events from this moment on.' })
  created_gte: Date;

  @DateTime({ description: 'Events before this moment.', example: '2026-11-02T00:00:00.000Z' })
  created_lt: Date;

  @EventPatterns({ optional: true, description: 'Of what the endpoint listens to, only these.' })
  types?: EventPattern[] | null;

  @OneOf(REPLAY_KINDS, {
    optional: true,
    description:
      '`failed` (default): attempts ended without a success. `missing`: never tried, as from before the endpoint existed. `all`: delivered ones too.',
  })
  only?: ReplayKind | null;

  @DryRun()
  dry_run?: boolean | null;
}

export const toRange = (dto: ReplayEventsDto): ReplayRange => ({
  from: dto.created_gte,
  to: dto.created_lt,
  types: dto.types ?? ['*'],
  only: dto.only ?? 'failed',
});

/** Events that are sent again. */
export class WebhookReplayDto {
  @ApiProperty({ enum: ['webhook_replay'] })
  object: 'webhook_replay';
  /** @example "whk_01kabcdefghjkmnpqrstvwxyz0" */
  endpoint_id: string;
  /** Events; null when a request is repeated. @example 12 */
  count: number | null;
  /** Nothing was sent. */
  dry_run: boolean;
  livemode: boolean;

  static of(
    this: void,
    { livemode }: Viewer,
    endpointId: string,
    count: number | null,
    dryRun: boolean,
  ): WebhookReplayDto {
    return { object: 'webhook_replay', endpoint_id: endpointId, count, dry_run: dryRun, livemode };
  }
}

/** The body of a replay. */
export class OfferedReplayDto {
  created_gte: Date;
  created_lt: Date;
  @ApiProperty({ enum: REPLAY_KINDS })
  only: ReplayKind;
}

/** What an endpoint did not get while it failed or was disabled. */
export class MissedEventsDto {
  /** @example 12 */
  count: number;
  /** When it began to fail, or was disabled. */
  since: Date;
  /** Send this to `POST /v4/webhooks/{id}/replay` to get them. */
  replay: OfferedReplayDto;

  static of(this: void, { count, range: { from, to, only } }: MissedEvents): MissedEventsDto {
    return { count, since: from, replay: { created_gte: from, created_lt: to, only } };
  }
}
