import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES_FILE } from '../src/core/openapi/docs-pages';
import type { RecordedCall } from '../src/core/openapi/examples';
import { Duka } from './support/duka';
import { findOnPath } from './support/programs';

interface Example {
  readonly operation: string;
  readonly text: string;
}

/**
 * What runs the examples of a language, one after the other: a line of JSON for each file, `[status, output]`. Node and
 * Python stay one process, since starting anew takes longer than an example; each example is a module of its own.
 */
interface Program {
  readonly command: readonly string[] | null;
  readonly ending: string;
  readonly runner: string;
}

const onPath = (...names: string[]) => (names.every((name) => findOnPath(name)) ? names : null);
const PROGRAMS: Record<string, Program> = {
  curl: {
    command: onPath('bash', 'curl') && [process.execPath],
    ending: 'sh',
    runner: `import { spawnSync } from 'node:child_process';
for (const file of process.argv.slice(2)) {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', file], { encoding: 'utf8' });
  console.log(JSON.stringify([status, stdout + stderr]));
}`,
  },
  typescript: {
    command: [process.execPath, '--disable-warning=ExperimentalWarning', '--experimental-strip-types'],
    ending: 'mts',
    runner: `import { inspect } from 'node:util';
const tell = console.log;
for (const file of process.argv.slice(2)) {
  let output = '';
  console.log = (...values) => (output += values.map((value) => inspect(value)).join(' '));
  const status = await import(file).then(() => 0, (error) => ((output += error.stack), 1));
  tell(JSON.stringify([status, output]));
}`,
  },
  python: {
    command: onPath('python3'),
    ending: 'py',
    runner: `import contextlib, io, json, runpy, sys, traceback
for file in sys.argv[1:]:
    output, status = io.StringIO(), 0
    with contextlib.redirect_stdout(output):
        try:
            runpy.run_path(file)
        except Exception:
            status = 1
            print(traceback.format_exc())
    print(json.dumps([status, output.getvalue()]))`,
  },
};

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };
const textOf = (html: string): string =>
  html.replace(/<[^>]+>/g, '').replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity]!);

/** The examples of a language as they stand in the pages, each once. */
function examplesIn(language: string): Example[] {
  const pages = globSync('docs-site/dist/**/*.html').map((file) => readFileSync(file, 'utf8'));
  const block = new RegExp(`data-language="${language}" data-runs="(\\w+)"><pre[^>]*><code>(.*?)</code>`, 'gs');
  const all = pages.flatMap((html) => [...html.matchAll(block)]);
  return [
    ...new Map(all.map(([, operation, html]) => [operation!, { operation: operation!, text: textOf(html!) }])),
  ].map(([, example]) => example);
}

let duka: Duka;
let folder: string;

beforeAll(async () => {
  duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }); // as the sandbox of `npm start`
  folder = mkdtempSync(join(tmpdir(), 'duka-docs-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await duka.stop();
});

/** As the page fills it in for a reader with a new account. */
async function filledIn(text: string): Promise<string> {
  const { key, api } = await duka.account();
  const { body } = await api.call('GET', '/v4/wallets');
  return text
    .replaceAll('sk_test_YOUR_KEY', key)
    .replaceAll('wal_YOUR_WALLET', body.data[0].id)
    .replaceAll('http://localhost:3000', duka.url);
}

async function runAll({ command, ending, runner }: Program, examples: readonly Example[]): Promise<[number, string][]> {
  const program = join(folder, ending === 'py' ? 'runner.py' : `runner-of-${ending}.mjs`);
  writeFileSync(program, runner);
  const files: string[] = [];
  for (const { operation, text } of examples) {
    const file = join(folder, `${operation}.${ending}`);
    writeFileSync(file, await filledIn(text));
    files.push(file);
  }
  const [start, ...options] = command!;
  const child = spawn(start!, [...options, program, ...files], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  await once(child, 'close');
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as [number, string]);
}

const recorded = new Map(
  (JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as RecordedCall[])
    .filter(({ title }) => title === undefined)
    .map(({ operation, answer }) => [operation, answer]),
);

/** Its last answer is what the page shows: the names of its fields, as each language prints them. */
function missingIn(output: string, operation: string): string[] {
  const fields = Object.keys((recorded.get(operation) ?? {}) as object);
  return fields.filter((field) => !new RegExp(`\\b${field}['"]?:`).test(output));
}

async function wrongOf(language: string): Promise<unknown[]> {
  const examples = examplesIn(language);
  const results = await runAll(PROGRAMS[language]!, examples);
  expect(results).toHaveLength(examples.length);
  return results.flatMap(([status, output], index) => {
    const { operation } = examples[index]!;
    const missing = missingIn(output, operation);
    return status === 0 && missing.length === 0 ? [] : [[operation, status, missing, output.slice(-600)]];
  });
}

describe.each(Object.keys(PROGRAMS))('examples in %s', (language) => {
  it('are there for every operation', () => {
    expect(
      examplesIn(language)
        .map(({ operation }) => operation)
        .sort(),
    ).toEqual([...recorded.keys()].sort());
  });

  const title = 'run as they stand, with the key and the wallet of a new account';
  if (PROGRAMS[language]!.command === null) it.skip(`${title} (needs ${language} on PATH)`, () => undefined);
  else it(title, async () => expect(await wrongOf(language)).toEqual([]));
});
