import { defineTeam } from '../../core/extension/teams';
import { PaystackModule } from './paystack.module';

export const paystack = defineTeam({ name: 'paystack', module: PaystackModule });
