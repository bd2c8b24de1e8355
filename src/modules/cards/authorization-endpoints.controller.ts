import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { MayBeNone, Scope } from '../../core/http/route-markers';
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
  ): Promise<AuthorizationEndpointDto> {
    const { endpoint, secret } = await this.endpoints.put(caller, { url, fallback });
    return AuthorizationEndpointDto.of(endpoint, await this.endpoints.health(caller), secret);
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
  @ApiOkResponse({ type: AuthorizationEndpointDto, description: 'As it was.' })
  async remove(@CurrentCaller() caller: Caller): Promise<AuthorizationEndpointDto> {
    const shown = await this.get(caller);
    await this.endpoints.remove(caller);
    return shown;
  }
}
