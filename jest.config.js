const common = { transform: { '^.+\\.ts$': '@swc/jest' }, setupFiles: ['reflect-metadata'] };

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  testTimeout: 30_000,
  projects: [
    // Needs no server: `npm test -- --selectProjects unit`, also with `--watch`.
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'] },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
