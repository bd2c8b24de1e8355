import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { answer } from '../../../core/http/answer';
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
} from './customer.dto';
import { CustomersService } from './customers.service';

@ApiTags('Customers')
@Controller('v4/customers')
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
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
}
