import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Env } from '../../core/config/env';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { Scope } from '../../core/http/route-markers';
import { AccountsService } from '../accounts/accounts.service';
import { AccountDto } from './wallet.dto';
import { WalletsService } from './wallets.service';

const WALLETS_MAX = 100;

/** Lives beside the wallets, because accounts know no resource. */
@ApiTags('Account')
@Controller('v4/account')
export class AccountController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly wallets: WalletsService,
    private readonly env: Env,
  ) {}

  @Get()
  @Scope('account:read')
  @ApiOperation({
    operationId: 'get_account',
    summary: 'Fetch the account behind the key: name, mode, wallets and limits',
  })
  @ApiOkResponse({ type: AccountDto })
  async get(@CurrentCaller() caller: Caller): Promise<AccountDto> {
    const [account, wallets] = await Promise.all([
      this.accounts.require(caller.accountId),
      this.wallets.list(caller, {}, null, WALLETS_MAX),
    ]);
    return AccountDto.of(
      account,
      caller.livemode,
      wallets,
      caller.livemode ? this.env.RATE_LIMIT_LIVE : this.env.RATE_LIMIT_TEST,
    );
  }
}
