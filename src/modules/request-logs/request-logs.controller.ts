import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Env } from '../../core/config/env';
import { NotFound } from '../../core/errors/domain-error';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { type List, Pages } from '../../core/http/pages';
import { Scope } from '../../core/http/route-markers';
import { RequestLog } from '../../core/request-log/request-log';
import { type ExchangedRequest, RequestLogDto, RequestLogListDto, RequestLogsQuery } from './request-log.dto';
import { RequestLogService } from './request-log.service';

/** What the account's programs asked of this API: of all of its keys, which is why it takes a scope of its own. */
@ApiTags('Request logs')
@Scope('requests:read')
@Controller('v4/request-logs')
export class RequestLogsController {
  constructor(
    private readonly requests: RequestLogService,
    private readonly log: RequestLog,
    private readonly pages: Pages,
    private readonly env: Env,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'list_request_logs',
    summary: "List the requests of the account's keys, newest first",
    description:
      'Kept for three months, without secrets, a moment after they were answered. What reads this list is not in it.',
  })
  @ApiOkResponse({ type: RequestLogListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: RequestLogsQuery): Promise<List<RequestLogDto>> {
    // What this process has answered is there at once; of others a moment later.
    await this.log.flush();
    const page = this.pages.open(caller, 'request_logs', query);
    const rows = await this.requests.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(await this.requests.withExchanges(caller, rows), this.shownTo(caller), ({ id }) => [id]);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'get_request_log',
    summary: 'Get a request of the log',
    description: 'By the `request_id` of a problem, which is also the header `Request-Id` of each answer.',
  })
  @ApiOkResponse({ type: RequestLogDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<RequestLogDto> {
    await this.log.flush();
    const request = await this.requests.requireRow(caller, id);
    // What a person did at the dashboard is no business of a program.
    if (request.key_id === null) throw new NotFound('request');
    const [exchanged] = await this.requests.withExchanges(caller, [request]);
    return this.shownTo(caller)(exchanged!);
  }

  private readonly shownTo =
    ({ livemode }: Caller) =>
    (request: ExchangedRequest): RequestLogDto =>
      RequestLogDto.shown(livemode, request, this.env.REQUEST_LOG_ANSWER_DAYS);
}
