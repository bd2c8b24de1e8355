import { Body, Controller, HttpCode, Ip, Param, Post, Query } from '@nestjs/common';
import { OneOf } from '../../../core/http/fields';
import { PayoutsService } from '../../payouts/payouts.service';
import { TransactionDto } from '../../transactions/transaction.dto';
import { auditWrite } from '../audit.service';
import { LiveModeLocked } from '../dashboard.errors';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { ModeQuery } from './overview.dto';

const DECISIONS = ['approved', 'declined'] as const;

export class DecidePayoutDto {
  @OneOf(DECISIONS)
  decision: (typeof DECISIONS)[number];
}

/** What waits for a second person: no key is one, so it is decided here only. */
@Controller('dashboard/api')
export class ApprovalsController {
  constructor(private readonly payouts: PayoutsService) {}

  @Post('payouts/:id/decide')
  @HttpCode(200)
  @Needs('payouts:approve')
  async decide(
    @Me() { accountId, userId, email: actor, liveEnabled }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
    @Body() { decision }: DecidePayoutDto,
    @Ip() ip: string,
  ): Promise<TransactionDto> {
    if (livemode && !liveEnabled) throw new LiveModeLocked();
    const entry = { accountId, userId, actor, action: `payout.${decision}`, target: id, ip, detail: { livemode } };
    const writes = [auditWrite(entry)];
    return TransactionDto.of(
      await this.payouts.decide({ accountId, livemode }, id, { decision, decidedBy: userId, writes }),
    );
  }
}
