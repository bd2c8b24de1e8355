import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import Redis from 'ioredis';
import { DataSource } from 'typeorm';
import { freePort } from '../src/core/process/ports';
import { Api } from './support/api';
import { expectNoCardNumber } from './support/card-numbers';
import { cardholder, CardOwner } from './support/cardholder';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';
import { describeWithRedis } from './support/redis';

const ROOT = join(__dirname, '..');

describeWithRedis('what a process with every log line on leaves behind', (redisUrl) => {
  let duka: Duka;
  let api: ChildProcess;
  let url: string;
  let log = '';

  beforeAll(async () => {
    const build = spawnSync(process.execPath, ['scripts/build-when-stale.mjs'], { cwd: ROOT, encoding: 'utf8' });
    if (build.status !== 0) throw new Error(build.stdout + build.stderr);
    duka = await Duka.start();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const settings = { DATABASE_URL: duka.env.DATABASE_URL, SECRETS_KEY: duka.env.SECRETS_KEY, REDIS_URL: redisUrl };
    const env = {
      PATH: process.env.PATH,
      ...settings,
      PORT: String(port),
      LOG_LEVEL: 'trace',
      WORKER_IN_API: 'true',
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    };
    api = spawn(process.execPath, ['dist/src/main.js'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [api.stdout!, api.stderr!]) stream.on('data', (bytes: Buffer) => (log += bytes.toString()));
    await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true);
  });

  afterAll(async () => {
    // A test that failed has not: it would go on without a database.
    api.kill('SIGKILL');
    await duka.stop();
  });

  it('is no number and no CVV: neither in its log, nor in Redis, nor in an answer, nor in a row', async () => {
    const partner = await duka.account();
    const owner = await CardOwner.of(duka);
    const remote = new Api(() => url, owner.api.secret);
    await remote.post('/v4/webhooks', { url: `${url}/healthz`, events: ['*'] });
    const shown: string[] = [];
    for (const brand of ['visa', 'mastercard']) {
      const { body: card } = await remote.post('/v4/cards/issue', {
        customer: cardholder(),
        brand,
        currency: 'USD',
        amount: 5_000,
        funding_wallet_id: owner.wallet,
      });
      const { body: reveal } = await remote.post(`/v4/cards/${card.id}/reveal`);
      const path = new URL(reveal.url).pathname;
      shown.push(/<dd>([\d ]{19})<\/dd>/.exec(await (await fetch(url + path)).text())![1]!.replaceAll(' ', ''));
      expect((await fetch(url + path)).status).toBe(410);
      await remote.post(`/v4/sandbox/cards/${card.id}/simulate`, {
        kind: 'authorization',
        amount: 1_250,
        merchant: { name: 'Books', mcc: '5942', country: 'US' },
      });
      await remote.post(`/v4/sandbox/cards/${card.id}/simulate`, {
        kind: 'decline',
        amount: 1_250,
        merchant: { name: 'Books', mcc: '5942', country: 'US' },
      });
      for (const wrong of [`/v4/cards/${card.id}/nothing`, `/v4/cards/${shown.at(-1)}`, '/v4/customers?limit=0'])
        await remote.get(wrong);
      await new Api(() => url, partner.key).get(`/v4/cards/${card.id}`);
      await remote.post(`/v4/cards/${card.id}/terminate`);
    }
    await until(
      async () => (await duka.get<DataSource>(DataSource).query('SELECT 1 FROM webhook_deliveries LIMIT 1')).length > 0,
    );
    const stored = await inRedis();
    expect(stored.length).toBeGreaterThan(0);
    api.kill('SIGTERM');
    await once(api, 'exit');
    expect(log).toContain('/v4/cards/');
    for (const number of shown) {
      expect([number, log.includes(number), stored.includes(number)]).toEqual([number, false, false]);
    }
    expectNoCardNumber('the log', log);
    expectNoCardNumber('Redis', stored);
  });

  /** Everything that is there, as Redis dumps it. */
  async function inRedis(): Promise<string> {
    const redis = new Redis(redisUrl);
    const keys = await redis.keys('*');
    const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    redis.disconnect();
    return keys.join('\n') + Buffer.concat(dumps.filter((dump) => dump !== null)).toString('latin1');
  }
});
