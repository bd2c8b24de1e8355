import { Module } from '@nestjs/common';
import { OpenExchangeRates } from './openexchangerates';

/** What currencies are worth, by Open Exchange Rates. */
@Module({ providers: [OpenExchangeRates] })
export class OpenExchangeRatesModule {}
