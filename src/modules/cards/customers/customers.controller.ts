import { Body, Controller, Get, Headers, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer, preferredWait, WAIT_SECONDS_DEFAULT } from '../../../core/http/answer';
import { type Caller, CurrentCaller } from '../../../core/http/caller';
import { IdempotentRequest } from '../../../core/http/idempotency-key';
import { decodeId } from '../../../core/http/ids';
import { type List, Pages } from '../../../core/http/pages';
import { HasQuota, Scope } from '../../../core/http/route-markers';
import type { RequestClaim } from '../../../core/idempotency/claim';
import {
  CreateCustomerDto,
  CustomerDto,
  CustomerListDto,
  CustomersQuery,
  toCustomerChanges,
  toNewCustomer,
  UpdateCustomerDto,
  VerifyCustomerDto,
} from './customer.dto';
import { CustomerVerification } from './customer-verification';
import { CustomersService } from './customers.service';

@ApiTags('Customers')
@Controller('v4/customers')
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly verification: CustomerVerification,
    private readonly pages: Pages,
  ) {}

  @Post()
  @Scope('cards:write')
  @HasQuota()
  @ApiOperation({ operationId: 'create_customer', summary: 'Register a cardholder' })
  @ApiCreatedResponse({ type: CustomerDto })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() dto: CreateCustomerDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<CustomerDto> {
    const { made, replayedBy } = await this.customers.create(caller, toNewCustomer(dto), request);
    return answer(CustomerDto.of(made), { replayedBy });
  }

  @Get()
  @Scope('cards:read')
  @ApiOperation({ operationId: 'list_customers', summary: 'List cardholders, newest first' })
  @ApiOkResponse({ type: CustomerListDto })
  async list(@CurrentCaller() caller: Caller, @Query() query: CustomersQuery): Promise<List<CustomerDto>> {
    const page = this.pages.open(caller, 'customers', query);
    const rows = await this.customers.list(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, CustomerDto.of, ({ id }) => [id]);
  }

  @Get(':id')
  @Scope('cards:read')
  @ApiOperation({ operationId: 'get_customer', summary: 'Fetch a cardholder' })
  @ApiOkResponse({ type: CustomerDto })
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<CustomerDto> {
    return CustomerDto.of(await this.customers.require(caller, decodeId('cus', id)));
  }

  @Patch(':id')
  @Scope('cards:write')
  @ApiOperation({ operationId: 'update_customer', summary: 'Change what is known of a cardholder' })
  @ApiOkResponse({ type: CustomerDto })
  async update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: UpdateCustomerDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<CustomerDto> {
    const { made, replayedBy } = await this.customers.update(
      caller,
      decodeId('cus', id),
      toCustomerChanges(dto),
      request,
    );
    return answer(CustomerDto.of(made), { changed: true, replayedBy });
  }

  @Post(':id/verify')
  @HttpCode(200)
  @Scope('cards:write')
  @ApiOperation({ operationId: 'verify_customer', summary: 'Find out whether a cardholder is who they say' })
  @ApiOkResponse({ type: CustomerDto, description: 'They are `verified` or `rejected`, or it was a dry run.' })
  @ApiAcceptedResponse({ type: CustomerDto, description: 'The provider did not say yet: it is asked again.' })
  async verify(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() dto: VerifyCustomerDto,
    @IdempotentRequest() request: RequestClaim,
    @Headers('prefer') prefer: string | undefined,
  ): Promise<CustomerDto> {
    const customerId = decodeId('cus', id);
    if (dto.dry_run)
      return answer(CustomerDto.of(await this.verification.preview(caller, customerId)), { dryRun: true });
    const waitedFor = preferredWait(prefer);
    const waitMs = (waitedFor ?? WAIT_SECONDS_DEFAULT) * 1_000;
    const { made, replayedBy } = await this.verification.verify(caller, customerId, { request, waitMs });
    const running = made.kycStatus === 'pending';
    return answer(CustomerDto.of(made), { changed: !running, running, replayedBy, waitedFor });
  }
}
