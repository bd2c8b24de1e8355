import { DataSource } from 'typeorm';
import { ExampleAirtime } from '../src/extensions/example/example-airtime';
import { Health } from '../src/providers/health';
import { ProviderHttp } from '../src/providers/http';
import { Registry } from '../src/providers/registry';
import { TopupServer } from './contracts/topup-server';
import type { Api } from './support/api';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const ORDERS = 60;

describe('two live providers of one position', () => {
  let duka: Duka;
  const servers: TopupServer[] = [];
  let live: Api;
  let wallet: string;
  let numbers = 0;

  beforeAll(async () => {
    servers.push(await TopupServer.start(), await TopupServer.start());
    Object.assign(process.env, { TOPUP_URL: servers[0]!.baseUrl, TOPUP_KEY: 'secret' });
    duka = await Duka.start();
    const second = new ExampleAirtime(
      { url: servers[1]!.baseUrl, key: 'secret', countries: ['NG'] },
      duka.get<ProviderHttp>(ProviderHttp),
    );
    duka.get<Registry>(Registry).add({ product: 'airtime', name: 'second', mode: 'live' }, second);
    const { id: accountId } = await duka.account();
    live = duka.api(await duka.key({ accountId, livemode: true }));
    wallet = await live.wallet();
    await duka.fund(wallet, 100_000_000n);
    await duka.get<DataSource>(DataSource).query(
      `INSERT INTO provider_routes (product, network, livemode, provider, position, weight)
       VALUES ('airtime', '*', true, 'example', 1, 1), ('airtime', '*', true, 'second', 1, 1)`,
    );
  });
  afterAll(async () => {
    await duka.stop();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const buy = async () => {
    const phone = `+23480312${String(++numbers).padStart(5, '0')}`;
    return (await live.post('/v4/airtime/purchase', { phone, amount: 5_000, wallet_id: wallet })).body;
  };
  const askedOf = async (count: number): Promise<[number, number]> => {
    const before = servers.map(({ requests }) => requests.length);
    for (let i = 0; i < count; i++) await buy();
    return servers.map(({ requests }, i) => requests.length - before[i]!) as [number, number];
  };

  it('share what comes while both are well, and the one that is not gets little', async () => {
    const [first, second] = await askedOf(ORDERS);
    expect(Math.min(first, second)).toBeGreaterThan(ORDERS / 10);
    servers[0]!.otherwise = 'refuses';
    // A refusal of the operator that is down: the order goes on to the other one.
    servers[0]!.refusal = 'operator_down';
    await askedOf(2 * ORDERS);
    // What was decided before counts for ten seconds.
    const equals = ['example', 'second'].map(
      (provider) => ({ product: 'airtime', provider, network: 'mtn', livemode: true }) as const,
    );
    await until(() => duka.get<Health>(Health).factors(equals)[0]! < 0.25, 30);
    const { status } = await buy();
    expect(status).toBe('successful');
    const [bad] = await askedOf(ORDERS);
    expect(bad).toBeLessThan(ORDERS / 4);
  });

  it('are chosen for reasons that the timeline tells', async () => {
    const { id } = await buy();
    const { body } = await live.get(`/v4/transactions/${id}/timeline`);
    const choice = body.data.find(({ kind }: { kind: string }) => kind === 'provider.choice');
    const [example, second] = choice.data.shares.toSorted((a: { provider: string }, b: { provider: string }) =>
      a.provider.localeCompare(b.provider),
    );
    expect([example.provider, second.provider]).toEqual(['example', 'second']);
    expect(Math.abs(example.share_basis_points + second.share_basis_points - 10_000)).toBeLessThan(2);
    expect(example.share_basis_points).toBeLessThan(2_500);
    expect(example.success_basis_points).toBeLessThan(second.success_basis_points);
    expect(second.p95_ms).toEqual(expect.any(Number));
  });
});
