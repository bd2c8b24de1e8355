import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module';
import { LedgerModule } from '../ledger/ledger.module';
import { WalletsModule } from '../wallets/wallets.module';
import { Conversion } from './conversion.entity';
import { ConversionResources, ConversionsController } from './conversions.controller';
import { ConversionsService } from './conversions.service';
import { ExchangeService } from './exchange.service';
import { Quote } from './quote.entity';
import { QuotesService } from './quotes.service';
import { ProvidedRates } from './provided-rates';
import { RatesService } from './rates.service';
import { SandboxRates } from './sandbox/sandbox.provider';

/** Money of one currency for money of another: rates, quotes, conversions. */
@Module({
  imports: [TypeOrmModule.forFeature([Quote, Conversion]), AccountsModule, LedgerModule, WalletsModule],
  controllers: [ConversionsController],
  providers: [
    RatesService,
    ProvidedRates,
    SandboxRates,
    QuotesService,
    ConversionsService,
    ExchangeService,
    ConversionResources,
  ],
  exports: [RatesService, ExchangeService],
})
export class ConversionsModule {}
