import { defineTeam } from '../../core/extension/teams';
import { StripeModule } from './stripe.module';

export const stripe = defineTeam({ name: 'stripe', module: StripeModule });
