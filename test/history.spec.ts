import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Checker, Malformed, type Verdict } from './history/checker';
import { FAULTS } from './history/faults';
import { Imagined, type Weather } from './history/imagined';
import { Mutable } from './history/mutable';

const FOLDER = join(__dirname, 'history/recorded');
/** Recorded from the service while its processes were killed and stopped: test/history.e2e-spec.ts. */
const RECORDED = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [name, gunzipSync(readFileSync(join(FOLDER, name))).toString()]),
);

function verdictOf(text: string): Verdict {
  const checker = new Checker();
  const lines = text.split('\n');
  lines.forEach((line, i) => checker.take(line, i === lines.length - 1));
  return checker.finish();
}

function imagine(weather: Weather): string {
  const lines: string[] = [];
  new Imagined(weather, (line) => lines.push(JSON.stringify(line))).run();
  return lines.join('\n');
}

const names = Object.keys(RECORDED);

it.each(names)('%s can be explained', (name) => {
  expect(verdictOf(RECORDED[name]!).contradiction).toBeNull();
});

describe.each(names)('%s, changed', (name) => {
  it.each(Object.entries(FAULTS))('%s', (_what, { reason, plant }) => {
    const history = new Mutable(RECORDED[name]!);
    plant(history);
    expect(verdictOf(history.text).contradiction).toMatchObject({ reason });
  });
});

const WEATHERS: Record<string, Omit<Weather, 'seed' | 'orders'>> = {
  'nothing goes wrong': { told: true },
  'one client alone': { clients: 1 },
  'many clients at once': { clients: 24, wallets: 3 },
  'requests are lost on their way': { lostBefore: 20 },
  'answers are lost': { lostAfter: 20 },
  'answers are lost, and nobody asks again: unknown that happened': { lostAfter: 20, resend: 'never' },
  'requests are lost, and nobody asks again: unknown that did not': { lostBefore: 20, resend: 'never' },
  'requests take effect long after their clients gave up': { late: 15, resend: 'self' },
  'requests overtake those that were sent after them': { late: 15, resend: 'never', told: true },
  'orders are sent again by other clients': { lostBefore: 10, lostAfter: 10, resend: 'other' },
  'orders are sent twice at once': { twins: 25 },
  'other requests come under used keys': { otherBody: 25 },
  'wallets have too little': { tooMuch: 30 },
  'wallets have credit': { tooMuch: 10, creditLimit: 50_000 },
  'wallets are renamed meanwhile': { changes: 15, reads: 80 },
  'the service says 503, whether it was done or not': { unavailable: 25 },
  'processes are restarted': { restartEvery: 30, resend: 'self' },
  'processes are restarted, and others go on': { restartEvery: 30, resend: 'other', told: true },
  'it was cut off, and nothing was read in the end': { isCutOff: true, lostAfter: 10 },
  'nearly all is reads': { reads: 92 },
  'all of it at once': {
    lostBefore: 4,
    lostAfter: 4,
    late: 3,
    unavailable: 5,
    restartEvery: 80,
    twins: 5,
    otherBody: 5,
    tooMuch: 5,
    changes: 3,
    told: true,
  },
};

// Of each, many: what comes about by chance is different each time.
it.each(Object.entries(WEATHERS))('is right: %s', (_what, weather) => {
  for (let seed = 1; seed <= 10; seed++)
    expect([seed, verdictOf(imagine({ seed, orders: 200, ...weather })).contradiction]).toEqual([seed, null]);
});

it('a webhook that never came is noticed', () => {
  const history = new Mutable(imagine({ seed: 1, orders: 50, told: true }));
  const { id } = history.lines.find((line) => line.told).event;
  history.lines = history.lines.filter((line) => line.event?.id !== id);
  expect(verdictOf(history.text).contradiction).toMatchObject({ reason: 'event-lost' });
});

it('a history may break off within a line, and nowhere else', () => {
  const text = imagine({ seed: 1, orders: 100, ...WEATHERS['all of it at once'] });
  expect(verdictOf(text.slice(0, -8)).contradiction).toBeNull();
  const lines = text.split('\n');
  for (let end = 1; end < lines.length; end += 7)
    expect([end, verdictOf(lines.slice(0, end).join('\n')).contradiction]).toEqual([end, null]);
  expect(() => verdictOf([...lines.slice(0, 9), '{"at":', ...lines.slice(9)].join('\n'))).toThrow(Malformed);
  expect(() => verdictOf([...lines.slice(0, 9), lines[30], ...lines.slice(9)].join('\n'))).toThrow(Malformed);
});

describe('npm run history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duka-histories-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...words: string[]) => {
    const args = ['-r', './bench/typescript.cjs', 'test/history/run.ts', ...words];
    return spawnSync(process.execPath, args, { cwd: join(__dirname, '..'), encoding: 'utf8' });
  };

  it('ends with 0 for a right history, packed or not', () => {
    const { status, stdout } = run('check', join(FOLDER, names[0]!));
    expect([status, stdout]).toEqual([0, expect.stringContaining('Right:')]);
  });

  it('ends with 1 for a wrong one, and tells which lines contradict each other, and why', () => {
    const history = new Mutable(RECORDED[names[0]!]!);
    FAULTS['somebody does not read what they wrote']!.plant(history);
    writeFileSync(join(folder, 'wrong.jsonl'), history.text);
    const { status, stdout } = run('check', join(folder, 'wrong.jsonl'));
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /WRONG: own-write-lost\. Whoever got an answer .+\nwal_\w+ as of entry \d+ was read after txn_\w+ /,
    );
    expect(stdout).toMatch(
      /line \d+, after 0\.000 ms: .+"sent":"transfer".+\nline \d+, after [\d.]+ ms: .+"heard":201/,
    );
  });

  it('ends with 2 for what is no history', () => {
    writeFileSync(join(folder, 'none.jsonl'), 'so\nnot');
    expect(run('check', join(folder, 'none.jsonl'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('line 1 is no JSON'),
    });
    expect(run('check', join(folder, 'absent'))).toMatchObject({ status: 2 });
    expect(run('prove')).toMatchObject({ status: 2 });
  });
});
