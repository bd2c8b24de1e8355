import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Text } from '../../../core/http/fields';
import { ModeQuery } from '../mode.dto';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { scopesOf } from '../roles';
import { DashboardTransactions, type Hit } from './transactions.service';

class SearchQuery extends ModeQuery {
  @Text(128)
  q: string;
}

/** What the public API does not show of transactions. */
@ApiExcludeController()
@Controller('dashboard/api/transactions')
export class DashboardTransactionsController {
  constructor(private readonly transactions: DashboardTransactions) {}

  @Get('search')
  @Needs('search')
  async find(@Me() { accountId, role }: SignedIn, @Query() { livemode, q }: SearchQuery): Promise<{ data: Hit[] }> {
    return {
      data: await this.transactions.search({ accountId, livemode, scopes: scopesOf(role, livemode) }, q.trim()),
    };
  }

  @Get(':id/ledger')
  @Needs('ledger')
  async ledger(
    @Me() { accountId }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
  ): Promise<{ data: object[] }> {
    return { data: await this.transactions.ledgerLines({ accountId, livemode }, id) };
  }
}
