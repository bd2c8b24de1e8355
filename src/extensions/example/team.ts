import { defineTeam } from '../../core/extension/teams';
import { ExampleModule } from './example.module';

export const example = defineTeam({ name: 'example', module: ExampleModule });
