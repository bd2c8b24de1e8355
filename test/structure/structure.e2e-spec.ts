import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { figures } from './figures';

const LIMITS = JSON.parse(readFileSync(join(__dirname, 'kept.json'), 'utf8')) as Record<string, number>;

// Files and lines grow with what the service can do; these do not.
const grows = (name: string) => ['files', 'lines', 'median lines', 'Nest modules'].includes(name);

// `npm run structure` prints all figures; `-- --write` keeps them; `-- --files=purchase` lists the files of a journey.
it('no figure of the structure is worse than the one that is kept', () => {
  const now = figures();
  expect(Object.keys(now)).toEqual(Object.keys(LIMITS));
  expect(Object.entries(now).filter(([name, figure]) => !grows(name) && figure > LIMITS[name]!)).toEqual([]);
});
