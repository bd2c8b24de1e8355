import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock } from '../../core/clock/clock';
import { Wakers } from '../../core/clock/wakers';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { IdempotentRequest } from '../../core/http/idempotency-key';
import { Scope } from '../../core/http/route-markers';
import type { RequestClaim } from '../../core/idempotency/claim';
import { AdvanceClockDto, SandboxClockDto } from './clock.dto';
import { TestModeGuard } from './test-mode.guard';

@ApiTags('Sandbox')
@Controller('v4/sandbox/clock')
@UseGuards(TestModeGuard)
export class ClockController {
  constructor(
    private readonly clock: Clock,
    private readonly wakers: Wakers,
  ) {}

  @Get()
  @Scope('purchases:read')
  @ApiOperation({ operationId: 'get_sandbox_clock', summary: 'Read the clock of your test mode' })
  @ApiOkResponse({ type: SandboxClockDto })
  async get(@CurrentCaller() caller: Caller): Promise<SandboxClockDto> {
    return SandboxClockDto.of(await this.clock.offsetMs(caller));
  }

  @Post('advance')
  @HttpCode(200)
  @Scope('sandbox:write')
  @ApiOperation({
    operationId: 'advance_sandbox_clock',
    summary: 'Move the clock of your test mode forward, and do what became due',
  })
  @ApiOkResponse({
    type: SandboxClockDto,
    description: 'The clock moved, and what became due was done; webhooks that became due are on their way.',
  })
  async advance(
    @CurrentCaller() caller: Caller,
    @Body() { seconds }: AdvanceClockDto,
    @IdempotentRequest() request: RequestClaim,
  ): Promise<SandboxClockDto> {
    const isMoved = await this.clock.advance(caller.accountId, seconds * 1_000, request);
    await this.wakers.wake(caller.accountId);
    return answer(await this.get(caller), { changed: true, replayedBy: isMoved ? null : 'key' });
  }
}
