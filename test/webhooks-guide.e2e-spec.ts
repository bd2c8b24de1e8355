import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { on } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { formatSecret, newKey } from '../src/modules/webhooks/endpoint-secrets.service';
import { Duka } from './support/duka';
import { KEYS, messageOf, senderWith } from './support/webhook-sender';

const GUIDE = readFileSync('docs/guides/receive-webhooks.md', 'utf8');
const [, CODE] = /^`receiver\.mjs`\n\n```js\n(.*?)^```$/ms.exec(GUIDE)!;
const [REGISTRATION, CREDIT, DELIVERIES] = [...GUIDE.matchAll(/^```sh run\n(.*?)^```$/gms)].map(([, block]) => block!);

let folder: string;
const running: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'duka-guide-'));
  writeFileSync(join(folder, 'receiver.mjs'), CODE!);
  symlinkSync(join(__dirname, '../node_modules'), join(folder, 'node_modules'));
});
afterEach(() => {
  running.splice(0).forEach((child) => child.kill('SIGKILL'));
  rmSync(folder, { recursive: true });
});

/** The receiver of the guide, as it is there. */
async function receive(secret: string) {
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: '0' };
  const child = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  const lines = on(createInterface(child.stdout), 'line');
  const next = async (): Promise<string> => String((await lines.next()).value);
  return { next, url: `http://127.0.0.1:${(await next()).split(' ').at(-1)}/` };
}

describe('the receiver of the guide', () => {
  const { sender, connections } = senderWith({ allowPrivate: true });
  afterAll(() => connections.onApplicationShutdown());

  const bodyOf = (id: string, filler = ''): string =>
    JSON.stringify({ id, type: 'wallet.credited', data: { object: { id: 'wal_1', filler } } });

  it('takes what is signed with its secret, once, and nothing else', async () => {
    const { url, next } = await receive(formatSecret(KEYS[0]!));
    const post = async (fields: Parameters<typeof messageOf>[0]) =>
      (await sender.send(messageOf(fields), { url, livemode: false })).httpStatus;
    expect(await post({ body: bodyOf('evt_1') })).toBe(204);
    expect(await post({ body: bodyOf('evt_1'), attempt: 2 })).toBe(204);
    expect(await post({ body: bodyOf('evt_2'), secrets: [newKey()] })).toBe(400);
    expect(await post({ body: bodyOf('evt_3', 'a'.repeat(70_000)) })).toBe(400);
    expect((await fetch(url, { method: 'POST', body: bodyOf('evt_4') })).status).toBe(400);
    expect(await post({ body: bodyOf('evt_5'), secrets: [newKey(), ...KEYS] })).toBe(204);
    expect([await next(), await next()]).toEqual(['evt_1 wallet.credited wal_1', 'evt_5 wallet.credited wal_1']);
  });
});

describe('the commands of the guide', () => {
  let duka: Duka;
  beforeAll(async () => void (duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true })));
  afterAll(() => duka.stop());

  it('lead to an event at the receiver', async () => {
    const account = await duka.account();
    const [{ id }] = (await account.api.get('/v4/wallets')).body.data;
    writeFileSync(join(folder, 'sandbox.json'), JSON.stringify({ test_key: account.key, wallets: [{ id }] }));
    const bash = async (script: string) => {
      const here = script.replaceAll('http://127.0.0.1:3000', duka.url).replaceAll('./.data/', `${folder}/`);
      return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here], { cwd: folder })).stdout;
    };
    const registered = JSON.parse(await bash(REGISTRATION!));
    const { url, next } = await receive(registered.secret);
    // The guide's port is taken from the machine; the test's is a free one.
    expect((await account.api.patch(`/v4/webhooks/${registered.id}`, { url })).status).toBe(200);
    const definitions = REGISTRATION!
      .split('\n')
      .filter((line) => !line.includes('/v4/webhooks'))
      .join('\n');
    await bash(`${definitions}\n${CREDIT}`);
    const lines = [await next(), await next()].map((line) => line.split(' '));
    expect(new Set(lines.map(([, type]) => type))).toEqual(new Set(['transaction.successful', 'wallet.credited']));
    expect(lines.find(([, type]) => type === 'wallet.credited')![2]).toBe(id);
    const deliveries = JSON.parse(await bash(`${definitions}\n${DELIVERIES}`)).data as {
      endpoint_id: string;
      event_id: string;
    }[];
    const told = deliveries.map(({ endpoint_id: endpoint, event_id: event }) => `${endpoint} ${event}`);
    expect(new Set(told)).toEqual(new Set(lines.map(([event]) => `${registered.id} ${event}`)));
  });
});
