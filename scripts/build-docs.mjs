// Builds the site at /docs into docs-site/dist; --when-stale: if a page or a source is newer than the last build.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPages } from './pages.mjs';

const own = readdirSync(join(import.meta.dirname, '..', 'docs-site')).filter((name) => name.endsWith('.mjs'));

buildPages({
  name: 'The documentation',
  folder: 'docs-site',
  address: '/docs',
  inputs: [...own, 'client', 'pages', 'package-lock.json', '../docs', '../dashboard/public/icon.svg'].concat(
    ['ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY'].map((page) => `../${page}.md`),
  ),
  commands: [['build.mjs']],
});
