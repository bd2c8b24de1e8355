import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PurchasesModule } from '../purchases/purchases.module';
import { TransactionsModule } from '../transactions/transactions.module';
import { Bank, BankResolution } from './bank.entity';
import { BanksService } from './banks.service';
import { BeneficiariesController } from './beneficiaries.controller';
import { BeneficiariesService } from './beneficiaries.service';
import { Beneficiary } from './beneficiary.entity';
import { PayoutApproval, PayoutRule } from './payout-rule.entity';
import { BanksController, PayoutsController } from './payouts.controller';
import { PayoutsService } from './payouts.service';
import { SandboxBackupPayouts, SandboxPayouts } from './providers/sandbox/sandbox.provider';

/** Money to bank accounts. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Bank, BankResolution, Beneficiary, PayoutRule, PayoutApproval]),
    PurchasesModule,
    TransactionsModule,
  ],
  controllers: [BanksController, BeneficiariesController, PayoutsController],
  providers: [BanksService, BeneficiariesService, PayoutsService, SandboxPayouts, SandboxBackupPayouts],
  exports: [PayoutsService],
})
export class PayoutsModule {}
