import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { WalletsModule } from '../wallets/wallets.module';
import { Conversion } from './conversion.entity';
import { ConversionResources, ConversionsController } from './conversions.controller';
import { ConversionsService } from './conversions.service';
import { Quote } from './quote.entity';
import { QuotesService } from './quotes.service';
import { RatesService } from './rates.service';

/** Money of one currency for money of another: rates, quotes, conversions. */
@Module({
  imports: [TypeOrmModule.forFeature([Quote, Conversion]), AccountsModule, LedgerModule, WalletsModule],
  controllers: [ConversionsController],
  providers: [RatesService, QuotesService, ConversionsService, ConversionResources],
  exports: [RatesService],
})
export class ConversionsModule {}
