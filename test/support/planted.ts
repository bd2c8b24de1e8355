/** A rule, the file that breaks it, and what the file says. */
export type Plant = readonly [rule: string, file: string, text: string];

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);
const importOf = (path: string): string => `import '${path}';\n`;

/** Folders whose modules the given module may not see. */
const foreignTo = (module: string): string =>
  ({
    cards: 'dashboard-api',
    webhooks: 'dashboard-api',
    transactions: 'dashboard-api',
    sandbox: 'dashboard-api',
    'dashboard-api': 'lottery',
  })[module] ?? 'webhooks';

/** One module that breaks its own line of the list of modules. */
export const modulePlant = (rule: string): Plant => {
  const module = rule.replace('modules-', '');
  const foreign = foreignTo(module);
  return [rule, `src/modules/${module}/planted.service.ts`, importOf(`../${foreign}/${foreign}.service`)];
};

/** Each breaks the rule that it names; some of them others too. */
export const ARCHITECTURE_PLANTS: readonly Plant[] = [
  ['vocabulary-alone', 'src/vocabulary/planted.ts', importOf('../core/money/dead')],
  ['core-alone', 'src/core/money/planted.ts', importOf('../../modules/wallets/wallets.service')],
  ['providers-above-core', 'src/providers/planted.ts', importOf('../modules/wallets/wallets.service')],
  [
    'modules-below-extensions',
    'src/modules/wallets/above.service.ts',
    importOf('../../extensions/growth/growth.module'),
  ],
  ['modules-listed', 'src/extensions/growth/unlisted.ts', importOf('../../modules/lottery/lottery.service')],
  ['faces-between-modules', 'src/modules/wallets/face.service.ts', importOf('../ledger/books/statements')],
  ['sandbox-sees-the-pretended', 'src/modules/sandbox/handle.ts', importOf('../ledger/books/statements')],
  ['faces-from-outside', 'src/extensions/growth/face.ts', importOf('../../modules/wallets/transfers/draft')],
  ['extensions-apart', 'src/extensions/growth/apart.ts', importOf('../risk/risk.module')],
  ['controllers-without-database', 'src/modules/wallets/planted.controller.ts', importOf('typeorm')],
  [
    'services-without-http',
    'src/modules/wallets/http.service.ts',
    "import type { FastifyRequest } from 'fastify';\nexport type A = FastifyRequest;\n",
  ],
  ['entities-apart', 'src/modules/wallets/planted.entity.ts', importOf('../ledger/ledger.service')],
  ['closed-list-of-kinds', 'src/modules/wallets/kind.service.ts', importOf('./wallets.helpers')],
  [
    'no-cycles',
    'src/modules/wallets/cycle.service.ts',
    "import type { B } from './cycle.events';\nexport type A = B | 1;\n",
  ],
  ['no-barrels', 'src/core/money/barrel.ts', importOf('./index')],
  ['no-dead-files', 'src/core/money/dead.ts', 'export const dead = 1;\n'],
  ['no-unknown-packages', 'src/core/money/package.ts', importOf('only-for-development')],
  ['no-unresolvable', 'src/core/money/nowhere.ts', importOf('./nothing')],
  ['tests-outside', 'src/modules/wallets/test.service.ts', importOf('../../../test/support')],
];

/** Files that the plants import, so that only the import is at fault. */
export const SURROUNDINGS: Readonly<Record<string, string>> = {
  'src/main.ts': '',
  'src/core/money/index.ts': '',
  'src/extensions/growth/growth.module.ts': '',
  'src/extensions/risk/risk.module.ts': '',
  'src/modules/dashboard-api/dashboard-api.service.ts': '',
  'src/modules/ledger/books/statements.ts': '',
  'src/modules/ledger/ledger.service.ts': '',
  'src/modules/lottery/lottery.service.ts': '',
  'src/modules/wallets/cycle.events.ts': "import type { A } from './cycle.service';\nexport type B = A | 2;\n",
  'src/modules/wallets/transfers/draft.ts': '',
  'src/modules/wallets/wallets.helpers.ts': '',
  'src/modules/wallets/wallets.service.ts': '',
  'src/modules/webhooks/webhooks.service.ts': '',
  'test/support.ts': '',
  'node_modules/typeorm/index.js': '',
  'node_modules/fastify/index.js': '',
  'node_modules/only-for-development/index.js': '',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { target: 'ES2023', strict: true, types: [] },
    include: ['src', 'test'],
  }),
  'package.json': JSON.stringify({
    dependencies: { typeorm: '1', fastify: '1' },
    devDependencies: { 'only-for-development': '1' },
  }),
};

const nested =
  'export function a(b: number) {\n  if (b > 1) {\n    if (b > 2) {\n      if (b > 3) {\n        if (b > 4) return 1;\n      }\n    }\n  }\n  return b;\n}\n';
const nestedCallbacks = 'export const a = (b: (c: () => unknown) => void) => b(() => b(() => b(() => b(() => 1))));\n';
const decorated = "import { ManyToOne } from 'typeorm';\nexport const a = ManyToOne;\n";

/** The size caps and the house rules of the linter. */
export const LINT_PLANTS: readonly Plant[] = [
  ['eslint(max-lines)', 'src/a/long.ts', lines(451, '// a line')],
  ['eslint(max-lines-per-function)', 'src/a/function.ts', `export function a() {\n${lines(80, '  // a line')}}\n`],
  [
    'eslint(max-params)',
    'src/a/params.ts',
    'export const a = (b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number) => b + c + d + e + f + g + h + i + j;\n',
  ],
  ['eslint(max-depth)', 'src/a/depth.ts', nested],
  ['eslint(max-nested-callbacks)', 'src/a/callbacks.ts', nestedCallbacks],
  ['eslint(no-console)', 'src/a/console.ts', "console.log('a');\n"],
  ['node(no-process-env)', 'src/a/env.ts', 'export const a = process.env.HOME;\n'],
  ['eslint(no-restricted-imports)', 'src/modules/wallets/relation.entity.ts', decorated],
  [
    'eslint(no-restricted-imports)',
    'src/modules/wallets/status.service.ts',
    "import { NotFoundException } from '@nestjs/common';\nexport const a = NotFoundException;\n",
  ],
  ['eslint(no-restricted-globals)', 'src/modules/wallets/float.service.ts', 'export const a = Number(1n);\n'],
  ['oxc(no-barrel-file)', 'src/a/barrel.ts', "export * from './console';\n"],
  ['typescript(no-floating-promises)', 'src/a/floating.ts', 'const a = async () => 1;\na();\n'],
  ['typescript(no-explicit-any)', 'src/a/any.ts', 'export const a: any = 1;\n'],
  ['typescript(ban-ts-comment)', 'src/a/ignore.ts', '// @ts-ignore\nexport const a = 1;\n'],
  ['eslint(max-lines)', 'test/long.spec.ts', lines(601, '// a line')],
  ['jest(no-focused-tests)', 'test/only.spec.ts', "it.only('a', () => expect(1).toBe(1));\n"],
];
