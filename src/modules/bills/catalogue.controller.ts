import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { type List, Pages } from '../../core/http/pages';
import { PageQuery } from '../../core/http/query-fields';
import { Scope } from '../../core/http/route-markers';
import {
  BillCategoryDto,
  BillCategoryListDto,
  BillerDto,
  BillerItemDto,
  BillerItemListDto,
  BillerListDto,
  BillersQuery,
  BillerStatusDto,
} from './biller.dto';
import { CatalogueService } from './catalogue.service';

/** What can be paid for. */
@ApiTags('Bills')
@ApiExtraModels(BillerStatusDto)
@Scope('purchases:read')
@Controller('v4/bills')
export class CatalogueController {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly pages: Pages,
  ) {}

  @Get('categories')
  @ApiOperation({ operationId: 'list_bill_categories', summary: 'List the categories of billers' })
  @ApiOkResponse({ type: BillCategoryListDto })
  async categories(): Promise<List<BillCategoryDto>> {
    return {
      object: 'list',
      data: (await this.catalogue.listCategories()).map(BillCategoryDto.of),
      has_more: false,
      next_cursor: null,
    };
  }

  @Get('billers')
  @ApiOperation({ operationId: 'list_billers', summary: 'List billers by their codes' })
  @ApiOkResponse({ type: BillerListDto })
  async billers(@CurrentCaller() caller: Caller, @Query() query: BillersQuery): Promise<List<BillerDto>> {
    const page = this.pages.open(caller, 'billers', query);
    const rows = await this.catalogue.listOffers(caller, query, page.after?.[0] ?? null, page.take);
    return page.of(rows, BillerDto.of, ({ code }) => [code]);
  }

  @Get('billers/:code/items')
  @ApiOperation({ operationId: 'list_biller_items', summary: 'List what a biller sells' })
  @ApiOkResponse({ type: BillerItemListDto })
  async items(
    @CurrentCaller() caller: Caller,
    @Param('code') code: string,
    @Query() query: PageQuery,
  ): Promise<List<BillerItemDto>> {
    const biller = await this.catalogue.offer(caller, await this.catalogue.requireBiller(code));
    const page = this.pages.open(caller, `biller_items:${biller.code}`, query);
    const rows = await this.catalogue.listItems(biller, page.after, page.take);
    return page.of(
      rows,
      (item) => BillerItemDto.of(item, biller),
      (item) => [`${item.position}`, item.code],
    );
  }
}
