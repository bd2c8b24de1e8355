import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { EventDto } from './event.dto';
import { EventsService } from './events.service';

@Injectable()
export class EventResources {
  constructor(private readonly events: EventsService) {}

  /** Whoever made it may see what it is about. */
  @Presents('evt', 'events:read')
  async event(viewer: Viewer, id: string): Promise<EventDto> {
    const { event, object } = await this.events.require({ ...viewer, scopes: null }, id);
    return EventDto.of(event, object);
  }
}
