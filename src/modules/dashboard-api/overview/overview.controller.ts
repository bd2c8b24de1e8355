import { Controller, Get, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { encodeId } from '../../../core/http/ids';
import type { Currency } from '../../../core/money/currencies';
import { AMOUNT_MAX, displayMoney, toJsonNumber } from '../../../core/money/money';
import { WalletsService } from '../../wallets/wallets.service';
import { ModeQuery } from '../mode.dto';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { type Day, OverviewService } from './overview.service';

type Wallet = Awaited<ReturnType<WalletsService['list']>>[number];

const presentWallet = ({ id, currency, label, status, available, held }: Wallet) => ({
  id: encodeId('wal', id),
  currency,
  label,
  status,
  available: toJsonNumber(available),
  held: toJsonNumber(held),
  available_display: displayMoney({ amount: available, currency }),
  held_display: displayMoney({ amount: held, currency }),
});

const presentDay = ({ day, currency, count, successful, amount_in: amountIn, amount_out: amountOut }: Day) => ({
  day: day.toISOString().slice(0, 10),
  currency,
  count,
  successful,
  ...sumOf('amount_in', BigInt(amountIn), currency),
  ...sumOf('amount_out', BigInt(amountOut), currency),
});

/** Many amounts that each are a JSON number may sum to more than one: then the number is null, and the text says it. */
const sumOf = (name: 'amount_in' | 'amount_out', amount: bigint, currency: string) => ({
  [name]: amount > AMOUNT_MAX ? null : toJsonNumber(amount),
  [`${name}_display`]: displayMoney({ amount, currency: currency as Currency }),
});

/** Of what ended; null when nothing did. */
function successRate(days: readonly Day[]): number | null {
  const successful = days.reduce((sum, day) => sum + day.successful, 0);
  const ended = days.reduce((sum, day) => sum + day.unsuccessful, successful);
  return ended === 0 ? null : successful / ended;
}

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
