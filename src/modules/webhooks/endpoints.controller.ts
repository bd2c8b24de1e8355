import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { HasQuota, Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { EndpointChangesService } from './endpoint-changes.service';
import { EndpointRegistrationService } from './endpoint-registration.service';
import {
  CreateWebhookEndpointDto,
  RequestedFault,
  SandboxWebhookHeader,
  toChanges,
  toNewEndpoint,
  UpdateWebhookEndpointDto,
  WebhookEndpointsQuery,
  type WithFault,
} from './endpoint-request.dto';
import { NewWebhookEndpointDto, WebhookEndpointDto, WebhookEndpointListDto } from './endpoint.dto';
import { EndpointsService } from './endpoints.service';

@ApiTags('Webhooks')
@Controller('v4/webhooks')
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly registration: EndpointRegistrationService,
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
    const { endpoint, secret, replayedBy } = await this.registration.create(caller, toNewEndpoint(dto, fault), claim);
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
}
