import { Module } from '@nestjs/common';
import { CallbacksController } from './callbacks.controller';
import { CallbacksService } from './callbacks.service';
import { CheckoutController } from './checkout.controller';
import { CheckoutService } from './checkout.service';
import { CheckoutStyleController } from './checkout-style.controller';
import { GatewaysModule } from './gateways.module';
import { SandboxBank } from './providers/sandbox/sandbox-bank.service';
import { SandboxDesk } from './providers/sandbox/sandbox-desk.service';
import { SandboxPageController } from './providers/sandbox/sandbox-page.controller';
import { SandboxBankTransfer, SandboxCard } from './providers/sandbox/sandbox.provider';
import { SettlementModule } from './settlement.module';

/** What payers and gateways reach without a key, and the gateways of the sandbox. */
@Module({
  imports: [GatewaysModule, SettlementModule],
  controllers: [CheckoutStyleController, SandboxPageController, CheckoutController, CallbacksController],
  providers: [CallbacksService, CheckoutService, SandboxBank, SandboxBankTransfer, SandboxCard, SandboxDesk],
  exports: [SandboxDesk],
})
export class CheckoutModule {}
