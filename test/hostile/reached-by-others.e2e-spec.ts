import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSandboxEnv } from '../../src/cli/sandbox';
import { newOwner, PASSWORD } from '../support/dashboard';
import { Duka } from '../support/duka';
import { sendRequest } from '../support/raw-http';
import { until } from '../support/recurring-probe';
import { messageOf, senderWith } from '../support/webhook-sender';

describe('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duka-'));
  const before = { ...process.env };
  afterEach(() => void (process.env = { ...before }));
  afterAll(() => rmSync(folder, { recursive: true }));

  const allowsPrivate = (settings: Record<string, string>): boolean => {
    process.env = { ...before, DATA_DIR: folder, ...settings };
    return loadSandboxEnv().WEBHOOK_ALLOW_PRIVATE_NETWORKS;
  };

  it.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ HOST: '127.0.0.2' }, true],
    [{ HOST: '::1', PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ PUBLIC_URL: 'http://[::1]:3000' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: '192.168.1.7' }, false],
    [{ PUBLIC_URL: 'https://api.example.com' }, false],
    [{ PUBLIC_URL: 'https://127.0.0.1.example.com' }, false],
    [{ HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' }, true],
  ])('with %j lets webhooks go to private addresses: %s', (settings, allowed) =>
    expect(allowsPrivate(settings)).toBe(allowed),
  );
});

describe('a link-local address', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[fd00:ec2::254]/',
    'http://168.63.129.16/',
  ])('is no receiver where private ones are: %s', async (url) => {
    const { sender, policy, connections } = senderWith({ allowPrivate: true });
    await expect(policy.check(url, false)).rejects.toMatchObject({ details: { param: '/url' } });
    expect((await sender.send(messageOf(), { url, livemode: false })).code).toBe('address_refused');
    await connections.onApplicationShutdown();
  });
});

describe('published at an https address', () => {
  let duka: Duka;
  beforeAll(async () => {
    duka = await Duka.start({ PUBLIC_URL: 'https://api.example.com' });
  });
  afterAll(() => duka.stop());

  it.each(['localhost:3000', '127.0.0.1', 'api.example.com'])(
    'the cookie is for TLS, whatever host a proxy names: %s',
    async (host) => {
      const { email } = await newOwner(duka);
      const body = JSON.stringify({ email, password: PASSWORD });
      const headers = [
        ['Content-Type', 'application/json'],
        ['Sec-Fetch-Site', 'same-origin'],
      ] as const;
      const answer = await sendRequest(Number(new URL(duka.url).port), {
        method: 'POST',
        path: '/dashboard/api/auth/log-in',
        host,
        headers,
        body,
      });
      const cookie = answer.headers.get('set-cookie')!;
      expect(cookie).toMatch(
        /^__Host-session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=43200; Secure; HttpOnly; SameSite=Lax$/,
      );
      const me = (name: string) =>
        sendRequest(Number(new URL(duka.url).port), {
          method: 'GET',
          path: '/dashboard/api/me',
          host,
          headers: [['Cookie', cookie.split(';')[0]!.replace('__Host-session', name)]],
        });
      expect([(await me('__Host-session')).status, (await me('session')).status]).toEqual([200, 401]);
    },
  );
});

describe('the audit log', () => {
  it('names the wallets, the amount, what was made and the request', async () => {
    const duka = await Duka.start();
    const ada = await newOwner(duka);
    const [from, to] = [
      (await ada.post('/test/v4/wallets', { currency: 'NGN' })).body.id,
      (await ada.post('/test/v4/wallets', { currency: 'NGN' })).body.id,
    ];
    await ada.post(`/test/v4/sandbox/wallets/${from}/credit`, { amount: 5_000 });
    const { body, headers } = await ada.post('/test/v4/wallets/transfer', {
      from_wallet: from,
      to_wallet: to,
      amount: 1_200,
      reference: 'rent-1',
    });
    const found = async () =>
      (await ada.get('/audit-log')).body.data.find(({ action }: any) => action === 'POST /v4/wallets/transfer');
    await until(async () => (await found()) !== undefined);
    expect(await found()).toMatchObject({
      actor: ada.email,
      target: body.id,
      detail: {
        livemode: false,
        status: 201,
        request_id: headers.get('request-id'),
        object: body.id,
        from_wallet: from,
        to_wallet: to,
        amount: 1_200,
        reference: 'rent-1',
      },
    });
    await duka.stop();
  });
});
