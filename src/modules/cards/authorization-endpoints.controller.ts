import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { MayBeNone, Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { AuthorizationEndpointDto, PutAuthorizationEndpointDto } from './authorization-endpoint.dto';
import { AuthorizationEndpoints } from './authorization-endpoints.service';

@ApiTags('Cards')
@Controller('v4/cards/authorization-endpoint')
export class AuthorizationEndpointsController {
  constructor(private readonly endpoints: AuthorizationEndpoints) {}

  @Put()
  @Scope('cards:write')
  @ApiOperation({
    operationId: 'put_authorization_endpoint',
    summary: 'Decide about authorizations yourself: register the address that is asked, or change it',
  })
  @ApiOkResponse({ type: AuthorizationEndpointDto, description: 'The secret is in the first answer only.' })
  async put(
    @CurrentCaller() caller: Caller,
    @Body() { url, default: fallback }: PutAuthorizationEndpointDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<AuthorizationEndpointDto> {
    const { endpoint, secret, replayedBy } = await this.endpoints.put(caller, { url, fallback }, request);
    const shown = AuthorizationEndpointDto.of(endpoint, await this.endpoints.health(caller), secret);
    return answer(shown, { changed: true, replayedBy });
  }

  @Get()
  @MayBeNone()
  @Scope('cards:read')
  @ApiOperation({
    operationId: 'get_authorization_endpoint',
    summary: 'Fetch the address that is asked about authorizations, and how it did',
  })
  @ApiOkResponse({ type: AuthorizationEndpointDto })
  async get(@CurrentCaller() caller: Caller): Promise<AuthorizationEndpointDto> {
    const endpoint = await this.endpoints.require(caller);
    return AuthorizationEndpointDto.of(endpoint, await this.endpoints.health(caller), null);
  }

  @Delete()
  @MayBeNone()
  @Scope('cards:write')
  @ApiOperation({ operationId: 'delete_authorization_endpoint', summary: 'Ask nobody about authorizations any more' })
  @ApiOkResponse({
    type: AuthorizationEndpointDto,
    description: 'As it was. Sent again: the one that was registered since, which stays; without one 404.',
  })
  async remove(
    @CurrentCaller() caller: Caller,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<AuthorizationEndpointDto> {
    const shown = await this.get(caller);
    const replay = await this.endpoints.remove(caller, request);
    return answer(shown, { changed: true, replayedBy: replay?.by });
  }
}
