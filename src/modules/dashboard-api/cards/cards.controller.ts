import { Controller, Get, Param, Query } from '@nestjs/common';
import { Clock } from '../../../core/clock/clock';
import { Pages } from '../../../core/http/pages';
import type { Viewer } from '../../../core/resources/resources';
import { CardOverview } from '../../cards/card-overview';
import { CardTransactionDto } from '../../cards/card-transaction.dto';
import { ModeQuery } from '../overview/overview.dto';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import {
  CardSpendingDto,
  CardUsesDto,
  CardUsesQuery,
  CustomerAllowanceDto,
  CustomerSearchQuery,
  FoundCustomerDto,
  FoundCustomersDto,
} from './cards.dto';

/** What the public API does not tell of cardholders, and of what was done with cards. */
@Needs('search')
@Controller('dashboard/api')
export class DashboardCardsController {
  constructor(
    private readonly cards: CardOverview,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  @Get('customers')
  async customers(@Me() { accountId }: SignedIn, @Query() query: CustomerSearchQuery): Promise<FoundCustomersDto> {
    const viewer = { accountId, livemode: query.livemode };
    const search = CustomerSearchQuery.searchOf(query);
    const page = this.pages.open(viewer, 'dashboard_customers', query);
    const [rows, total] = await Promise.all([
      this.cards.listCustomers(viewer, search, page.after?.[0] ?? null, page.take),
      this.cards.countCustomers(viewer, search),
    ]);
    const { data, next_cursor } = page.of(rows, FoundCustomerDto.of, ({ id }) => [id]);
    return this.shown(viewer, { data, total, next_cursor });
  }

  /** What a cardholder may have on cards, and what is left of it. */
  @Get('customers/:id/allowance')
  async allowance(
    @Me() { accountId }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
  ): Promise<CustomerAllowanceDto> {
    return CustomerAllowanceDto.of(await this.cards.allowance({ accountId, livemode }, id));
  }

  /** What was done with all cards. */
  @Get('card-transactions')
  async uses(@Me() { accountId }: SignedIn, @Query() query: CardUsesQuery): Promise<CardUsesDto> {
    const viewer = { accountId, livemode: query.livemode };
    const page = this.pages.open(viewer, 'dashboard_card_transactions', query);
    const times = await this.clock.times(viewer);
    const { created_gte: from, created_lt: before } = query;
    const search = {
      ...query,
      ...(times && from && { created_gte: times.from(from) }),
      ...(times && before && { created_lt: times.before(before) }),
    };
    const rows = await this.cards.listUses(viewer, search, page.after?.[0] ?? null, page.take);
    const { data, next_cursor } = page.of(rows, CardTransactionDto.of, ({ id }) => [id]);
    return this.shown(viewer, { data, next_cursor });
  }

  @Get('card-transactions/:id')
  async use(
    @Me() { accountId }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
  ): Promise<CardTransactionDto> {
    const viewer = { accountId, livemode };
    return this.shown(viewer, CardTransactionDto.of(await this.cards.use(viewer, id)));
  }

  /** What a card was used for within 30 days, by merchant category. */
  @Get('cards/:id/spending')
  async spending(
    @Me() { accountId }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
  ): Promise<CardSpendingDto> {
    return CardSpendingDto.of(await this.cards.spending({ accountId, livemode }, id));
  }

  /** Times as the account's clock said them. */
  private async shown<T>(viewer: Viewer, answer: T): Promise<T> {
    return (await this.clock.times(viewer))?.present(answer) ?? answer;
  }
}
