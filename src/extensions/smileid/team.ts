import { defineTeam } from '../../core/extension/teams';
import { SmileIdModule } from './smileid.module';

export const smileid = defineTeam({ name: 'smileid', module: SmileIdModule });
