import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../src/core/process/ports';
import { describeInBrowser, openBrowser, seriousFindings, sidewaysPixels } from './support/browser';
import { buildWhenStale, NODE_COMPILE_CACHE } from './support/command-line';
import { Browser, newMember, newOwner, SessionTime } from './support/dashboard';
import { Visitor } from './support/dashboard-visitor';
import { Duka } from './support/duka';
import { PartnerCli, type Running } from './support/partner-cli';
import { PlainReceiver } from './support/plain-receivers';
import { findOnPath } from './support/programs';
import { until } from './support/recurring-probe';

let duka: Duka;
let cli: PartnerCli;

beforeAll(async () => {
  buildWhenStale();
  [duka, cli] = await Promise.all([Duka.start({ WORKER_IN_API: true }), PartnerCli.install(() => duka.url)]);
});
afterAll(async () => {
  cli?.remove();
  await PlainReceiver.stopAll();
  await duka?.stop();
});

async function funded() {
  const account = await duka.account();
  const wallet = (await account.api.get('/v4/wallets')).body.data[0].id as string;
  await account.api.credit(wallet, 5_000_000);
  return { ...account, wallet, run: cli.as(account.key) };
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const post = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(duka.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as any };
};

describe('the guide', () => {
  let outputs: string[];
  beforeAll(async () => (outputs = await cli.runGuide((await funded()).key)));

  it('does what it says', () => {
    const [login, routes, logs, triggers, shell] = outputs;
    expect(login).toMatch(/account\s+Shop\n(.|\n)*mode\s+test/);
    expect(routes).toMatch(/^ID\s+LABEL\s+STATUS/);
    expect(routes).toMatch(/status\s+successful/);
    const purchases = JSON.parse(routes!.split('\n').find((line) => line.startsWith('{'))!);
    expect(purchases.data).toMatchObject([{ type: 'airtime_purchase', amount: 50_000 }]);
    expect(routes).toMatch(/metadata\.branch\s+12/);
    expect(logs).toMatch(/^\S+ \S+  2\d\d  (GET|POST) +\/v4\/.+ ms  req_\w+$/m);
    expect(triggers).toMatch(/^transaction\.failed +txn_\w+$/m);
    expect(triggers).toMatch(/^wallet\.frozen +wal_\w+$/m);
    expect(shell).toBe(`${duka.url}/docs\n`);
  });

  it('leaves the key where only its owner reads it', () => {
    expect([modeOf(cli.config), modeOf(join(cli.config, 'config.json'))]).toEqual(['700', '600']);
  });
});

describe('a route', () => {
  it('answers people with a table, programs with JSON', async () => {
    const { run, wallet } = await funded();
    const [, row] = (await run('wallets', 'list', '--currency', 'NGN')).stdout.split('\n');
    expect(row).toContain(wallet);
    expect(JSON.parse((await run('wallets', 'get', wallet, '--json')).stdout)).toMatchObject({ id: wallet });
    const more = (await run('airtime', 'purchase', '--phone', '+2348031234567', '-d', '{"amount": 20000}', '--json'))
      .stdout;
    expect(JSON.parse(more)).toMatchObject({ object: 'transaction', amount: 20_000 });
    const failed = await run('airtime', 'purchase', '--phone', '+2348000000102', '--amount', '10000', '--wait', '5');
    expect([failed.code, failed.stdout]).toEqual([0, expect.stringMatching(/failure\.code\s+invalid_recipient/)]);
  });

  it('is refused in words that say what to do', async () => {
    const { run } = await funded();
    const words = ['airtime', 'purchase', '--phone', '+2348031234567', '--amount', '4000000000'];
    const { code, stderr } = await run(...words);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^duka: .+ \(\w+\)\n/);
    expect(stderr).toMatch(/^request id +req_\w+$/m);
    expect(stderr).toMatch(/^what to do +.+$/m);
    expect(stderr).toMatch(/^docs +http.*errors#\w+$/m);
    const told = JSON.parse((await run(...words, '--json')).stdout);
    expect(told.error).toMatchObject({ code: expect.any(String), request_id: expect.stringMatching(/^req_/) });
  });

  it.each([
    [['airtime', 'purchase', '--phone', '+2348031234567'], 'Missing: --amount'],
    [['airtime', 'purchase', '--amount', '500.00'], 'minor units'],
    [['wallets', 'list', '--limit', 'many'], 'whole number'],
    [['wallets', 'freeze', 'wal_1', '--direction', 'up'], 'Allowed choices'],
    [['wallets', 'create', '-d', '[1]'], 'JSON object'],
    [['wallets', 'lend'], 'unknown command'],
    [['listen', '--forward-to', 'nowhere'], '--forward-to takes'],
    [['listen', '--forward-to', 'http://localhost:1', '--events', 'wallet.lost'], 'neither a type'],
    [['trigger', 'constructor'], 'nothing that can be triggered'],
  ])('%j is not understood', async (words, says) => {
    const { code, stderr } = await cli.as('sk_test_nobody')(...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it('once, however often the command is run with its key', async () => {
    const { run, api } = await funded();
    const words = [
      'airtime',
      'purchase',
      '--phone',
      '+2348031234567',
      '--amount',
      '10000',
      '--idempotency-key',
      'o-1',
      '--json',
    ];
    const [first, again] = [await run(...words), await run(...words)];
    expect(JSON.parse(again.stdout).id).toBe(JSON.parse(first.stdout).id);
    expect((await api.get('/v4/transactions?type=airtime_purchase')).body.data).toHaveLength(1);
  });

  it('of a service that is not there is told with the key to run it again with', async () => {
    const env = { DUKA_API_KEY: 'sk_test_nobody', DUKA_BASE_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, stderr } = await cli.run(['wallets', 'create', '--currency', 'NGN', '--idempotency-key', 'o-2'], env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ECONNREFUSED.*no_answer(.|\n)*--idempotency-key o-2/)]);
  });

  it('shows nothing that steers a terminal', async () => {
    const { run, api } = await funded();
    await api.post('/v4/wallets', { currency: 'NGN', label: '\u001b[2Jgone' });
    expect((await run('wallets', 'list')).stdout).not.toContain('\u001b');
  });
});

it('a live key changes nothing unless somebody means it', async () => {
  const { id } = await duka.account();
  const live = await duka.key({ accountId: id, livemode: true });
  const run = cli.as(live);
  const create = ['wallets', 'create', '--currency', 'USD', '--json'];
  expect(await run(...create)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(JSON.parse((await run('wallets', 'list', '--currency', 'USD', '--json')).stdout).data).toEqual([]);
  expect(JSON.parse((await run(...create, '--yes')).stdout)).toMatchObject({ currency: 'USD', livemode: true });
  expect(await run('trigger', 'wallet.created')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('key_mode'),
  });
  const away = { DUKA_API_KEY: live, DUKA_BASE_URL: 'http://shop.example.com' };
  expect(await cli.run(['wallets', 'list'], away)).toMatchObject({ code: 2, stderr: expect.stringContaining('https') });
});

it('every event that can be triggered happens', async () => {
  const { run, api } = await funded();
  const types = (await run('trigger')).stdout.trim().split('\n');
  expect(types.length).toBeGreaterThan(25);
  const { code, stderr } = await run('trigger', ...types);
  expect([code, stderr]).toEqual([0, '']);
  let missing = types;
  await until(async () => {
    const { data } = (await api.get(`/v4/events?limit=100&type=${missing.join(',')}`)).body;
    missing = missing.filter((type) => !data.some((event: any) => event.type === type));
    return missing.length === 0;
  }).catch(() => expect(missing).toEqual([]));
});

describe('completion', () => {
  it('of bash offers commands, routes and options', async () => {
    const complete = async (...words: string[]) => {
      const script = `source <(node ${join(cli.folder, 'global/bin/duka')} completion bash)
        COMP_WORDS=(duka ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}; _duka; echo "\${COMPREPLY[*]}"`;
      return (await cli.shell(script)).stdout.trim().split(' ');
    };
    expect(await complete('air')).toEqual(['airtime']);
    expect(await complete('wallets', 'list-h')).toEqual(['list-holds']);
    expect(await complete('airtime', 'purchase', '--ph')).toEqual(['--phone']);
  });

  it.each(['zsh', 'fish'])('of %s is one that it reads', async (shell) => {
    const { stdout } = await cli.run(['completion', shell]);
    expect(stdout).toContain('list-holds');
    if (findOnPath(shell) === null) return console.log(`there is no ${shell} here: what it says of it is not known`);
    expect(await cli.shell(`cat > complete; ${shell} -n complete`, {}, stdout)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('login', () => {
  let owner: Browser;
  beforeEach(async () => (owner = await newOwner(duka)));

  const codeFrom = async ({ err }: Running): Promise<string> => {
    await until(() => /Enter\s+\S+/.test(err()));
    return /Enter\s+(\S+)/.exec(err())![1]!;
  };
  const ask = async () => (await post('/device/code', { name: 'laptop' })).body;
  const take = async (device_code: string) => post('/device/token', { device_code });

  it('gives the machine a key of its own, once a person has looked at what asks', async () => {
    const login = cli.start(['login', '--profile', 'mine', '--base-url', duka.url, '--json']);
    const user_code = await codeFrom(login);
    expect(user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(login.err()).toContain('/dashboard/device\n');
    const name = `duka on ${hostname()}`;
    const looked = await owner.post('/device/look-up', { user_code: user_code.toLowerCase() });
    expect(looked.body).toMatchObject({ name, ip: '127.0.0.1', same_network: true, user_agent: 'duka-cli/0.1.0' });
    const scopes = ['account:read', 'wallets:read', 'events:read'];
    expect((await owner.post('/device/approve', { user_code, livemode: false, scopes })).status).toBe(204);
    expect(await login.ended).toBe(0);
    const who = JSON.parse(login.out().join('\n'));
    expect(who).toMatchObject({ profile: 'mine', account: 'Shop', mode: 'test', base_url: duka.url });

    const [key] = (await owner.get('/keys?livemode=false')).body.data;
    expect(key).toMatchObject({ name, scopes, last4: who.key.slice(-4), revoked_at: null });
    const days = (Date.parse(key.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89);
    expect(days).toBeLessThan(91);
    const entries = (await owner.get('/audit-log')).body.data.map(({ action }: any) => action);
    expect(entries).toEqual(expect.arrayContaining(['device.approved', 'key.created']));

    const mine = (...words: string[]) => cli.run([...words, '--profile', 'mine']);
    expect((await mine('wallets', 'list')).code).toBe(0);
    expect((await mine('transactions', 'list')).stderr).toContain('insufficient_scope');
    expect(await mine('logout')).toMatchObject({ code: 0, stdout: 'Logged out; the key is revoked.\n' });
    expect((await owner.get('/keys?livemode=false')).body.data[0].revoked_at).not.toBeNull();
    expect(await mine('whoami')).toMatchObject({ code: 1, stderr: expect.stringContaining('not_logged_in') });
  });

  it('gives nothing to a machine that a person refuses', async () => {
    const login = cli.start(['login', '--profile', 'theirs', '--base-url', duka.url]);
    await owner.post('/device/deny', { user_code: await codeFrom(login) });
    expect([await login.ended, login.err()]).toEqual([1, expect.stringContaining('access_denied')]);
  });

  it('speaks the words of RFC 8628, and hands a key out once', async () => {
    const { device_code, user_code, interval, expires_in } = await ask();
    expect([interval, expires_in]).toEqual([2, 900]);
    const codes = async () => (await take(device_code)).body.code;
    expect([await codes(), await codes()]).toEqual(['authorization_pending', 'slow_down']);
    // The code that a person sees opens nothing.
    expect((await take(user_code)).body.code).toBe('expired_token');
    await owner.post('/device/approve', { user_code, livemode: false });
    const answers = await Promise.all([1, 2, 3, 4].map(() => take(device_code)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3);
    expect(answers.find(({ status }) => status === 200)!.body.api_key).toMatch(/^sk_test_/);
    expect((await owner.post('/device/approve', { user_code, livemode: false })).body.code).toBe('expired_token');
    expect(JSON.stringify(await duka.asOwner('SELECT * FROM device_logins'))).not.toContain(user_code.replace('-', ''));
  });

  it('gives live keys only to who may make them, after a fresh proof', async () => {
    const { device_code, user_code } = await ask();
    const wanted = { user_code, livemode: true };
    expect((await owner.post('/device/approve', wanted)).body.code).toBe('live_mode_not_enabled');
    await duka.enableLive((await owner.get('/me')).body.account.id);
    expect((await owner.post('/device/approve', wanted)).body.code).toBe('step_up_required');
    const [developer, support] = [await newMember(duka, owner, 'developer'), await newMember(duka, owner, 'support')];
    await developer.stepUp();
    expect((await developer.post('/device/approve', wanted)).body.code).toBe('insufficient_role');
    expect((await support.post('/device/look-up', { user_code })).body.code).toBe('insufficient_role');
    await owner.stepUp();
    expect((await owner.post('/device/approve', { ...wanted, scopes: ['everything'] })).body.param).toBe('/scopes');
    expect((await owner.post('/device/approve', wanted)).status).toBe(204);
    expect((await take(device_code)).body.api_key).toMatch(/^sk_live_/);
  });

  it('gives nothing for whoever has left the team meanwhile', async () => {
    const developer = await newMember(duka, owner, 'developer');
    const { device_code, user_code } = await ask();
    await developer.post('/device/approve', { user_code, livemode: false });
    const members = (await owner.get('/team')).body.data;
    await owner.call('DELETE', `/team/${members.find(({ email }: any) => email === developer.email).id}`);
    expect((await take(device_code)).body.code).toBe('access_denied');
  });

  it('bounds how many codes a person may try, and asks for no other site', async () => {
    const { user_code } = await ask();
    const wrong = () => owner.post('/device/look-up', { user_code: 'BBBB-BBBB' });
    for (let tries = 0; tries < 20; tries++) expect((await wrong()).body.code).toBe('expired_token');
    expect((await wrong()).status).toBe(429);
    expect((await owner.post('/device/approve', { user_code, livemode: false })).status).toBe(429);
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    expect((await owner.post('/device/approve', { user_code, livemode: false }, elsewhere)).body.code).toBe(
      'cross_site_request',
    );
  });

  it('revokes a key for whoever shows it, and tells nothing of others', async () => {
    const account = await duka.account();
    expect([
      await post('/device/revoke', { token: 'sk_test_x' }),
      await post('/device/revoke', { token: account.key }),
    ]).toEqual(Array(2).fill({ status: 200, body: {} }));
    await until(async () => (await account.api.get('/v4/account')).status === 401);
  });

  it('is over after 15 minutes', async () => {
    const time = new SessionTime(duka);
    try {
      const [{ device_code, user_code }, other] = [await ask(), await ask()];
      await owner.post('/device/approve', { user_code: other.user_code, livemode: false });
      time.pass(15 * 60);
      expect((await owner.post('/device/look-up', { user_code })).body.code).toBe('expired_token');
      for (const code of [device_code, other.device_code]) expect((await take(code)).body.code).toBe('expired_token');
    } finally {
      jest.restoreAllMocks();
    }
  });
});

describeInBrowser('the page of codes', () => {
  it('says who asks, and gives the key to them', async () => {
    const browser = await openBrowser();
    const ada = await Visitor.of(browser, duka.url);
    try {
      await ada.open('/device');
      await ada.at(/log-in\?next=/);
      await ada.signUp('device@example.com');
      const { device_code, user_code } = (await post('/device/code', { name: 'duka on laptop' })).body;
      await ada.open('/device');
      await ada.fill({ Code: 'bcdf ghjk' });
      await ada.press('Continue');
      await ada.page.getByText('too old, was used').waitFor();
      await ada.fill({ Code: user_code });
      await ada.press('Continue');
      await ada.page.getByText('duka on laptop').waitFor();
      await ada.page.getByText('Confirm only a code that your own terminal shows').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await ada.page.emulateMedia({ colorScheme });
        // Colours change over a moment.
        await until(async () => (await seriousFindings(ada.page)).length === 0, 1);
      }
      await ada.page.setViewportSize({ width: 360, height: 800 });
      expect(await sidewaysPixels(ada.page)).toBe(0);
      await ada.press('Give it a key');
      await ada.page.getByText('Go back to your terminal').waitFor();
      expect((await post('/device/token', { device_code })).body.api_key).toMatch(/^sk_test_/);
      expect(ada.faults.errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

describe('logs', () => {
  it('shows requests, the newest last, and follows them without those that it sends itself', async () => {
    const { run, key, wallet, api } = await funded();
    await api.get('/v4/wallets/wal_nowhere');
    await until(async () => (await run('logs', '--status', '4xx')).stdout.includes('/v4/wallets/wal_nowhere'));
    const [refused] = (await run('logs', '--error', 'not_found', '--json')).stdout.trim().split('\n');
    const { id } = JSON.parse(refused!);
    expect((await run('logs', '--error', 'not_found')).stdout).toMatch(
      new RegExp(`^\\S+ \\S+  404  GET     /v4/wallets/wal_nowhere  \\d+ ms  not_found  ${id}\\n$`),
    );
    expect(JSON.parse((await run('request-logs', 'get', id, '--json')).stdout).answer).toMatchObject({ status: 404 });

    const following = cli.start(['logs', 'tail', '--path', '/v4/'], { DUKA_API_KEY: key, DUKA_BASE_URL: duka.url });
    await until(() => following.err().includes('Ctrl-C'));
    await until(async () => {
      await api.get(`/v4/wallets/${wallet}`);
      return following.out().some((line) => line.includes(wallet));
    });
    const followed = following.out().join('\n');
    expect(followed).not.toContain('request-logs');
    expect(followed).not.toContain(id);
    following.child.kill('SIGINT');
    expect(await following.ended).toBe(0);
  });
});

describe('listen', () => {
  let api: ChildProcess | null = null;
  let port: number;
  afterEach(() => api?.kill('SIGKILL'));

  /** An API process of its own on the same data, which can be killed. */
  async function serve(): Promise<void> {
    const { DATABASE_URL = '', SECRETS_KEY } = duka.env;
    const own = { DATABASE_URL, SECRETS_KEY, PORT: String(port), REDIS_URL: '', LOG_LEVEL: 'silent' };
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE,
      SHUTDOWN_NOTICE_SECONDS: '0',
      RATE_LIMIT_TEST: '0',
      ...own,
    };
    api = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isReady, 60);
  }

  it('loses nothing and keeps the order, through restarts of the service, of the receiver and of itself', async () => {
    port = await freePort();
    await serve();
    const { key, api: partner, wallet } = await funded();
    const env = { DUKA_API_KEY: key, DUKA_BASE_URL: `http://127.0.0.1:${port}` };
    let heldAt = Infinity;
    const receiver: PlainReceiver = await PlainReceiver.start((_, response) => {
      if (receiver.requests.length !== heldAt) response.writeHead(204).end();
    });
    const words = ['listen', '--forward-to', receiver.url, '--json'];
    const credit = async (times: number) => {
      for (let i = 1; i <= times; i++) await partner.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount: i });
    };
    const listed = async (order: string): Promise<string[]> => {
      const { data } = (await partner.get(`/v4/events?order=${order}&limit=100`)).body;
      return data.map(({ id }: any) => id);
    };
    // Those of the newest have no place in the order while an older transaction, of any test beside, is under way.
    const all = async (): Promise<string[]> => {
      let ordered: string[] = [];
      const count = (await listed('desc')).length;
      await until(async () => (ordered = await listed('asc')).length >= count, 60);
      return ordered;
    };
    const before = await all();
    const got = () => receiver.requests.map(({ body }) => JSON.parse(body).id as string);
    const caughtUp = async (twice = 0) => {
      const wanted = (await all()).length - before.length + twice;
      await until(() => got().length >= wanted, 60);
    };

    const first = cli.start(words, env);
    await until(() => first.out().length > 0);
    const { secret } = JSON.parse(first.out()[0]!);
    await credit(6);
    await caughtUp();
    api!.kill('SIGKILL');
    await once(api!, 'exit');
    await credit(6);
    await serve();
    await credit(3);
    await caughtUp();
    // What it says comes by another pipe than what it forwards.
    await until(() => first.err().includes('answers again'));
    expect(first.err()).toMatch(/does not answer(.|\n)*answers again/);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    await credit(3);
    heldAt = got().length + 3;
    const second = cli.start(words, env);
    await until(() => got().length === heldAt);
    second.child.kill('SIGKILL');
    await second.ended;
    const third = cli.start(words, env);
    await caughtUp(1);
    expect(JSON.parse(third.out()[0]!)).toMatchObject({ secret, mode: 'test' });

    const wanted = (await all()).slice(before.length);
    expect(wanted.length).toBeGreaterThanOrEqual(30);
    // What was under way when it was killed came twice, and nothing else.
    expect(got().at(heldAt)).toBe(got().at(heldAt - 1));
    expect(got().toSpliced(heldAt, 1)).toEqual(wanted);
    const [{ body, headers }] = receiver.requests as [any];
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: wanted[0] });
    const lines = () =>
      [first, second, third].flatMap(({ out }) =>
        out()
          .slice(1)
          .map((line) => JSON.parse(line)),
      );
    await until(() => lines().length >= wanted.length);
    expect(lines().map(({ id }) => id)).toEqual(wanted);
    expect(lines()[0]).toMatchObject({ object: 'forwarded', status: 204, ms: expect.any(Number), attempt: 1 });
    expect(modeOf(join(cli.config, 'listen-default.json'))).toBe('600');
  });

  it('waits for a receiver that is not there, shows what it refuses, and sends that again when asked to', async () => {
    const { key, api: partner, wallet } = await funded();
    await partner.post('/v4/sandbox/clock/advance', { seconds: 3_600 });
    const port = await freePort();
    const env = { DUKA_API_KEY: key, DUKA_BASE_URL: duka.url };
    const options = ['--from', 'now', '--events', 'wallet.credited', '--retries', '1'];
    const listening = cli.start(['listen', '--forward-to', `http://127.0.0.1:${port}/`, ...options], env);
    await until(() => listening.err().includes('Ctrl-C'));
    await partner.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount: 1 });
    await until(() => listening.err().includes('Is your receiver running?'));
    expect(listening.err()).toContain('ECONNREFUSED');
    const statuses = [500, 503, 200];
    const receiver = await PlainReceiver.start(
      (_, response) => response.writeHead(statuses.shift() ?? 200).end(),
      port,
    );
    await partner.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount: 2 });
    await until(() => receiver.requests.length === 3, 30);
    await until(() => listening.out().length === 3);
    expect(listening.out().map((line) => line.split(/ {2,}/).slice(1, 4))).toEqual([
      ['wallet.credited', expect.stringMatching(/^evt_/), '500'],
      ['wallet.credited', expect.stringMatching(/^evt_/), '503'],
      ['wallet.credited', expect.stringMatching(/^evt_/), '200'],
    ]);
    const ids = receiver.requests.map(({ headers }) => [headers['webhook-id'], headers['webhook-attempt']]);
    expect(ids).toEqual([
      [ids[0]![0], '1'],
      [ids[0]![0], '2'],
      [expect.not.stringContaining(String(ids[0]![0])), '1'],
    ]);
  });
});
