import { Injectable } from '@nestjs/common';
import { found } from '../../core/errors/not-found';
import { EventLog, type EventFilters, type StoredEvent } from '../../core/outbox/event-log';
import { Resources, type Viewer } from '../../core/resources/resources';

/** An event with the resource that it is about. */
export interface ShownEvent {
  readonly event: StoredEvent;
  readonly object: object;
}

@Injectable()
export class EventsService {
  constructor(
    private readonly log: EventLog,
    private readonly resources: Resources,
  ) {}

  /** Throws `NotFound`. */
  async require(viewer: Viewer, id: string | null): Promise<ShownEvent> {
    return this.show(found(id === null ? null : await this.log.find(viewer, id), 'event'));
  }

  /** Newest first, below the uuid `before`. */
  async list(viewer: Viewer, filters: EventFilters, before: string | null, take: number): Promise<ShownEvent[]> {
    const events = await this.log.list(viewer, filters, before, take);
    return Promise.all(events.map((event) => this.show(event)));
  }

  private async show(event: StoredEvent): Promise<ShownEvent> {
    return { event, object: await this.resources.present(event, event.objectType, event.objectId) };
  }
}
