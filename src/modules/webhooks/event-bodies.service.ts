import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { StoredEvent } from '../../core/outbox/event-log';
import { fitBody } from './event-size.batch';
import { EventDto } from './event.dto';
import { EventsService } from './events.service';

/** An event goes to all endpoints of its account at about the same time. */
const SHARED_MS = 1_000;
const SHARED_MAX = 500;

/** Makes what is posted of an event: JSON of less than 20 kB. */
@Injectable()
export class EventBodies {
  private readonly made = new LRUCache<string, Promise<string>>({ max: SHARED_MAX, ttl: SHARED_MS });

  constructor(private readonly events: EventsService) {}

  /** Throws what the presenter of its object throws. */
  of(event: StoredEvent, withSecrets: boolean): Promise<string> {
    const key = `${event.id}:${withSecrets}`;
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const body = this.make(event, withSecrets);
    this.made.set(key, body);
    body.catch(() => this.made.delete(key));
    return body;
  }

  private async make(event: StoredEvent, withSecrets: boolean): Promise<string> {
    const { object } = await this.events.show(event, { withSecrets });
    return fitBody(EventDto.of(event, object));
  }
}
