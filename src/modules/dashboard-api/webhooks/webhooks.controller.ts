import { Controller, Get, Param, Query } from '@nestjs/common';
import { decodeId } from '../../../core/http/ids';
import { EndpointFiguresService } from '../../webhooks/endpoint-figures.service';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { beginsOf, SpansQuery } from '../overview/spans.dto';
import { EndpointFiguresDto } from './webhooks.dto';

/** What the public API does not tell of webhook endpoints. */
@Needs('overview')
@Controller('dashboard/api/webhooks')
export class DashboardWebhooksController {
  constructor(private readonly figures: EndpointFiguresService) {}

  /** Attempts, successes and latencies over time, and the last failure. */
  @Get(':id/figures')
  async get(
    @Me() { accountId }: SignedIn,
    @Param('id') id: string,
    @Query() query: SpansQuery,
  ): Promise<EndpointFiguresDto> {
    const viewer = { accountId, livemode: query.livemode };
    const endpointId = decodeId('whk', id);
    const figures = await this.figures.of(viewer, endpointId, beginsOf(query));
    return EndpointFiguresDto.from(figures, await this.figures.lastFailure(viewer, endpointId));
  }
}
