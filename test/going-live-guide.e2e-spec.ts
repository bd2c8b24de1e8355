import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { command, CommandLine } from './support/command-line';
import { Duka } from './support/duka';

const GUIDE = readFileSync('docs/going-live.md', 'utf8');
const COMMAND = /^npm run duka -- /;

/** What its reader is told to do, in order: lines of blocks, and commands within a line. SQL is one step. */
const steps: readonly string[] = [...GUIDE.matchAll(/```(sh|sql)\n([\s\S]*?)```|`(npm run duka -- [^`]+)`/g)].flatMap(
  ([, language, block, inline]) => {
    if (inline !== undefined) return [inline];
    return language === 'sql' ? [block!.trim()] : block!.trim().split(/\n\s*/);
  },
);
const wordsOf = (line: string): string[] =>
  (line.trim().match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1'));

/** A company that is pretended, as a process of its own, and what it says that is to be set. */
class Company {
  readonly settings: Record<string, string> = {};

  private constructor(private readonly child: ChildProcess) {}

  static async start(words: readonly string[]): Promise<Company> {
    const args = ['-r', './bench/typescript.cjs', 'test/pretended/run.ts', ...words];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const company = new Company(child);
    let isFirst = true;
    for await (const line of createInterface(child.stdout!)) {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
      if (name !== undefined) company.settings[name] = value!;
      else if (line === '' && !isFirst && Object.keys(company.settings).length > 0) break;
      isFirst = false;
    }
    return company;
  }

  async stop(): Promise<void> {
    this.child.kill();
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }
}

// docs/going-live.md, step by step: with the companies that it names, each a process of its own.
describe('the guide to live mode', () => {
  const companies: Company[] = [];
  const settings: Record<string, string> = {};
  const file = join(mkdtempSync(join(tmpdir(), 'going-live-')), 'statement.csv');
  let next = 0;
  let duka: Duka;
  let line: CommandLine;
  let account: string;

  beforeAll(async () => {
    duka = await Duka.start();
    line = CommandLine.on(duka.env.DATABASE_URL!);
    await line.person('you@example.com', true);
    account = (await duka.account()).id;
  });
  afterAll(async () => {
    await Promise.all(companies.map((company) => company.stop()));
    for (const name of Object.keys(settings)) delete process.env[name];
    await duka.stop();
  });

  /** The next step is this command. */
  const run = async (name: string, filled: Record<string, string> = {}) => {
    const step = steps[next++]!;
    expect(step).toContain(name);
    let said = step.replace(COMMAND, '');
    for (const [placeholder, value] of Object.entries(filled)) {
      expect(said).toContain(placeholder);
      said = said.replace(placeholder, value);
    }
    const { status, stdout, stderr } = await command(wordsOf(said), { DATABASE_URL: line.url, ...settings });
    return { status, says: stdout + stderr };
  };

  it('has companies pretended, each of which says what to set', async () => {
    for (; steps[next]!.startsWith('npm run pretend -- '); next++) {
      // Any free port will do; where Duka listens is known here only.
      const words = wordsOf(steps[next]!.replace('npm run pretend -- ', '').replace(/--port \d+/, '--port 0'));
      companies.push(await Company.start(words.map((word) => (word.startsWith('http') ? duka.url : word))));
    }
    expect(companies).toHaveLength(4);
    for (const company of companies) Object.assign(settings, company.settings);
    expect(Object.keys(settings)).toEqual(
      expect.arrayContaining(['VTPASS_URL', 'PAYSTACK_SECRET_KEY', 'MONNIFY_API_KEY', 'STRIPE_KEY']),
    );
  });

  it('goes through the list, which says what is missing', async () => {
    const first = await run('live:check');
    expect([first.status, first.says]).toEqual([1, expect.stringContaining('airtime/vtpass')]);
    expect((await run('provider:list')).says).toMatch(/vtpass/);
    expect((await run('env')).says).toContain('VTPASS_URL');
    await line.query(steps[next++]!);
    expect(await run('provider:check --name vtpass')).toMatchObject({
      status: 0,
      says: expect.stringContaining('1,000,000.00'),
    });
    expect(await run('provider:top-up')).toMatchObject({ status: 0, says: expect.stringContaining('50,000.00') });
    expect(await run('provider:floor')).toMatchObject({ status: 0, says: expect.stringContaining('1,000.00') });
  });

  it('lets nobody live before all of it is there', async () => {
    const step = next;
    const filled = { 'acct_…': account };
    const refused = await run('account:enable-live', filled);
    expect([refused.status, refused.says]).toEqual([1, expect.stringContaining('METRICS_TOKEN')]);
    settings.METRICS_TOKEN = 'a-token-of-metrics';
    next = step;
    expect(await run('account:enable-live', filled)).toMatchObject({ status: 0 });
  });

  it('sells, and compares what a statement says with the books', async () => {
    Object.assign(process.env, settings);
    await duka.restart();
    const live = duka.api(await duka.key({ accountId: account, livemode: true }));
    const wallet = await live.wallet();
    await duka.fund(wallet, 100_000n);
    const { body } = await live.post('/v4/airtime/purchase', {
      phone: '+2348031234567',
      amount: 20_000,
      wallet_id: wallet,
    });
    expect(body).toMatchObject({ status: 'successful', provider: { name: 'vtpass' } });
    const { reference } = body.provider;
    const lines = ['reference,amount', 'transfer-4711,-50000.00', `${reference},193.00`, 'never-heard-of,12.34'];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const today = new Date().toISOString().slice(0, 10);
    const reconciled = await run('provider:reconcile', {
      'statement.csv': file,
      '2030-01-01': today,
      '2030-01-02': new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    });
    expect([reconciled.status, reconciled.says]).toEqual([1, expect.stringContaining('never-heard-of')]);
    expect(reconciled.says).not.toContain(reference);
    const open = await run('provider:differences');
    const [, id] = /([0-9a-f]{8}-[0-9a-f-]{27})/.exec(open.says) ?? [];
    expect(await run('provider:explain', { '--difference …': `--difference ${id}` })).toMatchObject({ status: 0 });
  });

  it('shows what a provider would have in the catalogue', async () => {
    expect(await run('catalogue:sync --name vtpass --dry-run')).toMatchObject({
      status: 0,
      says: expect.stringContaining('Nothing was written'),
    });
  });

  it('has no step that was left out', () => {
    expect(next).toBe(steps.length);
  });
});
