import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiKeysService } from '../src/modules/accounts/api-keys.service';
import { registry } from '../src/core/metrics/metrics';
import { LedgerService } from '../src/modules/ledger/ledger.service';
import { Duka } from './support/duka';
import { LATE_MS, type LostCommit, PostgresProxy } from './support/postgres-proxy';
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

  const pay = (amount: number, key: string = randomUUID()) =>
    api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount }, { key });
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

  it('does not carry out the halves of a batch whose outcome it could not learn', async () => {
    const before = await received();
    // So impatient that it gives up waiting for the locks before the late COMMIT arrives.
    duka.env.DATABASE_URL = `${proxy.url}?options=${encodeURIComponent('-c lock_timeout=10ms')}`;
    await duka.restart();
    proxy.loseCommit('arrives late');
    const answers = await Promise.all([1, 2, 3, 4].map((amount) => pay(amount)));
    // Or is it patient enough after all: then it knows.
    for (const { status, body } of answers) expect(status === 201 ? 'known' : body.detail).toMatch(/known/);
    duka.env.DATABASE_URL = proxy.url;
    await duka.restart();
    await sleep(LATE_MS);
    expect(await received()).toBe(before + 10);
  });

  it('lets requests wait while it is away for three seconds, also those that come meanwhile', async () => {
    const before = await received();
    const payments: ReturnType<typeof pay>[] = [];
    const customers = setInterval(() => payments.push(pay(1)), 20);
    await sleep(200);
    await proxy.goAway();
    await sleep(3_000);
    await proxy.comeBack();
    await sleep(300);
    clearInterval(customers);
    const answers = await Promise.all(payments);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await received()).toBe(before + payments.length);
  });

  it('tells them to come back when it stays away, however long the batch before them was tried', async () => {
    const patienceMs = 500;
    Object.assign(duka.get<LedgerService>(LedgerService), { patienceMs });
    // Now the key is known until the end: looking it up waits for PostgreSQL, too.
    const { usable } = duka.get<any>(ApiKeysService);
    usable.clear();
    usable.ttl = 60_000;
    await pay(1);
    await proxy.goAway();
    const waits = await Promise.all(
      Array.from({ length: 5 }, async (_, i) => {
        await sleep(i * 60);
        const since = performance.now();
        const { status, body, headers } = await pay(1, `late-${i}`);
        expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
        return performance.now() - since;
      }),
    );
    await proxy.comeBack();
    expect(Math.max(...waits)).toBeLessThan(1.6 * patienceMs);
    expect((await pay(1, 'late-0')).status).toBe(201);
  });

  it('tells when what came back does not have the batch that was acknowledged last', async () => {
    const lost = async () => (await registry.getSingleMetric('ledger_lost_batches_total')!.get()).values[0]!.value;
    const reconnect = () => proxy.goAway().then(() => proxy.comeBack());
    await reconnect();
    await pay(1);
    expect(await lost()).toBe(0);
    const [{ batch }] = (await duka.asOwner(`
      WITH gone AS (DELETE FROM ledger_batches WHERE id = (SELECT id FROM ledger_batches ORDER BY id DESC LIMIT 1)
        RETURNING *) SELECT to_jsonb(gone) AS batch FROM gone`)) as [{ batch: object }];
    await reconnect();
    expect([(await pay(1)).status, (await pay(1)).status]).toEqual([201, 201]);
    expect(await lost()).toBe(1);
    await duka.asOwner('INSERT INTO ledger_batches SELECT * FROM jsonb_populate_record(NULL::ledger_batches, $1)', [
      batch,
    ]);
  });
});
