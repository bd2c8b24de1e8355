import { Controller, Get, Header, Headers, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { EVENT_STREAM } from '../../../core/http/connections';
import { CursorParam, Flag } from '../../../core/http/query-fields';
import { LiveModeLocked } from '../dashboard.errors';
import { Me, Needs, Unattended } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { LiveStreams } from './streams.service';

export class StreamQuery {
  @Flag()
  livemode: boolean = false;

  @CursorParam({ description: 'The id of the last message, where the browser cannot send `Last-Event-ID`.' })
  after?: string;

  @Flag({ description: 'Without a place to go on from: also what happened while the page was being read.' })
  recent: boolean = false;
}

@Controller('dashboard/api/stream')
export class StreamController {
  constructor(private readonly streams: LiveStreams) {}

  @Get()
  @Needs('overview')
  @Unattended()
  @Header('cache-control', 'no-store')
  @Header('x-accel-buffering', 'no')
  @ApiOkResponse({ description: 'Events as they are committed, as text/event-stream: id, type, object.' })
  async open(
    @Me() me: SignedIn,
    @Query() { livemode, after, recent }: StreamQuery,
    @Headers('last-event-id') last: string | undefined,
    @Req() { raw }: FastifyRequest,
  ): Promise<StreamableFile> {
    if (livemode && !me.liveEnabled) throw new LiveModeLocked();
    const stream = await this.streams.open(me, { livemode, after: last ?? after, recent }, raw.socket);
    return new StreamableFile(stream, { type: EVENT_STREAM });
  }
}
