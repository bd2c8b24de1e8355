import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { PricingModule } from '../pricing/pricing.module';
import { BillCategory, Biller, BillerItem } from './biller.entity';
import { BillerResources } from './biller-resources.service';
import { BillerSwitchService } from './biller-switch.service';
import { CatalogueController } from './catalogue.controller';
import { CatalogueService } from './catalogue.service';

/** What can be paid for. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BillCategory, Biller, BillerItem]),
    AccountsModule,
    PurchasesModule,
    PricingModule,
  ],
  controllers: [CatalogueController],
  providers: [CatalogueService, BillerSwitchService, BillerResources],
  exports: [BillerSwitchService, CatalogueService],
})
export class CatalogueModule {}
