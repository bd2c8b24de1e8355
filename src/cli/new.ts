import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { CannotStart } from '../core/errors/cannot-start';
import { ID_PREFIXES } from '../vocabulary/id-prefixes';
import { SCOPES } from '../vocabulary/scopes';
import type { Lifetime } from '../core/process/lifetime';
import { PROJECT } from '../core/process/project';
import { TEAMS } from '../extensions/extensions.module';
import { DukaCommand, type Report } from './commands';

/** What is to be made, in the ways in which code writes it. */
interface Names {
  /** `my-pay`, `my_pay`, `MyPay`. */
  readonly kebab: string;
  readonly snake: string;
  readonly pascal: string;
  /** The number of a migration. */
  readonly now: string;
  readonly team: { readonly kebab: string; readonly snake: string; readonly pascal: string; readonly camel: string };
}

type Provided = readonly [type: string, file: string];

type Rename = readonly [from: RegExp, to: string];

/** An example of the repository that is copied under other names: what it shows is tested there, and here again. */
interface Kind {
  readonly about: string;
  readonly files: readonly string[];
  /** In order, of paths and of what stands in the files. */
  readonly renames: (names: Names) => readonly Rename[];
  /** The class that the team's module lists, with its file. */
  readonly provides: (names: Names) => Provided;
}

const EXAMPLE = 'src/extensions/example';

const KINDS: Readonly<Record<string, Kind>> = {
  provider: {
    about: 'sells airtime through an API',
    files: [
      `${EXAMPLE}/example-airtime.ts`,
      'test/contracts/topup-server.ts',
      'test/contracts/example-provider.spec.ts',
    ],
    renames: ({ kebab, snake, pascal, team }) => [
      [/extensions\/example\//g, `extensions/${team.kebab}/`],
      [/(an |the |)(imaginary |)top-up service( of the example provider| of the example|)/g, pascal],
      [/'topup'/g, `'${kebab}'`],
      [/topup-/g, `${kebab}-`],
      [/topups\b/g, 'orders'],
      [/topup/g, 'order'],
      [/Topup(?=[A-Z])/g, pascal],
      [/Topup\b/g, `${pascal}Order`],
      [/TOPUP/g, snake.toUpperCase()],
      [/ExampleAirtime/g, `${pascal}Airtime`],
      [/example-(airtime|provider)/g, `${kebab}-$1`],
      [/name: 'example'/g, `name: '${snake}'`],
      [/the example provider/g, pascal],
    ],
    provides: ({ kebab, pascal }) => [`${pascal}Airtime`, `${kebab}-airtime`],
  },
  gateway: {
    about: 'takes payments',
    files: [
      `${EXAMPLE}/paylink-gateway.ts`,
      'test/contracts/paylink-server.ts',
      'test/contracts/gateway-example.spec.ts',
    ],
    renames: ({ kebab, snake, pascal, team }) => [
      [/extensions\/example\//g, `extensions/${team.kebab}/`],
      [/gateway-example/g, `${kebab}-gateway`],
      [/(an |the |)(imaginary |example |)gateway( of the example)/g, pascal],
      [/an imaginary gateway|the example gateway/g, pascal],
      [/name: 'paylink'/g, `name: '${snake}'`],
      [/paylink/g, kebab],
      [/Paylink/g, pascal],
      [/PAYLINK/g, snake.toUpperCase()],
    ],
    provides: ({ kebab, pascal }) => [`${pascal}Gateway`, `${kebab}-gateway`],
  },
  issuer: {
    about: 'issues cards',
    files: [`${EXAMPLE}/example-issuer.ts`, 'test/contracts/issuer-server.ts', 'test/contracts/example-issuer.spec.ts'],
    renames: ({ kebab, snake, pascal, team }) => [
      [/extensions\/example\//g, `extensions/${team.kebab}/`],
      [/(an |the |)imaginary (card )?issuer( of the example|)/g, pascal],
      [/\bissuer-server/g, `${kebab}-server`],
      [/\bIssuerServer\b/g, `${pascal}Server`],
      [/cardlab/g, kebab],
      [/CARDLAB/g, snake.toUpperCase()],
      [/ExampleIssuer/g, `${pascal}Issuer`],
      [/example-issuer/g, `${kebab}-issuer`],
      [/name: 'example'/g, `name: '${snake}'`],
    ],
    provides: ({ kebab, pascal }) => [`${pascal}Issuer`, `${kebab}-issuer`],
  },
  hook: onePoint('may stop a payment', 'example-gate', 'ExampleGate', 'gate', 'veto'),
  filter: onePoint('sets another fee', 'example-fee', 'ExampleFee', 'free-fee', 'free'),
  module: {
    about: 'a table, routes, scopes, an event and a check of its own; its name is the plural noun of the URL',
    files: ['test/support/parcels/*', 'test/acme-parcels.e2e-spec.ts'],
    renames: ({ snake, pascal, team, now }) => [
      [/test\/support\/parcels\//g, `src/extensions/${team.kebab}/`],
      [/\.\/support\/parcels\//g, `../src/extensions/${team.kebab}/`],
      [/'\.\.\/\.\.\/\.\.\/src\//g, "'../../"],
      [/1763500000002/g, now],
      [/acme-/g, `${team.kebab}-`],
      [/acme_/g, `${team.snake}_`],
      [/Acme/g, team.pascal],
      [/(name: |Settings\.of\()'acme'/g, `$1'${team.kebab}'`],
      [/the team acme/g, `the team ${team.kebab}`],
      [/acme/g, team.camel],
      [/\bpcl/g, prefixFor(singular(snake))],
      [/PARCEL/g, singular(snake).toUpperCase()],
      [/parcels/g, snake],
      [/Parcels/g, pascal],
      [/parcel/g, singular(snake)],
      [/Parcel/g, singular(pascal)],
    ],
    // The module itself, where the team has one already.
    provides: ({ kebab, pascal }) => [`${pascal}Module`, `${kebab}.module`],
  },
};

/** One class and its test at the root of the team's folder. */
function onePoint(about: string, file: string, type: string, id: string, word: string): Kind {
  return {
    about,
    files: [`${EXAMPLE}/${file}.ts`, `${EXAMPLE}/${file}.spec.ts`],
    renames: ({ kebab, snake, pascal, team }) => [
      [/extensions\/example\//g, `extensions/${team.kebab}/`],
      [new RegExp(file, 'g'), kebab],
      [new RegExp(type, 'g'), pascal],
      [new RegExp(`'example\\.${id}'`, 'g'), `'${team.kebab}.${kebab}'`],
      [/'example_/g, `'${snake}_`],
      [/metadata\.example\b/g, `metadata.${snake}`],
      [new RegExp(`example("?: ['"]${word}['"])`, 'g'), `${snake}$1`],
    ],
    provides: ({ kebab, pascal }) => [pascal, kebab],
  };
}

export const newCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('new', lifetime)
    .description(
      `start an extension from an example that works, with its test: ${Object.entries(KINDS)
        .map(([kind, { about }]) => `${kind} (${about})`)
        .join(', ')}`,
    )
    .argument('<kind>', Object.keys(KINDS).join(', '), kindName)
    .argument('<name>', 'in kebab-case', kebabName)
    .option('--team <team>', 'the folder of the team; without it one of that name', kebabName)
    .option('--dry-run', 'only say what would be made')
    .says<{ team?: string; dryRun?: true }>(({ team, dryRun }, [kind, name]) => {
      const report = scaffold({
        kind: kind!,
        name: name!,
        team: team ?? name!,
        root: PROJECT,
        isDryRun: dryRun === true,
      });
      if (!dryRun) followUp(PROJECT);
      return report;
    }),
];

function kindName(text: string): string {
  if (!Object.hasOwn(KINDS, text)) throw new InvalidArgumentError(`It is one of ${Object.keys(KINDS).join(', ')}.`);
  return text;
}

function kebabName(text: string): string {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text) || text.length > 32)
    throw new InvalidArgumentError('It takes up to 32 of a-z, 0-9 and - between, a letter first.');
  return text;
}

export interface Wanted {
  readonly kind: string;
  readonly name: string;
  readonly team: string;
  readonly root: string;
  readonly isDryRun: boolean;
}

/** Files by their path, as they will be. */
type Plan = Map<string, string>;

/** Throws `CannotStart` where something is in the way: nothing is overwritten. */
export function scaffold({ kind, name, team, root, isDryRun }: Wanted): Report {
  const { files, renames, provides } = KINDS[kind]!;
  const names = namesOf(name, team);
  if (kind === 'module') requireFreeWords(name);
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const rules: Rename[] = [...renames(names), [/of the guide(?=, over HTTP)/g, `of ${names.pascal}`]];
  const renamed = (text: string): string => rules.reduce((now, [from, to]) => now.replace(from, to), text);
  const made: Plan = new Map(
    files
      .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
      .map((file) => [renamed(file.replaceAll('\\', '/')), renamed(withoutRegions(read(file)))]),
  );
  const next: string[] =
    kind === 'module'
      ? [
          `say in test/support/routes.ts what /v4/${name}/:id names, and how test/support/belongings.ts makes one`,
          'add a step for each route to test/api-examples/walk.ts, and npm run openapi:record',
        ]
      : [];
  const changed: Plan = new Map();
  const folder = `src/extensions/${team}`;
  const manifest = `${folder}/team.ts`;
  if (existsSync(join(root, manifest))) {
    if (made.delete(manifest)) next.unshift(`add to ${manifest} what ${name} needs: see test/support/parcels/team.ts`);
    const added = addToModule(read, manifest, provides(names));
    if (added) changed.set(...added);
    else next.unshift(`add ${provides(names)[0]} to the team's module`);
  } else {
    if (kind !== 'module') for (const [file, text] of newTeam(names, provides(names))) made.set(file, text);
    changed.set('src/extensions/extensions.module.ts', withTeam(read('src/extensions/extensions.module.ts'), names));
  }
  const inTheWay = [...made.keys()].filter((file) => existsSync(join(root, file)));
  if (inTheWay.length > 0)
    throw new CannotStart(`Nothing is overwritten, and there is already ${inTheWay.join(', ')}.`);
  if (!isDryRun) write(root, new Map([...made, ...changed]));
  const specs = [...made.keys()].filter((file) => file.endsWith('spec.ts'));
  return reportOf([...made.keys()], [...changed.keys()], [...next, `npm test -- ${specs.join(' ')}`], isDryRun);
}

/** What code is written down in elsewhere: the pages that quote it, `.env.example`, the OpenAPI document. */
const WRITERS: readonly (readonly [script: string, ...args: string[]])[] = [
  ['scripts/quote-sources.mjs'],
  ['scripts/build-when-stale.mjs'],
  ['dist/src/cli/duka.js', 'env', '--write', '--json'],
  ['dist/src/cli/openapi.js'],
];

/** Ends what hangs, and measures nothing: a build of 20 s has taken over two minutes on a slow machine at work. */
const STEP_MS = 600_000;

/** Has everything written anew that says what the code says. Throws `CannotStart` with what a step complained of. */
export function followUp(root: string): void {
  const options = { cwd: root, encoding: 'utf8', timeout: STEP_MS, killSignal: 'SIGKILL' } as const;
  for (const step of WRITERS) {
    const first = spawnSync(process.execPath, step, options);
    // Once in thousands of times Node hangs as it ends, its threads waiting for each other: written twice is the same.
    const { status, stdout, stderr } = first.signal === null ? first : spawnSync(process.execPath, step, options);
    if (status !== 0)
      throw new CannotStart(`The files are made, but node ${step.join(' ')} failed:\n${stdout}${stderr}`);
  }
}

function reportOf(made: string[], changed: string[], next: string[], isDryRun: boolean): Report {
  const would = isDryRun ? 'would be ' : '';
  const lines = [
    ...made.map((file) => `${would}made     ${file}`),
    ...changed.map((file) => `${would}changed  ${file}`),
    '',
    'Then:',
    ...next.map((step) => `  ${step}`),
  ];
  return { text: lines.join('\n'), json: { made, changed, next } };
}

function write(root: string, plan: Plan): void {
  for (const [file, text] of plan) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), file.endsWith('.ts') ? withoutUnusedImports(text) : text);
  }
  // Other names are longer or shorter.
  spawnSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', ...plan.keys()], { cwd: root });
}

const pascalOf = (kebab: string): string =>
  kebab.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function namesOf(kebab: string, team: string): Names {
  const pascal = pascalOf(team);
  return {
    kebab,
    snake: kebab.replaceAll('-', '_'),
    pascal: pascalOf(kebab),
    now: String(Date.now()),
    team: { kebab: team, snake: team.replaceAll('-', '_'), pascal, camel: pascal[0]!.toLowerCase() + pascal.slice(1) },
  };
}

const singular = (noun: string): string => (noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, ''));

/** Scopes, events and tables have the name: it is a word, and nobody's yet. */
function requireFreeWords(name: string): void {
  if (!/^[a-z]+s$/.test(name)) throw new CannotStart('A module is called by one plural noun, such as vouchers.');
  const scope = `${name}:read`;
  if ((SCOPES as readonly string[]).includes(scope) || TEAMS.some(({ scopes }) => scopes?.includes(scope as never)))
    throw new CannotStart(`There is a module called ${name} already.`);
}

/** Three or four letters that nobody has. */
function prefixFor(noun: string): string {
  const taken = new Set<string>([...ID_PREFIXES, ...TEAMS.flatMap(({ idPrefixes = {} }) => Object.keys(idPrefixes))]);
  const letters = noun.replace(/[^a-z]/g, '');
  const consonants = letters[0]! + letters.slice(1).replace(/[aeiou]/g, '');
  const wanted = [consonants, letters].flatMap((text) => [text.slice(0, 3), text.slice(0, 4)]);
  const free = [...wanted, ...'xyz'.split('').map((end) => `${letters.slice(0, 3)}${end}`)];
  return free.find((prefix) => prefix.length >= 3 && !taken.has(prefix)) ?? 'xxx';
}

/** The manifest and the module of a team that is not there yet. */
function newTeam({ team }: Names, [type, file]: Provided): [string, string][] {
  const folder = `src/extensions/${team.kebab}`;
  return [
    [
      `${folder}/team.ts`,
      `import { defineTeam } from '../../core/extension/teams';
import { ${team.pascal}Module } from './${team.kebab}.module';

export const ${team.camel} = defineTeam({ name: '${team.kebab}', module: ${team.pascal}Module });
`,
    ],
    [
      `${folder}/${team.kebab}.module.ts`,
      `import { Module } from '@nestjs/common';
import { ${type} } from './${file}';

/** What the team ${team.kebab} adds to the service. */
@Module({ providers: [${type}] })
export class ${team.pascal}Module {}
`,
    ],
  ];
}

/** The line of a team. */
function withTeam(text: string, { team }: Names): string {
  const imported = text.replace(
    /(.*^import [^\n]+\/team';\n)/ms,
    `$1import { ${team.camel} } from './${team.kebab}/team';\n`,
  );
  return imported.replace(/(export const TEAMS: Team\[\] = \[.*?)\n?\];/s, `$1\n  ${team.camel},\n];`);
}

/** The team's module with one more provider, or one more module; null: it is not written as others are. */
function addToModule(
  read: (file: string) => string,
  manifest: string,
  [added, from]: Provided,
): [string, string] | null {
  const declared = read(manifest);
  const type = /\bmodule: (\w+)/.exec(declared)?.[1];
  const path = type && new RegExp(`\\b${type}\\b.*? from '\\./(.+?)'`).exec(declared)?.[1];
  if (!path) return null;
  const file = `${dirname(manifest)}/${path}.ts`;
  const text = read(file);
  const list = added.endsWith('Module') ? 'imports' : 'providers';
  const open = new RegExp(`\\b${list}: \\[`);
  const listed = open.test(text)
    ? text.replace(open, `${list}: [${added}, `)
    : text.replace('@Module({', `@Module({ ${list}: [${added}], `);
  if (listed === text) return null;
  return [
    file,
    listed.replace(/(.*^import [^\n]+;\n|.*^\} from [^\n]+;\n)/ms, `$1import { ${added} } from './${from}';\n`),
  ];
}

/** What says something of the example only stands between `#region of the example` and `#endregion`. */
const withoutRegions = (text: string): string =>
  text.replace(/[ \t]*\/\/ #region of the example\n.*?\/\/ #endregion\n\n?/gs, '');

function withoutUnusedImports(text: string): string {
  return text.replace(/^import (?:type )?\{([^}]*)\} from [^;]+;\n/gm, (statement, list: string) => {
    const rest = text.replace(statement, '');
    const names = list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const used = names.filter((name) => new RegExp(`\\b${name.replace(/^type |^.* as /, '')}\\b`).test(rest));
    return used.length === 0 ? '' : statement.replace(list, ` ${used.join(', ')} `);
  });
}
