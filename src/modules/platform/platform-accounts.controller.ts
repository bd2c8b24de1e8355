import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { encodeId } from '../../core/http/ids';
import { type List, Pages } from '../../core/http/pages';
import { CurrentOperator, type OperatorCaller } from '../../core/http/platform-door';
import { PageQuery } from '../../core/http/query-fields';
import { AccountsService } from '../accounts/accounts.service';
import { AccountDeeds } from './account-deeds.service';
import { idOf, presentAccount, ReasonedDto, RequireKeyDto, SetOperatorDto, SetTierDto } from './platform.dto';

const { orderOf } = ReasonedDto;

/** Accounts, their keys, and who is an operator. */
@ApiExcludeController()
@Controller('v4/platform')
export class PlatformAccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly deeds: AccountDeeds,
    private readonly pages: Pages,
  ) {}

  @Get('accounts')
  async list(@CurrentOperator() { userId }: OperatorCaller, @Query() query: PageQuery): Promise<List<object>> {
    const page = this.pages.open({ accountId: userId, livemode: true }, 'platform_accounts', query);
    return page.of(await this.accounts.list(page.after?.[0] ?? null, page.take), presentAccount, ({ id }) => [id]);
  }

  @Get('accounts/:id')
  async get(@Param('id') id: string): Promise<object> {
    return presentAccount(await this.accounts.require(idOf('acct', id, 'account')));
  }

  @Post('accounts/:id/enable-live')
  @HttpCode(200)
  async enableLive(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    return presentAccount(await this.deeds.setLive(orderOf(body, me), idOf('acct', id, 'account'), true));
  }

  @Post('accounts/:id/disable-live')
  @HttpCode(200)
  async disableLive(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    return presentAccount(await this.deeds.setLive(orderOf(body, me), idOf('acct', id, 'account'), false));
  }

  @Post('accounts/:id/tier')
  @HttpCode(200)
  async setTier(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: SetTierDto,
  ): Promise<object> {
    return presentAccount(await this.deeds.setTier(orderOf(body, me), idOf('acct', id, 'account'), body.tier));
  }

  @Post('accounts/:id/require-key')
  @HttpCode(200)
  async requireKey(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: RequireKeyDto,
  ): Promise<object> {
    return presentAccount(
      await this.deeds.setKeyRequired(orderOf(body, me), idOf('acct', id, 'account'), body.required),
    );
  }

  @Post('keys/:id/revoke')
  @HttpCode(200)
  async revokeKey(
    @CurrentOperator() me: OperatorCaller,
    @Param('id') id: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    const key = await this.deeds.revokeKey(async () => orderOf(body, me), idOf('key', id, 'key'));
    return { id: encodeId('key', key.id), account_id: encodeId('acct', key.accountId), revoked_at: key.revokedAt };
  }

  @Post('operators')
  @HttpCode(200)
  async setOperator(@CurrentOperator() me: OperatorCaller, @Body() body: SetOperatorDto): Promise<object> {
    const { email, operator } = await this.deeds.setOperator(orderOf(body, me), body.email, body.operator);
    return { email, operator };
  }

  @Post('billers/:code/enable')
  @HttpCode(200)
  enableBiller(
    @CurrentOperator() me: OperatorCaller,
    @Param('code') code: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    return this.deeds.switchBiller(orderOf(body, me), code, true);
  }

  @Post('billers/:code/disable')
  @HttpCode(200)
  disableBiller(
    @CurrentOperator() me: OperatorCaller,
    @Param('code') code: string,
    @Body() body: ReasonedDto,
  ): Promise<object> {
    return this.deeds.switchBiller(orderOf(body, me), code, false);
  }
}
