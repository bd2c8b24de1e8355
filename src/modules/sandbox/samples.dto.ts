import { OneOf } from '../../core/http/fields';
import { EVENT_TYPES, type EventType } from '../../core/outbox/event-types';

export class TriggerEventDto {
  @OneOf(EVENT_TYPES)
  type: EventType;
}
