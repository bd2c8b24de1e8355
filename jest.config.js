const common = { transform: { '^.+\\.ts$': '@swc/jest' }, setupFiles: ['reflect-metadata'] };

/**
 * Node runs this with `--no-compilation-cache`: V8's cache would keep the modules of every file that a worker has run,
 * some 50 MB each, until the worker dies of it.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  // One more than CI has cores: tests wait for timers, processes and browsers a good part of their time.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  // What single files leave behind is gone with the worker.
  workerIdleMemoryLimit: '1GB',
  // Ends what hangs, and measures nothing: machines differ by a factor of four.
  testTimeout: 300_000,
  projects: [
    // Needs no server: `npm test -- --selectProjects unit`, also with `--watch`.
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'] },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      testEnvironment: '<rootDir>/test/support/environment.cjs',
      runtime: '<rootDir>/test/support/runtime.cjs',
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
