/** Modules whose faces a module may import. A change of this list is a reviewed decision. */
const MODULES = {
  accounts: [],
  ledger: [],
  webhooks: [],
  transactions: ['ledger', 'webhooks'],
  beneficiaries: [],
  wallets: ['accounts', 'beneficiaries', 'ledger', 'transactions'],
  purchases: ['accounts', 'ledger', 'wallets', 'transactions', 'conversions'],
  phones: ['beneficiaries'],
  airtime: ['beneficiaries', 'phones', 'purchases', 'wallets', 'transactions'],
  data: ['accounts', 'beneficiaries', 'phones', 'purchases', 'transactions'],
  bills: ['accounts', 'beneficiaries', 'purchases', 'transactions'],
  payouts: ['beneficiaries', 'purchases', 'transactions'],
  batches: ['accounts', 'wallets', 'transactions', 'purchases', 'airtime', 'data', 'bills', 'payouts', 'ledger'],
  cards: ['accounts', 'ledger', 'wallets', 'transactions', 'conversions', 'webhooks'],
  payments: ['accounts', 'ledger', 'wallets', 'transactions'],
  'virtual-accounts': ['accounts', 'ledger', 'wallets', 'transactions'],
  conversions: ['accounts', 'ledger', 'wallets', 'transactions'],
  statements: ['accounts', 'ledger', 'wallets'],
  'request-logs': [],
  'dashboard-api': [
    'accounts',
    'wallets',
    'transactions',
    'ledger',
    'webhooks',
    'purchases',
    'payouts',
    'payments',
    'virtual-accounts',
    'statements',
    'cards',
    'conversions',
    'bills',
    'data',
    'request-logs',
  ],
  platform: [
    'accounts',
    'wallets',
    'purchases',
    'payouts',
    'payments',
    'virtual-accounts',
    'cards',
    'bills',
    'dashboard-api',
  ],
  sandbox: [
    'ledger',
    'wallets',
    'transactions',
    'purchases',
    'bills',
    'payouts',
    'cards',
    'payments',
    'virtual-accounts',
  ],
};

/** Nest's kinds for Nest's things, `<thing>.<kind>.ts`; every other file is called as its main export. */
const KINDS = [
  'module',
  'controller',
  'service',
  'dto',
  'entity',
  'errors',
  'provider',
  'processor',
  'guard',
  'filter',
];

/** Kinds of before: a file that is touched for more than a line gets the name of its main export. */
const OLD_KINDS = ['states', 'hooks', 'queries', 'events', 'batch', 'types'];

/** What other folders may see of a module: the root of its folder. What lies in a subfolder is its own. */
const FACES = '^src/modules/[^/]+/[^/]+$';

/** The pretended outside world of a module, which the module `sandbox` gives QA a handle on. */
const PRETENDED = '^src/modules/[^/]+/(providers/)?sandbox/';

const any = (names) => `(${names.join('|')})`;

const mayImport = ([name, others]) => ({
  name: `modules-${name}`,
  comment: `${name} imports core and ${others.join(', ') || 'no other module'}: see the list at the top of .dependency-cruiser.cjs.`,
  severity: 'error',
  from: { path: `^src/modules/${name}/` },
  to: { path: '^src/modules/', pathNot: `^src/modules/${any([name, ...others])}/` },
});

module.exports = {
  forbidden: [
    {
      name: 'vocabulary-alone',
      comment: 'The words of the product import nothing: every floor may say them.',
      severity: 'error',
      from: { path: '^src/vocabulary/', pathNot: '[.]spec[.]ts$' },
      to: { pathNot: '^src/vocabulary/' },
    },
    {
      name: 'core-alone',
      comment: 'core imports nothing of ours outside core but the vocabulary.',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '[.]spec[.]ts$' },
      to: {
        path: '^(src|test|bench|scripts|dashboard)/|^[^/]+$',
        pathNot: '^src/(vocabulary|core)/',
        dependencyTypesNot: ['core', 'npm'],
      },
    },
    {
      name: 'providers-above-core',
      comment: 'The kit for whoever is outside sees core only: it serves every module that asks somebody outside.',
      severity: 'error',
      from: { path: '^src/providers/', pathNot: '[.]spec[.]ts$' },
      to: { path: '^(src|test|bench|scripts|dashboard)/|^[^/]+[.]ts$', pathNot: '^src/(vocabulary|core|providers)/' },
    },
    {
      name: 'modules-below-extensions',
      comment: 'Modules see other modules, providers and core: neither extensions nor the entry points above them.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '[.]spec[.]ts$' },
      to: {
        path: '^(src|test|bench|scripts|dashboard)/|^[^/]+[.]ts$',
        pathNot: '^src/(vocabulary|core|providers|modules)/',
      },
    },
    ...Object.entries(MODULES).map(mayImport),
    {
      name: 'modules-listed',
      comment: 'A new module enters the list at the top of .dependency-cruiser.cjs before it is used.',
      severity: 'error',
      from: {},
      to: { path: '^src/modules/', pathNot: `^src/modules/${any(Object.keys(MODULES))}/` },
    },
    {
      name: 'faces-between-modules',
      comment: "Other folders see the files at the root of a module's folder; its subfolders are its own.",
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: '^src/modules/sandbox/' },
      to: { path: '^src/modules/', pathNot: [`^src/modules/$1/`, FACES] },
    },
    {
      name: 'sandbox-sees-the-pretended',
      comment: 'The module sandbox also sees what other modules pretend of the world outside.',
      severity: 'error',
      from: { path: '^src/modules/sandbox/' },
      to: { path: '^src/modules/', pathNot: ['^src/modules/sandbox/', FACES, PRETENDED] },
    },
    {
      name: 'faces-from-outside',
      comment: "Other folders see the files at the root of a module's folder; its subfolders are its own.",
      severity: 'error',
      from: { path: '^(src|ormconfig)', pathNot: '^src/modules/' },
      to: { path: '^src/modules/', pathNot: FACES },
    },
    {
      name: 'extensions-apart',
      comment: 'Extensions never import each other: what two teams need becomes a face or enters core.',
      severity: 'error',
      from: { path: '^src/extensions/([^/]+)/' },
      to: { path: '^src/', pathNot: '^src/(vocabulary|core|providers|modules|extensions/$1)/' },
    },
    {
      name: 'controllers-without-database',
      comment: 'A controller parses, calls a service and presents.',
      severity: 'error',
      from: { path: '[.]controller[.]ts$' },
      to: { path: '^src/core/database/|[.]queries[.]ts$|^node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'services-without-http',
      comment: 'Business code knows who calls, ids and pages; not requests, answers, DTO decorators or statuses.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '[.](controller|dto|guard|filter|module|spec)[.]ts$' },
      to: {
        path: '^src/core/http/|^node_modules/(fastify|@fastify/[^/]+|@nestjs/(swagger|platform-fastify))/',
        pathNot: '^src/core/http/(ids|caller|pages|api-key)[.]ts$',
      },
    },
    {
      name: 'entities-apart',
      comment: 'An entity points to another module by an id column; not even its type crosses over.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/.+[.]entity[.]ts$' },
      to: { path: '^src/modules/', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'closed-list-of-kinds',
      comment: `A file of a module is called as its main export, or <thing>.<kind>.ts; the kinds: ${KINDS.join(' ')}.`,
      severity: 'error',
      from: {},
      to: {
        path: '^src/modules/',
        pathNot: `^src/modules/[a-z0-9/-]+([.]${any([...KINDS, ...OLD_KINDS])})?([.]spec)?[.](ts|json)$`,
      },
    },
    {
      name: 'no-cycles',
      comment: 'No cycles, also through types.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-barrels',
      comment: 'No index.ts: an import names the file that it means.',
      severity: 'error',
      from: {},
      to: { path: '^(src|test|bench)/.*index[.][cm]?[jt]s$' },
    },
    {
      name: 'no-dead-files',
      comment: 'Every file is reached from an entry point; the test kit and the reservations are for teams.',
      severity: 'error',
      from: { path: '^(src/(main|worker|platform|start|cli/[^/]+)|ormconfig)[.]ts$' },
      to: {
        path: '^src/',
        pathNot:
          '[.]spec[.]ts$|^src/(main|worker|platform|start|cli/[^/]+)[.]ts$|^src/core/extension/(testing|reservations)[.]ts$',
        reachable: false,
      },
    },
    {
      name: 'no-unknown-packages',
      comment: 'What src imports stands in package.json, and not among the devDependencies.',
      severity: 'error',
      from: { path: '^src/', pathNot: '[.]spec[.]ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'tests-outside',
      comment: 'What runs in production does not import its tests.',
      severity: 'error',
      from: { path: '^src/', pathNot: '[.]spec[.]ts$' },
      to: { path: '^(test|bench|scripts)/|[.]spec[.]ts$' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|dashboard)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
