import { Body, Controller, Get, HttpCode, Ip, Param, Post, Query } from '@nestjs/common';
import { PayoutsService } from '../../payouts/payouts.service';
import { TransactionDto } from '../../transactions/transaction.dto';
import { auditWrite } from '../audit.service';
import { LiveModeLocked } from '../dashboard.errors';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { DecidePayoutDto, PayoutApprovalDto, PayoutApprovalsDto } from './approvals.dto';
import { ApprovalsService } from './approvals.service';
import { ModeQuery } from './overview.dto';

/** What waits for a second person: no key is one, so it is decided here only. */
@Controller('dashboard/api')
export class ApprovalsController {
  constructor(
    private readonly payouts: PayoutsService,
    private readonly approvals: ApprovalsService,
  ) {}

  @Get('payouts/waiting')
  @Needs('overview')
  waiting(@Me() { accountId, userId }: SignedIn, @Query() { livemode }: ModeQuery): Promise<PayoutApprovalsDto> {
    return this.approvals.waiting({ accountId, livemode }, userId);
  }

  @Get('payouts/:id/approval')
  @Needs('overview')
  approval(
    @Me() { accountId, userId }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
  ): Promise<PayoutApprovalDto> {
    return this.approvals.require({ accountId, livemode }, id, userId);
  }

  @Post('payouts/:id/decide')
  @HttpCode(200)
  @Needs('payouts:approve')
  async decide(
    @Me() { accountId, userId, email: actor, liveEnabled }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
    @Body() { decision, reason = null }: DecidePayoutDto,
    @Ip() ip: string,
  ): Promise<TransactionDto> {
    if (livemode && !liveEnabled) throw new LiveModeLocked();
    const detail = { livemode, ...(reason && { reason }) };
    const writes = [auditWrite({ accountId, userId, actor, action: `payout.${decision}`, target: id, ip, detail })];
    return TransactionDto.of(
      await this.payouts.decide({ accountId, livemode }, id, { decision, decidedBy: userId, writes }),
    );
  }
}
