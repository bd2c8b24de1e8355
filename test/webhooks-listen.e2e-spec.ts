import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { buildWhenStale, CommandLine, NODE_COMPILE_CACHE } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';
import { PlainReceiver } from './support/plain-receivers';

const ROOT = join(__dirname, '..');
let duka: Duka;
let account: TestAccount;
let wallet: string;
let receiver: PlainReceiver;
const running: ChildProcess[] = [];

beforeAll(async () => {
  buildWhenStale();
  duka = await Duka.start();
  account = await duka.account();
  wallet = (await account.api.get('/v4/wallets')).body.data[0].id;
  receiver = await PlainReceiver.start();
});

afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(async () => {
  await PlainReceiver.stopAll();
  await duka.stop();
});

/** `npm run duka -- webhooks:listen`, as a program reads it: one JSON line after the other. */
function listen(...options: string[]) {
  const { DATABASE_URL = '', SECRETS_KEY } = duka.env;
  const args = ['dist/src/cli/duka.js', 'webhooks:listen', '--account', account.id, '--json', ...options];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, DATABASE_URL, SECRETS_KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const lines = on(createInterface(child.stdout), 'line');
  return { child, next: async () => JSON.parse(String((await lines.next()).value)) };
}

const credit = (amount: number) => account.api.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount });

describe('webhooks:listen', () => {
  it('forwards what happens from now on, signed with the secret that it prints', async () => {
    await credit(100);
    const { child, next } = listen('--forward-to', receiver.url, '--events', 'wallet.credited');
    const { secret } = await next();
    await credit(200);
    await credit(300);
    const told = {
      type: 'wallet.credited',
      code: 'ok',
      http_status: 204,
      duration_ms: expect.any(Number),
      id: expect.stringMatching(/^evt_/),
    };
    const lines = [await next(), await next()];
    expect(lines).toEqual([told, told]);
    const events = receiver.requests.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    );
    expect(events).toMatchObject(
      lines.map(({ id }) => ({ id, type: 'wallet.credited', livemode: false, account_id: account.id })),
    );
    for (const { id } of lines)
      expect((await account.api.get(`/v4/events/${id}`)).body).toEqual(events.find((event: any) => event.id === id));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [
      'a pattern of nothing',
      ['--forward-to', 'http://127.0.0.1:4000/', '--events', 'wallet.credited,walet.*'],
      '/events',
    ],
    ['a URL that is none', ['--forward-to', 'ftp://127.0.0.1/'], '/url'],
  ])('refuses %s', async (_, options, param) => {
    const line = CommandLine.on(duka.env.DATABASE_URL!);
    const { json, status } = await line.duka('webhooks:listen', '--account', account.id, ...options);
    expect(json).toEqual({
      database: expect.stringMatching(/^127\.0\.0\.1:\d+\/test_/),
      error: { code: 'validation_failed', detail: expect.any(String), param },
    });
    expect(status).toBe(1);
  });
});
