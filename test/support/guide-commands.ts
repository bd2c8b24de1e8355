import type { Wanted } from '../../src/cli/new';

/** What a guide has its reader make: `npm run duka -- new provider fastel`. */
export const commandsOf = (guide: string): Pick<Wanted, 'kind' | 'name' | 'team'>[] =>
  [...guide.matchAll(/npm run duka -- new (\w+) ([\w-]+)(?: --team ([\w-]+))?/g)].map(([, kind, name, team]) => ({
    kind: kind!,
    name: name!,
    team: team ?? name!,
  }));
