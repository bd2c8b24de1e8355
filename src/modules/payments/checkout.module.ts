import { Module } from '@nestjs/common';
import { CallbacksController } from './callbacks.controller';
import { CallbacksService } from './callbacks.service';
import { CheckoutService } from './checkout.service';
import { CheckoutController, CheckoutStyleController } from './checkout/checkout.controller';
import { GatewaysModule } from './gateways.module';
import { SandboxDesk } from './sandbox/sandbox-desk';
import { SandboxPageController } from './sandbox/sandbox-page.controller';
import { SandboxBank, SandboxBankTransfer, SandboxCard } from './sandbox/sandbox.provider';
import { SettlementModule } from './settlement.module';

/** What payers and gateways reach without a key, and the gateways of the sandbox. */
@Module({
  imports: [GatewaysModule, SettlementModule],
  controllers: [CheckoutStyleController, SandboxPageController, CheckoutController, CallbacksController],
  providers: [CallbacksService, CheckoutService, SandboxBank, SandboxBankTransfer, SandboxCard, SandboxDesk],
  exports: [SandboxDesk],
})
export class CheckoutModule {}
