import { defineTeam } from '../../core/extension/teams';
import { VtpassModule } from './vtpass.module';

export const vtpass = defineTeam({ name: 'vtpass', module: VtpassModule });
