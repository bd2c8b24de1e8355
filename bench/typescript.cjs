// Lets node run the TypeScript of this folder, and what it imports from src, without a build of its own. What was transformed
// is kept in node_modules/.cache, by its content.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');

const CACHE = path.join(__dirname, '../node_modules/.cache/duka-typescript');
const OPTIONS = readFileSync(path.join(__dirname, '../.swcrc'));
mkdirSync(CACHE, { recursive: true });
enableCompileCache(path.join(CACHE, 'compiled'));

require.extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  const kept = path.join(CACHE, createHash('sha256').update(OPTIONS).update(filename).update(source).digest('hex'));
  if (!existsSync(kept)) {
    // Under another name first: of two processes at once, none reads half a file.
    writeFileSync(`${kept}.${process.pid}`, require('@swc/core').transformSync(source, { filename }).code);
    renameSync(`${kept}.${process.pid}`, kept);
  }
  module._compile(readFileSync(kept, 'utf8'), filename);
};

// `./scenarios` is scenarios.ts, as in the build, and not the scenarios.json beside it: extensions are tried in this order.
for (const extension of ['.json', '.node']) {
  const load = require.extensions[extension];
  delete require.extensions[extension];
  require.extensions[extension] = load;
}
