import { Body, Controller, Get, HttpCode, Ip, Param, Post, Query } from '@nestjs/common';
import { Approvals } from '../../transactions/approvals';
import { TransactionDto } from '../../transactions/transaction.dto';
import { auditWrite } from '../audit.service';
import { LiveModeLocked } from '../dashboard.errors';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { DecideDto, NeededApprovalDto, NeededApprovalsDto } from './approvals.dto';
import { ApprovalsService } from './approvals.service';
import { ModeQuery } from './overview.dto';

/** What waits for a second person: no key is one, so it is decided here only. */
@Controller('dashboard/api/approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: Approvals,
    private readonly shown: ApprovalsService,
  ) {}

  @Get()
  @Needs('overview')
  waiting(@Me() { accountId, userId }: SignedIn, @Query() { livemode }: ModeQuery): Promise<NeededApprovalsDto> {
    return this.shown.waiting({ accountId, livemode }, userId);
  }

  @Get(':id')
  @Needs('overview')
  approval(
    @Me() { accountId, userId }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
  ): Promise<NeededApprovalDto> {
    return this.shown.require({ accountId, livemode }, id, userId);
  }

  @Post(':id/decide')
  @HttpCode(200)
  @Needs('approvals:decide')
  async decide(
    @Me() { accountId, userId, email: actor, liveEnabled }: SignedIn,
    @Param('id') id: string,
    @Query() { livemode }: ModeQuery,
    @Body() { decision, reason = null }: DecideDto,
    @Ip() ip: string,
  ): Promise<TransactionDto> {
    if (livemode && !liveEnabled) throw new LiveModeLocked();
    const viewer = { accountId, livemode };
    const action = `${await this.shown.kindOf(viewer, id)}.${decision}`;
    const detail = { livemode, ...(reason && { reason }) };
    const writes = [auditWrite({ accountId, userId, actor, action, target: id, ip, detail })];
    return TransactionDto.of(await this.approvals.decide(viewer, id, { decision, decidedBy: userId, writes }));
  }
}
