import { defineTeam } from '../../core/extension/teams';
import { ReloadlyModule } from './reloadly.module';

export const reloadly = defineTeam({ name: 'reloadly', module: ReloadlyModule });
