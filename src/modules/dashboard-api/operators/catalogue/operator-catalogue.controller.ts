import { Body, Controller, Get, HttpCode, Ip, Param, Post, Put, Query } from '@nestjs/common';
import { Pages } from '../../../../core/http/pages';
import { InControlCell } from '../../../../core/http/route-markers';
import { PlanSyncs } from '../../../data/plan-syncs';
import { Me, Needs } from '../../people/sessions.guard';
import type { SignedIn } from '../../people/sessions.service';
import {
  AskedQuery,
  CatalogueFactsDto,
  CatalogueQuery,
  PlanSourceDto,
  PlanSourcesDto,
  SoldBillerDto,
  SoldBillersDto,
  SoldItemDto,
  SoldItemsDto,
  SoldNetworkDto,
  SoldNetworksDto,
  SoldPlanDto,
  SoldPlansDto,
  SwitchBillerDto,
  SyncPlansDto,
} from './operator-catalogue.dto';
import { OperatorCatalogue } from './operator-catalogue.service';

/** What is sold, for operators. */
@Needs('operator')
@Controller('dashboard/api/operators/catalogue')
export class OperatorCatalogueController {
  constructor(
    private readonly catalogue: OperatorCatalogue,
    private readonly syncs: PlanSyncs,
    private readonly pages: Pages,
  ) {}

  @Get()
  async facts(): Promise<CatalogueFactsDto> {
    return CatalogueFactsDto.of(await this.catalogue.facts());
  }

  @Get('plans')
  async plans(@Me() me: SignedIn, @Query() query: CatalogueQuery): Promise<SoldPlansDto> {
    const page = this.pages.open({ accountId: me.userId, livemode: true }, 'plans_of_platform', query);
    const rows = await this.catalogue.listPlans(query, page.after?.[0] ?? '', page.take);
    const networks = rows.map(({ network }) => network);
    const asked = await this.catalogue.asked(me, 'data', query.livemode, networks);
    const { data, next_cursor } = page.of(
      rows,
      (row) => SoldPlanDto.of(row, asked.get(row.network)),
      ({ code }) => [code],
    );
    return { data, next_cursor };
  }

  /** Live providers that list what they sell. */
  @Get('sources')
  async sources(): Promise<PlanSourcesDto> {
    return { data: (await this.syncs.list()).map(PlanSourceDto.of) };
  }

  /** Has a worker bring a provider's list into the catalogue, or only look at it. */
  @Post('sources/:provider/syncs')
  @InControlCell('person')
  @HttpCode(204)
  async sync(
    @Me() me: SignedIn,
    @Param('provider') provider: string,
    @Body() { dry_run: dryRun, max_move: maxMove = null }: SyncPlansDto,
    @Ip() ip: string,
  ): Promise<void> {
    await this.catalogue.sync(me, provider, { dryRun, maxMove, ip });
  }

  @Get('networks')
  async networks(@Me() me: SignedIn, @Query() { livemode }: AskedQuery): Promise<SoldNetworksDto> {
    const rows = await this.catalogue.listNetworks();
    const slugs = rows.map(({ slug }) => slug);
    const asked = await this.catalogue.asked(me, 'airtime', livemode, slugs);
    return { data: rows.map((row) => SoldNetworkDto.of(row, asked.get(row.slug))) };
  }

  @Get('billers')
  async billers(@Me() me: SignedIn, @Query() query: CatalogueQuery): Promise<SoldBillersDto> {
    const page = this.pages.open({ accountId: me.userId, livemode: true }, 'billers_of_platform', query);
    const rows = await this.catalogue.listBillers(query, page.after?.[0] ?? '', page.take);
    const codes = rows.map(({ code }) => code);
    const asked = await this.catalogue.asked(me, 'bills', query.livemode, codes);
    const { data, next_cursor } = page.of(
      rows,
      (row) => SoldBillerDto.of(row, asked.get(row.code)),
      ({ code }) => [code],
    );
    return { data, next_cursor };
  }

  @Get('billers/:code/items')
  async items(@Param('code') code: string): Promise<SoldItemsDto> {
    return { data: (await this.catalogue.listItems(code)).map(SoldItemDto.of) };
  }

  /** Whether a biller can be paid. */
  @Put('billers/:code')
  @InControlCell('person')
  @HttpCode(204)
  async switchBiller(
    @Me() me: SignedIn,
    @Param('code') code: string,
    @Body() { enabled, reason }: SwitchBillerDto,
    @Ip() ip: string,
  ): Promise<void> {
    await this.catalogue.switchBiller(me, code, { enabled, reason, ip });
  }
}
