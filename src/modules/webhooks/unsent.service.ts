import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EventType } from '../../core/outbox/event-types';
import type { DeliveryFilters } from './deliveries.service';
import { listensTo } from './endpoint-patterns.batch';
import { SELECT_EVENT_FOR_ENDPOINT } from './replays.queries';
import type { UnsentReason } from './unsent.types';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

interface EventSeen {
  readonly isSent: boolean;
  readonly type: EventType;
  readonly isItself: boolean;
  readonly isBefore: boolean;
  readonly isRelayed: boolean;
}

/** Answers why an event was not sent to an endpoint. */
@Injectable()
export class UnsentService {
  constructor(private readonly dataSource: DataSource) {}

  /** For filters that find no delivery. Null when they ask for no event, or for one that has deliveries. */
  async reasonOf(
    { accountId, livemode, id, events, createdIn }: WebhookEndpoint,
    { eventId }: DeliveryFilters,
  ): Promise<UnsentReason | null> {
    if (eventId === undefined) return null;
    const [event]: EventSeen[] = await this.dataSource.query(SELECT_EVENT_FOR_ENDPOINT, [
      accountId,
      livemode,
      eventId,
      id,
      createdIn,
    ]);
    if (event === undefined) return 'unknown_event';
    if (event.isSent) return null;
    if (event.isItself) return 'about_itself';
    if (!listensTo(events, event.type)) return 'filtered';
    if (event.isBefore) return 'before_endpoint';
    return event.isRelayed ? 'not_listening_then' : 'relay_pending';
  }
}
