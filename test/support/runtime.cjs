const { sep } = require('node:path');
const { default: JestRuntime } = require('jest-runtime');

const OF_A_PACKAGE = `${sep}node_modules${sep}`;

/** By the id of the project. */
const kept = new Map();

/**
 * Loads what is of a package once for all test files of a worker, our own modules again for each: most of the modules that a
 * service loads, which run fast when they have run before. A file that mocks modules leaves none.
 */
module.exports = class Runtime extends JestRuntime {
  constructor(...settings) {
    const [{ id }, , , , , , testPath] = settings;
    const before = kept.get(id);
    if (before !== undefined) {
      before.begin(testPath);
      return before;
    }
    super(...settings);
    kept.set(id, this);
  }

  begin(testPath) {
    this._testPath = testPath;
    this.esmLoader.testPath = testPath;
    this.executor.testPath = testPath;
    this.testState.state = 'loading';
  }

  teardown() {
    const { explicitCjsMock, explicitEsmMock } = this.mockState;
    const { moduleRegistry, internalModuleRegistry } = this.registries;
    this.restoreAllMocks();
    internalModuleRegistry.clear();
    for (const path of moduleRegistry.keys()) if (!path.includes(OF_A_PACKAGE)) moduleRegistry.delete(path);
    if (explicitCjsMock.size + explicitEsmMock.size > 0) this.registries.clear();
    this.mockState.clear();
    this.testMainModule.reset();
    this.jestGlobals.clearJestObjectCache();
    this.loggedReferenceErrors.clear();
  }
};
module.exports.default = module.exports;
