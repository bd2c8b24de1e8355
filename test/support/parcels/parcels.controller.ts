import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../../src/core/http/answer';
import { type Caller, CurrentCaller } from '../../../src/core/http/caller';
import { IdempotentRequest } from '../../../src/core/http/idempotency-key';
import { decodeId } from '../../../src/core/http/ids';
import { type List, Pages } from '../../../src/core/http/pages';
import { PageQuery } from '../../../src/core/http/query-fields';
import { HasQuota, Scope } from '../../../src/core/http/route-markers';
import type { RequestClaim } from '../../../src/core/idempotency/claim';
import { CreateParcelDto, ParcelDto, ParcelListDto } from './parcels.dto';
import { ParcelsService } from './parcels.service';

@ApiTags('Parcels')
@Controller('v4/parcels')
export class ParcelsController {
  constructor(
    private readonly parcels: ParcelsService,
    private readonly pages: Pages,
  ) {}

  @Post()
  @Scope('parcels:write')
  @HasQuota()
  @ApiOperation({ operationId: 'create_parcel', summary: 'Make a parcel' })
  @ApiCreatedResponse({ type: ParcelDto })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() { label }: CreateParcelDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<ParcelDto> {
    const { made, replayedBy } = await this.parcels.create(caller, label, request);
    return answer(ParcelDto.of(made), { replayedBy });
  }

  @Get()
  @Scope('parcels:read')
  @ApiOperation({ operationId: 'list_parcels', summary: 'List parcels, newest first' })
  @ApiOkResponse({ type: ParcelListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<List<ParcelDto>> {
    const page = this.pages.open(caller, 'acme_parcels', query);
    const rows = await this.parcels.list(caller, page.after?.[0] ?? null, page.take);
    return page.of(rows, ParcelDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('parcels:read')
  @ApiOperation({ operationId: 'get_parcel', summary: 'Fetch a parcel' })
  @ApiOkResponse({ type: ParcelDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ParcelDto> {
    return ParcelDto.of(await this.parcels.require(caller, decodeId('pcl', id)));
  }
}
