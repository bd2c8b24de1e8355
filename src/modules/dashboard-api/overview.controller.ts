import { Controller, Get, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { WalletsService } from '../wallets/wallets.service';
import { ModeQuery } from './mode.dto';
import { presentDay, presentWallet, successRate } from './overview.dto';
import { OverviewService } from './overview.service';
import type { SignedIn } from './people.types';
import { Me, Needs } from './sessions.guard';

const WALLETS_MAX = 100;

@ApiExcludeController()
@Needs('overview')
@Controller('dashboard/api/overview')
export class OverviewController {
  constructor(
    private readonly wallets: WalletsService,
    private readonly overview: OverviewService,
  ) {}

  @Get()
  async get(@Me() me: SignedIn, @Query() { livemode }: ModeQuery): Promise<object> {
    const viewer = { accountId: me.accountId, livemode };
    const [wallets, days, steps] = await Promise.all([
      this.wallets.list(viewer, {}, null, WALLETS_MAX),
      this.overview.days(viewer),
      this.overview.steps(viewer),
    ]);
    return {
      wallets: wallets.map(presentWallet),
      days: days.map(presentDay),
      success_rate: successRate(days),
      checklist: { ...steps, totp_enabled: me.totpEnabled, live_enabled: me.liveEnabled },
    };
  }
}
