import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import { EventDto, EventListDto, EventsQuery } from './event.dto';
import { EventsService } from './events.service';

@ApiTags('Events')
@Scope('events:read')
@Controller('v4/events')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'list_events', summary: 'List events, newest first' })
  @ApiOkResponse({ type: EventListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: EventsQuery): Promise<List<EventDto>> {
    const page = this.pages.open(caller, 'events', query);
    const rows = await this.events.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, ({ event, object }) => EventDto.of(event, object), ({ event }) => [event.id]);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'get_event', summary: 'Fetch an event' })
  @ApiOkResponse({ type: EventDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<EventDto> {
    const { event, object } = await this.events.require(caller, decodeId('evt', id));
    return EventDto.of(event, object);
  }
}
