const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const { OF_OUR_CLASSES } = require('./runtime.cjs');

const { createContext } = vm;

/** By the id of the project: where all test files of a worker run, one after the other. */
const kept = new Map();

/** One context for all test files of a worker: that of the modules which runtime.cjs keeps. What a file did to it is undone. */
module.exports = class extends TestEnvironment {
  constructor(settings, context) {
    const { id } = settings.projectConfig;
    if (kept.has(id)) return kept.get(id);
    // Jest's own context asks a proxy for each `Object` and `Error` that a module names; this one is as Node's.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    super(settings, context);
    vm.createContext = createContext;
    kept.set(id, this);
  }

  async setup() {
    this.before = { env: { ...this.global.process.env }, names: Reflect.ownKeys(this.global) };
    await super.setup();
  }

  async teardown() {
    const { env } = this.global.process;
    this.fakeTimersModern.useRealTimers();
    for (const name of Object.keys(env)) if (!(name in this.before.env)) delete env[name];
    Object.assign(env, this.before.env);
    // Where Jest keeps the tests of a file and their time limit.
    for (const name of Reflect.ownKeys(this.global))
      if (!this.before.names.includes(name) && !OF_OUR_CLASSES.includes(name))
        Reflect.deleteProperty(this.global, name);
  }
};
