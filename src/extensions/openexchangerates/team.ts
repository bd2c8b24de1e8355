import { defineTeam } from '../../core/extension/teams';
import { OpenExchangeRatesModule } from './openexchangerates.module';

export const openexchangerates = defineTeam({ name: 'openexchangerates', module: OpenExchangeRatesModule });
