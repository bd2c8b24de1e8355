import { defineTeam } from '../../../src/core/extension/teams';
import { GrowthContacts1763500000001 } from './0001-contacts';
import { GrowthModule } from './growth.module';

declare module '../../../src/vocabulary/scopes' {
  interface TeamScopes {
    'contacts:read': true;
    'contacts:write': true;
  }
}

export const growth = defineTeam({
  name: 'growth',
  module: GrowthModule,
  migrations: [GrowthContacts1763500000001],
  scopes: ['contacts:read', 'contacts:write'],
});
