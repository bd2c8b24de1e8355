import { Body, Controller, Get, Header, Param, Post, Query, StreamableFile } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExcludeEndpoint,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Env } from '../../core/config/env';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId, encodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { publicUrl } from '../../core/http/request-context';
import { HasQuota, NewEachTime, Public, Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { CreateReportDto, ReportDto, ReportLinkDto, ReportListDto, ReportsQuery } from './report.dto';
import { ReportsService } from './reports.service';

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

@ApiTags('Reports')
@Controller()
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly pages: Pages,
    private readonly env: Env,
  ) {}

  @Post('v4/reports')
  @Scope('transactions:read')
  @ApiOperation({
    operationId: 'create_report',
    summary: 'Have the lines of all wallets for a period made into a file',
    description: 'The event `report.ready` tells when it is there; it is kept for a week',
  })
  @HasQuota()
  @ApiAcceptedResponse({ type: ReportDto, description: 'It will be made.' })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateReportDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<ReportDto> {
    const { made, replayedBy } = await this.reports.create(caller, dto, request);
    return answer(ReportDto.of(made), { running: true, replayedBy });
  }

  @Get('v4/reports')
  @Scope('transactions:read')
  @ApiOperation({ operationId: 'list_reports', summary: 'List reports, newest first' })
  @ApiOkResponse({ type: ReportListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: ReportsQuery): Promise<List<ReportDto>> {
    const page = this.pages.open(caller, 'reports', query);
    const rows = await this.reports.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, ReportDto.of, ({ id }) => [id]);
  }

  @Get('v4/reports/:id')
  @Scope('transactions:read')
  @ApiOperation({ operationId: 'get_report', summary: 'Fetch a report' })
  @ApiOkResponse({ type: ReportDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ReportDto> {
    return ReportDto.of(await this.reports.require(caller, decodeId('rpt', id)));
  }

  @Post('v4/reports/:id/link')
  @Scope('transactions:read')
  @NewEachTime()
  @ApiOperation({
    operationId: 'create_report_link',
    summary: 'Make a link to the file of a report that is good for 15 minutes, without a key',
  })
  @ApiCreatedResponse({ type: ReportLinkDto, description: 'A new link each time.' })
  async link(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ReportLinkDto> {
    const { report, token, expiresAt } = await this.reports.link(caller, id);
    return {
      object: 'report_link',
      report_id: encodeId('rpt', report.id),
      url: `${publicUrl(this.env)}/reports/download/${token}`,
      expires_at: expiresAt,
      livemode: report.livemode,
    };
  }

  /** The file behind such a link. */
  @Get('reports/download/:token')
  @Public()
  @Header('referrer-policy', 'no-referrer')
  @Header('x-robots-tag', 'noindex')
  @Header('cache-control', 'private, no-store')
  @ApiExcludeEndpoint()
  async download(@Param('token') token: string): Promise<StreamableFile> {
    const { report, file } = await this.reports.open(token);
    const { kind, format, from, to, id } = report;
    const [first, last] = [from, to].map((bound) => bound.slice(0, 10));
    return new StreamableFile(file, {
      type: TYPES[format],
      disposition: `attachment; filename="${kind}-${first}-${last}-${encodeId('rpt', id).slice(-6)}.${format}"`,
    });
  }
}
