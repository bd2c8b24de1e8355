import { Controller, Get, Headers, Param, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { FieldRefused } from '../../../core/errors/domain-error';
import { answer, preferredWait } from '../../../core/http/answer';
import { type Caller, CurrentCaller } from '../../../core/http/caller';
import { decodeId } from '../../../core/http/ids';
import { type List, Pages } from '../../../core/http/pages';
import { PageQuery } from '../../../core/http/query-fields';
import { Scope } from '../../../core/http/route-markers';
import { DeliveriesService } from '../deliveries.service';
import { DeliveryDetailsDto, DeliveryDetailsListDto } from '../delivery/delivery.dto';
import { EventDto, EventListDto, EventsQuery } from './event.dto';
import { EventsService, FIRST, type ShownEvent } from './events.service';

/** A parameter that this order of events cannot have. */
class NotInThisOrder extends FieldRefused {
  constructor(param: string, detail: string) {
    super(param, detail, { title: 'Validation failed' });
  }
}

/** Who asks, and how long they are ready to wait. */
interface Visit {
  readonly prefer: string | undefined;
  readonly isHere: () => boolean;
}

@ApiTags('Events')
@Scope('events:read')
@Controller('v4/events')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly deliveries: DeliveriesService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'list_events',
    summary: 'List events, newest first, or follow them in the order of commits',
  })
  @ApiOkResponse({ type: EventListDto })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: EventsQuery,
    @Req() { raw }: FastifyRequest,
    @Headers('prefer') prefer: string | undefined,
  ): Promise<List<EventDto>> {
    if (query.order === 'asc') return this.follow(caller, query, { prefer, isHere: () => !raw.socket.destroyed });
    if (query.after !== undefined) throw new NotInThisOrder('/after', 'after goes with order=asc; go on with cursor.');
    const page = this.pages.open(caller, 'events', query);
    const rows = await this.events.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(
      rows,
      ({ event, object }) => EventDto.of(event, object),
      ({ event }) => [event.id],
    );
  }

  private async follow(
    caller: Caller,
    { after, cursor, ...filters }: EventsQuery,
    { prefer, isHere }: Visit,
  ): Promise<List<EventDto>> {
    if (filters.delivery_success !== undefined) {
      const detail =
        'delivery_success cannot go with order=asc: an event arrives after it was passed. List newest first.';
      throw new NotInThisOrder('/delivery_success', detail);
    }
    const waitedFor = preferredWait(prefer);
    const until = Date.now() + (waitedFor ?? 0) * 1_000;
    const page = this.pages.open(caller, 'events', { ...filters, cursor: after ?? cursor });
    const isWaiting = (): boolean => isHere() && Date.now() < until;
    const { shown, lowest } = await this.events.follow(caller, filters, {
      after: page.after ?? FIRST,
      take: page.take,
      isWaiting,
    });
    const place = { positionOf: ({ event }: ShownEvent) => [event.number, event.id, lowest], start: FIRST };
    return answer(
      page.following(shown, ({ event, object }) => EventDto.of(event, object), place),
      { isRead: true, waitedFor },
    );
  }

  @Get(':id')
  @ApiOperation({ operationId: 'get_event', summary: 'Fetch an event' })
  @ApiOkResponse({ type: EventDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<EventDto> {
    const { event, object } = await this.events.require(caller, decodeId('evt', id));
    return EventDto.of(event, object);
  }

  @Get(':id/deliveries')
  @Scope('webhooks:read')
  @ApiOperation({
    operationId: 'list_event_deliveries',
    summary: 'List the deliveries of an event to all webhook endpoints, newest first',
  })
  @ApiOkResponse({ type: DeliveryDetailsListDto })
  async deliveriesOf(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<List<DeliveryDetailsDto>> {
    const { event } = await this.events.require(caller, decodeId('evt', id));
    const page = this.pages.open(caller, `event_deliveries:${event.id}`, query);
    const rows = await this.deliveries.ofEvent(caller, event.id, page.after?.[0] ?? null, page.take);
    return page.of(rows, DeliveryDetailsDto.with, ({ delivery }) => [delivery.id]);
  }
}
