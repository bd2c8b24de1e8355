import { defineTeam } from '../../core/extension/teams';
import { DtoneModule } from './dtone.module';

export const dtone = defineTeam({ name: 'dtone', module: DtoneModule });
