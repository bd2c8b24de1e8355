import { defineTeam } from '../../core/extension/teams';
import { FlutterwaveModule } from './flutterwave.module';

export const flutterwave = defineTeam({ name: 'flutterwave', module: FlutterwaveModule });
