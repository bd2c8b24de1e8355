const { globSync } = require('node:fs');
const path = require('node:path');
const { default: JestRuntime } = require('jest-runtime');

const SOURCES = path.join(__dirname, '../../src', path.sep);
const [METRICS, IDS, EXTENSIONS] = [
  'core/metrics/metrics.ts',
  'core/http/ids.ts',
  'extensions/extensions.module.ts',
].map((name) => SOURCES + name);
const TEAMS = globSync(`${SOURCES}extensions/*/team.ts`).length;
const OF_A_PACKAGE = `${path.sep}node_modules${path.sep}`;

/** By the id of the project. */
const kept = new Map();

/**
 * Loads the service and its packages once for all test files of a worker, and for each what is of the tests: code runs fast when
 * it has run before. Of a file that added a team to the service, moved its clock or mocked a module nothing of it is kept.
 */
module.exports = class Runtime extends JestRuntime {
  /** Where TypeORM and class-validator keep what the classes of our modules are. */
  static OF_OUR_CLASSES = ['typeormMetadataArgsStorage', 'classValidatorMetadataStorage'];

  constructor(...settings) {
    const [{ id }, environment, , , , , testPath] = settings;
    const before = kept.get(id);
    if (before !== undefined) {
      before.begin(testPath);
      return before;
    }
    super(...settings);
    this.global = environment.global;
    kept.set(id, this);
  }

  begin(testPath) {
    this._testPath = testPath;
    this.esmLoader.testPath = testPath;
    this.executor.testPath = testPath;
    this.testState.state = 'loading';
  }

  teardown() {
    this.restoreAllMocks();
    this.forget();
    this.registries.internalModuleRegistry.clear();
    this.mockState.clear();
    this.testMainModule.reset();
    this.jestGlobals.clearJestObjectCache();
    this.loggedReferenceErrors.clear();
  }

  forget() {
    const { explicitCjsMock, explicitEsmMock } = this.mockState;
    const { moduleRegistry } = this.registries;
    if (explicitCjsMock.size + explicitEsmMock.size > 0) this.registries.clear();
    const isChanged = moduleRegistry.get(EXTENSIONS)?.exports.TEAMS.length !== TEAMS || this.hasIdsAhead();
    if (isChanged) for (const name of Runtime.OF_OUR_CLASSES) Reflect.deleteProperty(this.global, name);
    const metrics = moduleRegistry.get(METRICS)?.exports;
    metrics?.registry.resetMetrics();
    metrics?.showService(true);
    for (const name of moduleRegistry.keys())
      if (!name.includes(OF_A_PACKAGE) && (isChanged || !name.startsWith(SOURCES))) moduleRegistry.delete(name);
  }

  /** Ids never go back, so those of the next file would lie in the future, too. */
  hasIdsAhead() {
    const { newId, timeOf } = this.registries.moduleRegistry.get(IDS)?.exports ?? {};
    return newId !== undefined && timeOf(newId()).getTime() > Date.now() + 1_000;
  }
};
module.exports.default = module.exports;
