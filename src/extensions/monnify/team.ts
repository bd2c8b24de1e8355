import { defineTeam } from '../../core/extension/teams';
import { MonnifyModule } from './monnify.module';

export const monnify = defineTeam({ name: 'monnify', module: MonnifyModule });
