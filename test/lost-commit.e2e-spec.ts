import { setTimeout as sleep } from 'node:timers/promises';
import { Duka } from './support/duka';
import { type LostCommit, PostgresProxy } from './support/postgres-proxy';
import type { Api } from './support/api';

// What a client may not have to know: that the connection behind the service broke at the worst moment. Most requests
// here carry neither key nor reference, so that nothing but the ledger's own record of a batch keeps it from a second effect.
describe('a ledger that loses PostgreSQL', () => {
  let duka: Duka;
  let proxy: PostgresProxy;
  let api: Api;
  let from: string;
  let to: string;

  beforeAll(async () => {
    duka = await Duka.start();
    proxy = await PostgresProxy.before(duka.env.DATABASE_URL!);
    duka.env.DATABASE_URL = proxy.url;
    await duka.restart();
    api = (await duka.account()).api;
    [from, to] = [await api.wallet(1_000_000), await api.wallet()];
  });
  afterAll(async () => {
    await duka.stop();
    await proxy.goAway();
  });

  const pay = (amount: number, key?: string) => api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount }, { key });
  const received = async () => (await api.balance(to)).available;

  describe.each<LostCommit>(['never arrives', 'arrives late', 'is not answered'])('over a COMMIT that %s', (how) => {
    it('carries out each transfer of the batch once and answers as if nothing had happened', async () => {
      const before = await received();
      proxy.loseCommit(how);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => pay(i + 1)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
      expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(Array(20).fill(null));
      expect(proxy.lost).toBe(1);
      expect(await received()).toBe(before + 210);
      await duka.expectBooks();
    });

    it('tells apart what the books refused', async () => {
      const all = (await api.balance(from)).available;
      proxy.loseCommit(how);
      const answers = await Promise.all([pay(5), pay(all), pay(7)]);
      expect(answers.map(({ status }) => status)).toEqual([201, 402, 201]);
      expect((await api.balance(from)).available).toBe(all - 12);
    });

    afterEach(() => {
      expect(proxy.lost).toBeGreaterThan(0);
      proxy.lost = 0;
    });
  });

  it('keeps requests waiting while it is away for three seconds', async () => {
    const before = await received();
    const statuses: number[] = [];
    let isOver = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        statuses.push((await pay(1)).status);
        await sleep(5);
      }
    });
    await sleep(200);
    await proxy.goAway();
    await sleep(3_000);
    const answeredBefore = statuses.length;
    await proxy.comeBack();
    await sleep(1_000);
    isOver = true;
    await Promise.all(clients);
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(statuses.length).toBeGreaterThan(answeredBefore);
    expect(await received()).toBe(before + statuses.length);
  });

  it('says 503 after eight seconds without it, however long a request waited for the one before', async () => {
    await pay(1);
    await proxy.goAway();
    const since = performance.now();
    const waits = Array.from({ length: 6 }, async (_, i) => {
      await sleep(i * 400);
      const { status, body, headers } = await pay(1, `late-${i}`);
      return { status, code: body.code, retryAfter: headers.get('retry-after'), inTime: performance.now() - since < 11_000 };
    });
    const answers = await Promise.all(waits);
    await proxy.comeBack();
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 503, code: 'service_unavailable', retryAfter: '1', inTime: true })]),
    );
    expect((await pay(1, 'late-0')).status).toBe(201);
  });
});
