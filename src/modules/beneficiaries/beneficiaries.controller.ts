import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { type Caller, CurrentCaller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { decodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { HasQuota, Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { BeneficiariesService } from './beneficiaries.service';
import {
  BeneficiariesQuery,
  BeneficiaryDto,
  BeneficiaryListDto,
  CreateBeneficiaryDto,
  toNewBeneficiary,
  UpdateBeneficiaryDto,
} from './beneficiary.dto';

@ApiTags('Beneficiaries')
@Controller('v4/beneficiaries')
export class BeneficiariesController {
  constructor(
    private readonly beneficiaries: BeneficiariesService,
    private readonly pages: Pages,
  ) {}

  @Post()
  @Scope('beneficiaries:write')
  @HasQuota()
  @ApiOperation({ operationId: 'create_beneficiary', summary: 'Keep somebody whom you pay again and again' })
  @ApiCreatedResponse({
    type: BeneficiaryDto,
    description: 'It can be paid; `verified_name` is what its bank or biller said.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateBeneficiaryDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<BeneficiaryDto> {
    const { made, replayedBy } = await this.beneficiaries.create(caller, toNewBeneficiary(dto), request);
    return answer(BeneficiaryDto.of(made), { replayedBy });
  }

  @Get()
  @Scope('beneficiaries:read')
  @ApiOperation({ operationId: 'list_beneficiaries', summary: 'List beneficiaries, newest first' })
  @ApiOkResponse({ type: BeneficiaryListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: BeneficiariesQuery): Promise<List<BeneficiaryDto>> {
    const page = this.pages.open(caller, 'beneficiaries', query);
    const rows = await this.beneficiaries.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, BeneficiaryDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('beneficiaries:read')
  @ApiOperation({ operationId: 'get_beneficiary', summary: 'Fetch a beneficiary' })
  @ApiOkResponse({ type: BeneficiaryDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<BeneficiaryDto> {
    return BeneficiaryDto.of(await this.beneficiaries.require(caller, decodeId('ben', id)));
  }

  @Patch(':id')
  @Scope('beneficiaries:write')
  @ApiOperation({ operationId: 'update_beneficiary', summary: 'Change the label or metadata of a beneficiary' })
  @ApiOkResponse({ type: BeneficiaryDto })
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { label, metadata }: UpdateBeneficiaryDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<BeneficiaryDto> {
    const changes = { ...(label && { label }), ...(metadata && { metadata }) };
    const { made, replayedBy } = await this.beneficiaries.update(caller, decodeId('ben', id), changes, request);
    return answer(BeneficiaryDto.of(made), { changed: true, replayedBy });
  }

  @Delete(':id')
  @Scope('beneficiaries:write')
  @ApiOperation({ operationId: 'delete_beneficiary', summary: 'Delete a beneficiary: nothing is paid to it any more' })
  @ApiOkResponse({ type: BeneficiaryDto, description: 'As it was, with `deleted_at`.' })
  async delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<BeneficiaryDto> {
    const { made, replayedBy } = await this.beneficiaries.delete(caller, decodeId('ben', id), request);
    return answer(BeneficiaryDto.of(made), { changed: true, replayedBy });
  }
}
