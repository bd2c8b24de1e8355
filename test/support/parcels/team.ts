import { defineTeam } from '../../../src/core/extension/teams';
import { AcmeParcels1763500000002 } from './0001-parcels';
import { ParcelsModule } from './parcels.module';

declare module '../../../src/vocabulary/scopes' {
  interface TeamScopes {
    'parcels:read': true;
    'parcels:write': true;
  }
}
declare module '../../../src/vocabulary/id-prefixes' {
  interface TeamIdPrefixes {
    pcl: true;
  }
}
declare module '../../../src/vocabulary/event-types' {
  interface TeamEventTypes {
    'parcel.created': true;
  }
}

/** Everything that the team acme adds to the service. */
export const acme = defineTeam({
  name: 'acme',
  module: ParcelsModule,
  migrations: [AcmeParcels1763500000002],
  scopes: ['parcels:read', 'parcels:write'],
  idPrefixes: { pcl: 'acme_parcels' },
  verifyChecks: [
    { name: 'acme_parcels_have_labels', violations: `SELECT account_id, id FROM acme_parcels WHERE label = ''` },
  ],
  eventTypes: { 'parcel.created': 'pcl' },
});
