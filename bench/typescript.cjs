// Lets node run the TypeScript of this folder, and what it imports from src, without a build of its own.
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { filename });
  module._compile(code, filename);
};
