import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeHardware } from '../../bench/machine';
import { readPage, writePage } from '../../bench/page';

// `npm run gauntlet`: everything that tries to break Duka, one after the other, for hours, and one table of how it ended. `--short`: a
// few of each, side by side, for CI. `--only=<word>`: those whose name contains it. `--write`: the rows of those that ran take the place
// of their last ones in docs/reliability.md, so that all of it can be done in parts: with `--rest` those that have not passed it as it is.

const ROOT = join(__dirname, '../..');
const PAGE = join(ROOT, 'docs/reliability.md');

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
/** What ran, but for the page that it is written into. */
const COMMIT = `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', ':!docs/reliability.md') && ' and changes'}`;

/** Arguments behind `npm run`, and variables of the environment. */
type Command = readonly [command: string, settings?: Readonly<Record<string, string>>];

interface Ordeal {
  readonly name: string;
  readonly full: Command;
  readonly short?: Command;
  /** In `--short`, those of one lane come one after the other; without one it is alone, for it measures time. */
  readonly lane?: 1 | 2 | 3;
}

const ORDEALS: readonly Ordeal[] = [
  { name: 'Transfers: kills of API and PostgreSQL', full: ['test:chaos'], short: ['test:chaos -- --short'] },
  {
    name: 'Purchases: bad answers, kills at each step',
    full: ['test:chaos:purchases'],
    short: ['test:chaos:purchases -- --short'],
    lane: 1,
  },
  {
    name: 'Cells: kills of processes and servers',
    full: ['test:chaos:cells'],
    short: ['test:chaos:cells -- --short'],
    lane: 1,
  },
  { name: 'The README, as a newcomer does it', full: ['readme'], short: ['readme'], lane: 1 },
  {
    name: 'Cards, payments, bank transfers: kills',
    full: ['test:chaos:cards'],
    short: ['test:chaos:cards -- --short'],
    lane: 2,
  },
  {
    name: 'Webhooks: kills, emptied and stopped Redis',
    full: ['test:chaos:webhooks'],
    short: ['test:chaos:webhooks -- --short'],
  },
  {
    name: 'Batches, payouts, arrivals: bearers killed',
    full: ['test:chaos:money', { ROWS: '10000', KILLS: '20', PAYOUTS: '300', TRANSFERS: '300' }],
    short: ['test:chaos:money', { ROWS: '120', KILLS: '2', PAYOUTS: '20', TRANSFERS: '20' }],
    lane: 3,
  },
  {
    name: 'Live orders: companies that fail, kills',
    full: ['test:chaos:live', { ORDERS: '2000', KILLS: '10', POSTGRES_KILLS: '2' }],
    short: ['test:chaos:live', { ORDERS: '60', KILLS: '2' }],
    lane: 3,
  },
  {
    name: 'History: all killed, stopped, cut, full, off',
    full: ['test:chaos:history'],
    short: ['test:chaos:history -- --short'],
    lane: 2,
  },
  { name: 'Each process replaced in turn, 50 times', full: ['test:chaos:rolling'] },
  { name: 'PostgreSQL, Redis away up to 300 s: no worker deaf', full: ['test:chaos:deaf'] },
  { name: 'Two hours at half of the peak rate', full: ['test:chaos:soak'] },
  { name: '36 months, 20 million rows, no statistics', full: ['test:chaos:months'] },
  { name: 'A snapshot held for 10 min, one hot wallet', full: ['test:chaos:snapshot'] },
  { name: 'Recurring jobs: 50 × 8 workers at once', full: ['test:chaos:schedulers -- --redis --rounds=50'] },
  { name: 'Redis too small for its jobs', full: ['test:chaos:webhooks -- --evicting'] },
  { name: 'Disk of the database lost, restored', full: ['test:restore', { TRANSFERS: '500000' }] },
  { name: 'Dump of 10 million rows, at work, restored', full: ['test:restore:dump', { HISTORY_ROWS: '10000000' }] },
  { name: 'The build before, and this one, at once', full: ['test:upgrade'] },
  { name: 'Migrations of a large database, killed', full: ['test:migrations'] },
  { name: 'Primary lost behind Patroni, 20 times', full: ['ha-drill -- --kills=20'] },
  { name: 'Each protection broken: a test notices', full: ['test:mutations'] },
  { name: 'Money against a model, 10,000 times', full: ['test -- test/money-model', { MODEL_RUNS: '10000' }] },
  { name: '100,000 made-up requests', full: ['test -- test/fuzz', { FUZZ_REQUESTS: '100000' }] },
  {
    name: 'Routes, roles, addresses, the hostile suite',
    full: ['test -- test/hostile test/authorization test/isolation test/dashboard-roles'],
  },
];

interface Ending {
  readonly name: string;
  /** The day. */
  readonly on: string;
  readonly seconds: number;
  readonly isRight: boolean;
  readonly said: string;
}

const isShort = process.argv.includes('--short');
/** One that has not ended by then hangs: it is told to end, and has a while to clear away what it started. */
const LIMIT_MS = isShort ? 8 * 60_000 : 5 * 3_600_000;
const CLEARING_MS = 90_000;
const only =
  process.argv
    .find((word) => word.startsWith('--only='))
    ?.slice('--only='.length)
    .toLowerCase() ?? '';
const isRest = process.argv.includes('--rest');
const chosen = ORDEALS.filter(
  ({ name, short }) =>
    name.toLowerCase().includes(only) && (!isShort || short !== undefined) && !(isRest && isPassedAsItIs(name)),
);
const children = new Set<number>();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    for (const pid of children) signal(pid, name);
    process.exit(1);
  });

/** To a group, of which nobody may be left. */
function signal(pid: number, name: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function pass({ name, full, short }: Ordeal): Promise<Ending> {
  const [command, settings] = isShort ? short! : full;
  const began = performance.now();
  // A group of its own, to be ended with all that it started.
  const child = spawn('npm', ['run', ...command.split(' ')], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child.pid!);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const closed = once(child, 'close') as Promise<[number | null]>;
  let ending = await Promise.race([closed, sleep(LIMIT_MS, null, { ref: false })]);
  if (ending === null) {
    printed += `\nnot ended after ${LIMIT_MS / 60_000} minutes`;
    signal(child.pid!, 'SIGTERM');
    await Promise.race([closed, sleep(CLEARING_MS, null, { ref: false })]);
    signal(child.pid!, 'SIGKILL');
    // What it left behind would keep them open.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    ending = [null];
  }
  children.delete(child.pid!);
  const isRight = ending[0] === 0;
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`\n== ${name} (npm run ${command})\n${printed}\n== ${name}: ${isRight ? 'ok' : 'FAILED'}, ${seconds} s`);
  const on = new Date().toISOString().slice(0, 10);
  return { name, on, seconds, isRight, said: lastWordsOf(printed) };
}

/** What a program says last of how it went; Jest, how many tests passed. */
function lastWordsOf(printed: string): string {
  const lines = printed.trimEnd().split('\n');
  return (lines.findLast((line) => line.startsWith('Tests: ')) ?? lines.at(-1)!).trim().replaceAll('|', '/');
}

async function inTurn(ordeals: readonly Ordeal[]): Promise<Ending[]> {
  const endings: Ending[] = [];
  for (const ordeal of ordeals) {
    endings.push(await pass(ordeal));
    // Each at once: what has been passed stays so when the next one takes the machine along.
    if (process.argv.includes('--write') && !isShort) writePage(PAGE, 'gauntlet', tableOf(endings, writtenRows()));
  }
  return endings;
}

async function passAll(): Promise<Ending[]> {
  if (!isShort) return inTurn(chosen);
  const alone = await inTurn(chosen.filter(({ lane }) => lane === undefined));
  const lanes = [1, 2, 3].map((lane) => inTurn(chosen.filter((ordeal) => ordeal.lane === lane)));
  return [...alone, ...(await Promise.all(lanes)).flat()];
}

/** Rows on the page, by the name of their ordeal. */
function writtenRows(): Map<string, string> {
  const rows = readPage(PAGE, 'gauntlet').split('\n');
  return new Map(rows.map((row) => [row.split('|')[1]?.trim() ?? '', row]));
}

/** Since the commit of its row nothing but pages was changed. */
function isPassedAsItIs(name: string): boolean {
  const [commit] = /(?<=\| passed \| \S+ \| )[0-9a-f]+(?= \|)/.exec(writtenRows().get(name) ?? '') ?? [];
  if (commit === undefined) return false;
  return spawnSync('git', ['diff', '--quiet', commit, '--', ':!docs'], { cwd: ROOT }).status === 0;
}

/** Of the ordeals that ran, and of `others` those that there still are. */
function tableOf(endings: readonly Ending[], others: ReadonlyMap<string, string>): string {
  const ran = new Map(endings.map((ending) => [ending.name, rowOf(ending)]));
  const rows = ORDEALS.flatMap(({ name }) => ran.get(name) ?? others.get(name) ?? []);
  return [
    `The last of them ran on ${describeHardware()} · Node ${process.version}.`,
    '',
    '| | Took | | On | Commit | Said |',
    '|---|--:|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const rowOf = ({ name, seconds, isRight, on, said }: Ending): string =>
  `| ${name} | ${seconds} s | ${isRight ? 'passed' : '**failed**'} | ${on} | ${COMMIT} | ${said} |`;

void (async () => {
  if (chosen.length === 0 && isRest) return console.log('The code as it is has passed all of these.');
  if (chosen.length === 0) throw new Error(`nothing is named so: ${only}`);
  const endings = await passAll();
  console.log(`\n${tableOf(endings, new Map())}`);
  process.exitCode = endings.every(({ isRight }) => isRight) ? 0 : 1;
})();
