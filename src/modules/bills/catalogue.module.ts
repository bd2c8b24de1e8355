import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { PurchasesModule } from '../purchases/purchases.module';
import { PricingModule } from '../pricing/pricing.module';
import { BillCategory } from './bill-category.entity';
import { Biller } from './biller.entity';
import { BillerItem } from './biller-item.entity';
import { BillerResources } from './biller-resources.service';
import { BillerSwitchService } from './biller-switch.service';
import { CatalogueController } from './catalogue.controller';
import { CatalogueService } from './catalogue.service';
import { OffersService } from './offers.service';

/** What can be paid for. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BillCategory, Biller, BillerItem]),
    AccountsModule,
    PurchasesModule,
    PricingModule,
  ],
  controllers: [CatalogueController],
  providers: [CatalogueService, OffersService, BillerSwitchService, BillerResources],
  exports: [BillerSwitchService, CatalogueService],
})
export class CatalogueModule {}
