import { Body, Controller, Get, HttpCode, Ip, Param, Post, Query } from '@nestjs/common';
import { found } from '../../../../core/errors/domain-error';
import { decodeId, encodeId } from '../../../../core/http/ids';
import { Pages } from '../../../../core/http/pages';
import { Me, Needs } from '../../people/sessions.guard';
import type { SignedIn } from '../../people/sessions.service';
import {
  AccountMoneyDto,
  AccountsQuery,
  AccountStoryDto,
  EndSessionsDto,
  PlatformAccountDto,
  PlatformAccountsDto,
} from './accounts.dto';
import { PlatformAccounts } from './platform-accounts.service';

/** Accounts of the platform, for operators. */
@Needs('operator')
@Controller('dashboard/api/operators/accounts')
export class PlatformAccountsController {
  constructor(
    private readonly accounts: PlatformAccounts,
    private readonly pages: Pages,
  ) {}

  @Get()
  async list(@Me() me: SignedIn, @Query() query: AccountsQuery): Promise<PlatformAccountsDto> {
    const page = this.pages.open({ accountId: me.userId, livemode: true }, 'accounts_of_platform', query);
    const rows = await this.accounts.list(query, page.after?.[0] ?? null, page.take);
    const { data, next_cursor } = page.of(rows, PlatformAccountDto.of, ({ id }) => [id]);
    return { data, next_cursor };
  }

  @Get(':id')
  async get(@Param('id') id: string): Promise<AccountStoryDto> {
    const { account, wallets, volume, people, keys } = await this.accounts.require(decodeId('acct', id));
    return {
      account: PlatformAccountDto.of(account),
      wallets: wallets.map(AccountMoneyDto.of),
      volume: volume.map(AccountMoneyDto.of),
      people: people.map(({ userId, lastSeenAt, ...person }) => ({
        ...person,
        user_id: userId && encodeId('usr', userId),
        last_seen_at: lastSeenAt,
      })),
      keys: [...keys],
    };
  }

  @Post(':id/people/:user_id/end-sessions')
  @HttpCode(204)
  async endSessions(
    @Me() me: SignedIn,
    @Param('id') id: string,
    @Param('user_id') userId: string,
    @Body() { reason }: EndSessionsDto,
    @Ip() ip: string,
  ): Promise<void> {
    const accountId = found(decodeId('acct', id), 'account');
    await this.accounts.endSessions(me, { accountId, userId: decodeId('usr', userId) }, { reason, ip });
  }
}
