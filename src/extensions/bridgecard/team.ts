import { defineTeam } from '../../core/extension/teams';
import { BridgecardModule } from './bridgecard.module';

export const bridgecard = defineTeam({ name: 'bridgecard', module: BridgecardModule });
