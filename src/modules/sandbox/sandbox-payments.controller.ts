import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { answer } from '../../core/http/answer';
import { CurrentCaller, type Caller } from '../../core/http/caller';
import { Scope } from '../../core/http/route-markers';
import { PaymentReads } from '../payments/payment-reads';
import { SandboxDesk } from '../payments/sandbox/sandbox-desk';
import { CompletePaymentDto } from './sandbox-payments.dto';
import { TestModeGuard } from './test-mode.guard';

/** Plays the gateways that payments depend on. */
@ApiTags('Sandbox')
@Scope('sandbox:write')
@Controller('v4/sandbox/payments')
@UseGuards(TestModeGuard)
export class SandboxPaymentsController {
  constructor(
    private readonly desk: SandboxDesk,
    private readonly reads: PaymentReads,
  ) {}

  @Post(':id/complete')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'complete_sandbox_payment',
    summary: 'Decide what the gateway of a test payment says from now on, and have it call back',
  })
  @ApiOkResponse({ schema: { $ref: getSchemaPath('PaymentDto') }, description: 'The payment after the callback.' })
  async complete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { status }: CompletePaymentDto,
  ): Promise<object> {
    const payment = await this.reads.require(caller, id);
    return answer(this.reads.show(await this.desk.complete(payment, status)), { changed: true });
  }
}
