import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ModeQuery } from './mode.dto';
import type { SignedIn } from './people.types';
import { scopesOf } from './roles.types';
import { SearchQuery } from './search.dto';
import { type Hit, SearchService } from './search.service';
import { Me, Needs } from './sessions.guard';
import { LedgerLinesService } from './ledger-lines.service';

/** What the public API does not show of transactions. */
@ApiExcludeController()
@Controller('dashboard/api/transactions')
export class DashboardTransactionsController {
  constructor(
    private readonly search: SearchService,
    private readonly lines: LedgerLinesService,
  ) {}

  @Get('search')
  @Needs('search')
  async find(@Me() { accountId, role }: SignedIn, @Query() { livemode, q }: SearchQuery): Promise<{ data: Hit[] }> {
    return { data: await this.search.find({ accountId, livemode, scopes: scopesOf(role, livemode) }, q.trim()) };
  }

  @Get(':id/ledger')
  @Needs('ledger')
  async ledger(
    @Me() { accountId }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
  ): Promise<{ data: object[] }> {
    return { data: await this.lines.of({ accountId, livemode }, id) };
  }
}
