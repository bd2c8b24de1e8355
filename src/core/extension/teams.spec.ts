import { EVENT_TYPES, objectPrefixOf } from '../../vocabulary/event-types';
import { SCOPES } from '../../vocabulary/scopes';
import { openTeams, type Team } from './teams';

class ParcelsModule {}
class Parcels1763500000002 {}
class Unnumbered {}

/** As a manifest would be in JavaScript: words that nobody declared do not compile. */
const team = (name: string, more: object = {}): Team => ({ name, module: ParcelsModule, ...more });

const faultsOf = (...teams: Team[]): string[] => {
  try {
    openTeams(teams);
    return [];
  } catch (error) {
    const lines = (error as Error).message.split('\n').slice(1);
    return lines.map((line) => line.replace('  - ', ''));
  }
};

const WHOLE = {
  migrations: [Parcels1763500000002],
  scopes: ['parcels:read'],
  idPrefixes: { pcl: 'acme_parcels' },
  verifyChecks: [{ name: 'acme_parcels_have_labels', violations: 'SELECT 1' }],
  eventTypes: { 'parcel.created': 'pcl' },
};

describe('manifests of teams', () => {
  it('make words known, as often as the service is put together', () => {
    const before = [SCOPES.length, EVENT_TYPES.length];
    for (let times = 0; times < 2; times++) expect(faultsOf(team('acme', WHOLE), team('empty'))).toEqual([]);
    expect([SCOPES.length, EVENT_TYPES.length]).toEqual(before.map((length) => length + 1));
    expect(SCOPES).toContain('parcels:read');
    expect(objectPrefixOf('parcel.created' as never)).toBe('pcl');
  });

  it('stop the boot for a word that two teams have, all at once', () => {
    expect(faultsOf(team('acme', WHOLE), team('risk', WHOLE))).toEqual([
      'risk has the migration "Parcels1763500000002", and so has acme',
      'risk has the scope "parcels:read", and so has acme',
      'risk has the id prefix "pcl", and so has acme',
      'risk has the verify check "acme_parcels_have_labels", and so has acme',
      'risk has the event type "parcel.created", and so has acme',
      'risk has the event type "parcel.created", but events of parcel belong to acme',
    ]);
    expect(faultsOf(team('acme'), team('acme'))).toEqual(['acme has the name "acme" twice']);
  });

  it('stop the boot for a word of the service', () => {
    const taken = {
      scopes: ['wallets:read'],
      idPrefixes: { wal: 'x', pcl: 'y' },
      eventTypes: { 'wallet.created': 'pcl', 'card.lost': 'pcl' },
    };
    expect(faultsOf(team('acme', taken))).toEqual([
      'acme has the scope "wallets:read", and so has the service',
      'acme has the id prefix "wal", and so has the service',
      'acme has the event type "wallet.created", and so has the service',
      'acme has the event type "wallet.created", but events of wallet belong to the service',
      'acme has the event type "card.lost", but events of card belong to the service',
    ]);
  });

  it('stop the boot for what has not the form of its kind', () => {
    const wrong = {
      migrations: [Unnumbered],
      scopes: ['parcels'],
      idPrefixes: { parcels: 'parcels; DROP TABLE wallets' },
      eventTypes: { 'parcel.created': 'wal' },
    };
    expect(faultsOf(team('Acme', wrong)).map((fault) => fault.replace(/, \^.*/, ''))).toEqual([
      'Acme: "Acme" has not the form of a team\'s name',
      'Acme: "Unnumbered" has not the form of a team\'s migration',
      'Acme: "parcels" has not the form of a team\'s scope',
      'Acme: "parcels" has not the form of a team\'s id prefix',
      'Acme: "parcel.created" is about "wal", no id prefix of its own',
      'Acme: the table of the id prefix "parcels" is not the name of a table',
    ]);
  });
});
