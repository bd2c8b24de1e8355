import { Controller, Get, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type List, Pages } from '../../../core/http/pages';
import { ModeQuery } from '../mode.dto';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { type LoggedRequestDto, presentError, presentRequest, RequestLogQuery } from './request-log.dto';
import { RequestLogService } from './request-log.service';

/** What the account's programs asked of the public API. */
@ApiExcludeController()
@Needs('requests')
@Controller('dashboard/api/request-log')
export class RequestLogController {
  constructor(
    private readonly requests: RequestLogService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async list(@Me() { accountId }: SignedIn, @Query() query: RequestLogQuery): Promise<List<LoggedRequestDto>> {
    const viewer = { accountId, livemode: query.livemode };
    const page = this.pages.open(viewer, 'request_log', query);
    const rows = await this.requests.list(viewer, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, presentRequest, ({ id }) => [id]);
  }

  @Get('errors')
  async errors(@Me() { accountId }: SignedIn, @Query() { livemode }: ModeQuery): Promise<{ data: object[] }> {
    return { data: (await this.requests.errors({ accountId, livemode })).map(presentError) };
  }
}
