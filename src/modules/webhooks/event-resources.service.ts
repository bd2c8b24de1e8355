import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { EventDto } from './event.dto';
import { EventsService } from './events.service';

@Injectable()
export class EventResources {
  constructor(private readonly events: EventsService) {}

  /** Throws `InsufficientScope` unless the viewer may read what it is about, too. */
  @Presents('evt', 'events:read')
  async event({ accountId, livemode, scopes = [] }: Viewer, id: string): Promise<EventDto> {
    const { event, object } = await this.events.require({ accountId, livemode, scopes }, id);
    return EventDto.of(event, object);
  }
}
