// Builds the dashboard's page into dashboard/dist; --when-stale: if a source is newer than the last build.
import { buildPages } from './pages.mjs';

buildPages({
  name: 'The dashboard',
  folder: 'dashboard',
  address: '/dashboard',
  inputs: ['src', 'public', 'index.html', 'vite.config.ts', 'package-lock.json', 'scripts', '../src/vocabulary'],
  commands: [
    ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'],
    ['scripts/first-load.mjs', '--quiet'],
    ['scripts/compress.mjs'],
  ],
});
