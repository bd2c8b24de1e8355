import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../../core/http/answer';
import { type Caller, CurrentCaller } from '../../../core/http/caller';
import { IdempotentRequest } from '../../../core/http/idempotency-key';
import { decodeId } from '../../../core/http/ids';
import { type List, Pages } from '../../../core/http/pages';
import { HasQuota, Scope } from '../../../core/http/route-markers';
import type { RequestClaim } from '../../../core/idempotency/claim';
import { EndpointsService } from '../endpoints.service';
import { EndpointChangesService } from './endpoint-changes.service';
import {
  CreateWebhookEndpointDto,
  EnabledWebhookEndpointDto,
  NewWebhookEndpointDto,
  RequestedFault,
  RotateSecretDto,
  rotationSeconds,
  SandboxWebhookHeader,
  toChanges,
  toNewEndpoint,
  UpdateWebhookEndpointDto,
  WebhookEndpointDto,
  WebhookEndpointListDto,
  WebhookEndpointsQuery,
  type WithFault,
} from './endpoint.dto';

@ApiTags('Webhooks')
@Controller('v4/webhooks')
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly changes: EndpointChangesService,
    private readonly pages: Pages,
  ) {}

  @Post()
  @Scope('webhooks:write')
  @SandboxWebhookHeader()
  @HasQuota()
  @ApiOperation({ operationId: 'create_webhook_endpoint', summary: 'Register an address that is told of events' })
  @ApiCreatedResponse({ type: NewWebhookEndpointDto, description: 'The secret is in this answer only.' })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateWebhookEndpointDto,
    @RequestedFault() { claim, fault }: WithFault,
  ): Promise<NewWebhookEndpointDto> {
    const { endpoint, secret, replayedBy } = await this.changes.create(caller, toNewEndpoint(dto, fault), claim);
    return answer(NewWebhookEndpointDto.with(endpoint, secret), { replayedBy });
  }

  @Get()
  @Scope('webhooks:read')
  @ApiOperation({ operationId: 'list_webhook_endpoints', summary: 'List webhook endpoints, newest first' })
  @ApiOkResponse({ type: WebhookEndpointListDto })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: WebhookEndpointsQuery,
  ): Promise<List<WebhookEndpointDto>> {
    const page = this.pages.open(caller, 'webhook_endpoints', query);
    const rows = await this.endpoints.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, WebhookEndpointDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('webhooks:read')
  @ApiOperation({ operationId: 'get_webhook_endpoint', summary: 'Fetch a webhook endpoint' })
  @ApiOkResponse({ type: WebhookEndpointDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.of(await this.endpoints.require(caller, decodeId('whk', id)));
  }

  @Patch(':id')
  @Scope('webhooks:write')
  @SandboxWebhookHeader()
  @ApiOperation({ operationId: 'update_webhook_endpoint', summary: 'Change a webhook endpoint' })
  @ApiOkResponse({ type: WebhookEndpointDto })
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: UpdateWebhookEndpointDto,
    @RequestedFault() { claim, fault }: WithFault,
  ): Promise<WebhookEndpointDto> {
    const { endpoint, replayedBy } = await this.changes.update(
      caller,
      decodeId('whk', id),
      toChanges(dto, fault),
      claim,
    );
    return answer(WebhookEndpointDto.of(endpoint), { changed: true, replayedBy });
  }

  @Delete(':id')
  @Scope('webhooks:write')
  @ApiOperation({ operationId: 'delete_webhook_endpoint', summary: 'Delete a webhook endpoint for good' })
  @ApiOkResponse({ type: WebhookEndpointDto, description: 'As it was, with `deleted_at`.' })
  async delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WebhookEndpointDto> {
    const { endpoint, replayedBy } = await this.changes.delete(caller, decodeId('whk', id), request);
    return answer(WebhookEndpointDto.of(endpoint), { changed: true, replayedBy });
  }

  @Post(':id/rotate-secret')
  @Scope('webhooks:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotate_webhook_secret',
    summary: 'Give a webhook endpoint a new secret; both sign for a while',
  })
  @ApiOkResponse({ type: NewWebhookEndpointDto, description: 'The new secret is in this answer only.' })
  async rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: RotateSecretDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<NewWebhookEndpointDto> {
    const { endpoint, secret, replayedBy } = await this.changes.rotateSecret(
      caller,
      decodeId('whk', id),
      rotationSeconds(dto),
      request,
    );
    return answer(NewWebhookEndpointDto.with(endpoint, secret), { changed: true, replayedBy });
  }

  @Post(':id/enable')
  @Scope('webhooks:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'enable_webhook_endpoint',
    summary: 'Send to a disabled webhook endpoint again; tells what it missed',
  })
  @ApiOkResponse({ type: EnabledWebhookEndpointDto })
  async enable(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<EnabledWebhookEndpointDto> {
    const { endpoint, missed, replayedBy } = await this.changes.enable(caller, decodeId('whk', id), request);
    return answer(EnabledWebhookEndpointDto.with(endpoint, missed), { changed: true, replayedBy });
  }

  @Post(':id/disable')
  @Scope('webhooks:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'disable_webhook_endpoint',
    summary: 'Send nothing but replays and tests to a webhook endpoint',
  })
  @ApiOkResponse({ type: WebhookEndpointDto })
  async disable(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<WebhookEndpointDto> {
    const { endpoint, replayedBy } = await this.changes.disable(caller, decodeId('whk', id), request);
    return answer(WebhookEndpointDto.of(endpoint), { changed: true, replayedBy });
  }
}
