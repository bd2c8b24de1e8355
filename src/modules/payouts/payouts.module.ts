import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BeneficiariesModule } from '../beneficiaries/beneficiaries.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { Bank, BankResolution } from './bank.entity';
import { BanksService } from './banks.service';
import { PayoutRule } from './payout-rule.entity';
import { BanksController, PayoutsController } from './payouts.controller';
import { PayoutsService } from './payouts.service';
import { SandboxBackupPayouts, SandboxPayouts } from './providers/sandbox/sandbox.provider';

/** Money to bank accounts. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Bank, BankResolution, PayoutRule]),
    BeneficiariesModule,
    PurchasesModule,
    TransactionsModule,
  ],
  controllers: [BanksController, PayoutsController],
  providers: [BanksService, PayoutsService, SandboxPayouts, SandboxBackupPayouts],
  exports: [PayoutsService],
})
export class PayoutsModule {}
