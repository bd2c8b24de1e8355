const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { createContext } = vm;

/** By the name of its file: the source of a module that a test file required, and what V8 made of it. */
const compiled = new Map();
/** Of the test file that runs. */
const fresh = [];

/**
 * As jest has modules compiled, each for every test file again, from what was compiled for the file before: bytes that belong to no
 * context, so that no module is kept alive by them. A test file itself is never asked for twice.
 */
vm.compileFunction = (source, parameters, { filename, importModuleDynamically, parsingContext }) => {
  const known = compiled.get(filename);
  const cachedData = known?.source === source ? known.data : undefined;
  const begin = `(function (${parameters.join()}) {`;
  const columnOffset = -begin.length;
  const script = new vm.Script(`${begin}${source}\n})`, {
    filename,
    columnOffset,
    importModuleDynamically,
    cachedData,
  });
  if (!filename.endsWith('spec.ts') && (cachedData === undefined || script.cachedDataRejected))
    fresh.push({ filename, source, script });
  return script.runInContext(parsingContext);
};

module.exports = class extends TestEnvironment {
  constructor(...settings) {
    // Jest's own context asks a proxy for each `Object` and `Error` that a module names; this one is as Node's.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    super(...settings);
    vm.createContext = createContext;
  }

  async teardown() {
    // Now, and not when it was compiled: functions are compiled when they are first called.
    for (const { filename, source, script } of fresh.splice(0))
      compiled.set(filename, { source, data: script.createCachedData() });
    await super.teardown();
  }
};
