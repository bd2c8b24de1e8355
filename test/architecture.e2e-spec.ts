import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ARCHITECTURE_PLANTS, LINT_PLANTS, modulePlant, SURROUNDINGS } from './support/planted';

const PROJECT = join(__dirname, '..');
const { forbidden } = require('../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };
const RULES = forbidden.map(({ name }) => name);
const PLANTS = [
  ...ARCHITECTURE_PLANTS,
  ...RULES.filter((name) => ARCHITECTURE_PLANTS.every(([rule]) => rule !== name)).map(modulePlant),
];

/** Where each rule of a tool was broken: `rule file`. */
type Findings = Set<string>;

let folder: string;
let architecture: Findings;
let lint: Findings;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'duka-planted-'));
  for (const file of ['.dependency-cruiser.cjs', '.oxlintrc.json']) cpSync(join(PROJECT, file), join(folder, file));
  const planted = [...PLANTS, ...LINT_PLANTS].map(([, file, text]) => [file, text] as const);
  for (const [file, text] of [...Object.entries(SURROUNDINGS), ...planted]) write(join(folder, file), text);
  [architecture, lint] = await Promise.all([cruise(), oxlint()]);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('a planted violation is reported', () => {
  it.each(PLANTS)('%s in %s', (rule, file) => {
    expect(architecture).toContain(`${rule} ${file}`);
  });

  it.each(LINT_PLANTS)('%s in %s', (rule, file) => {
    expect(lint).toContain(`${rule} ${file}`);
  });
});

it('has a plant for every rule of the architecture', () => {
  expect(PLANTS.map(([rule]) => rule).sort()).toEqual([...RULES].sort());
});

it('switches no rule off in the code', () => {
  const sources = globSync('{src,test,bench,scripts}/**/*.{ts,js,mjs,cjs}', { cwd: PROJECT });
  // In two parts, so that this file does not find itself.
  const directive = new RegExp(`(?:ox|es|ts)lint-${'disable'}|@ts-no${'check'}`);
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.filter((file) => directive.test(readFileSync(join(PROJECT, file), 'utf8')))).toEqual([]);
});

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function cruise(): Promise<Findings> {
  const output = await run('dependency-cruiser/bin/dependency-cruiser.mjs', ['src', '--output-type', 'json']);
  const { summary } = JSON.parse(output) as {
    summary: { violations: { from: string; to: string; rule: { name: string } }[] };
  };
  return new Set(summary.violations.flatMap(({ from, to, rule }) => [`${rule.name} ${from}`, `${rule.name} ${to}`]));
}

async function oxlint(): Promise<Findings> {
  const { diagnostics } = JSON.parse(await run('oxlint/bin/oxlint', ['--format', 'json'])) as {
    diagnostics: { code: string; filename: string }[];
  };
  return new Set(diagnostics.map(({ code, filename }) => `${code} ${filename}`));
}

/** The tools end with 1 when they find something; what they say is on the standard output. */
const run = (tool: string, args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(PROJECT, 'node_modules/.bin/tsgolint') };
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [join(PROJECT, 'node_modules', tool), ...args], options, (error, output, errors) => {
      if (output.startsWith('{')) resolve(output);
      else reject(error ?? new Error(errors));
    });
  });
