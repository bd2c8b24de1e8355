import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { FloatBookings } from '../src/modules/purchases/float-bookings';
import { Floats } from '../src/providers/floats';
import { Registry } from '../src/providers/registry';
import { TopupServer } from './contracts/topup-server';
import { type Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';

const ROUTE = `
  INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('airtime', '*', true, 'example', 1)`;
const SETTINGS = { TOPUP_KEY: 'topup-secret-of-ours' };
const PERIOD = { from: new Date('2026-01-01'), to: new Date('2100-01-01') };

describe('going live, at the dashboard', () => {
  let duka: Duka;
  let server: TopupServer;
  let operator: Browser;
  let bookings: FloatBookings;

  beforeAll(async () => {
    server = await TopupServer.start();
    Object.assign(process.env, SETTINGS, { TOPUP_URL: server.baseUrl });
    duka = await Duka.start({ METRICS_TOKEN: 'a-token-of-metrics' });
    bookings = duka.get<FloatBookings>(FloatBookings);
    operator = await newOwner(duka);
    await duka.setOperator(operator.email, true);
  });
  afterAll(async () => {
    await duka.stop();
    await server.stop();
  });
  afterEach(() => jest.restoreAllMocks());

  const read = async (path: string) => {
    const { status, body } = await operator.get(`/operators/live/${path}`);
    expect([path, status]).toEqual([path, 200]);
    // Names of settings are told, never what stands in them.
    for (const value of [...Object.values(SETTINGS), server.baseUrl, 'a-token-of-metrics'])
      expect(JSON.stringify(body)).not.toContain(value);
    return body;
  };
  const item = async (name: string, about: string | null = null) =>
    (await read('checklist')).items.find((one: any) => one.item === name && one.about === about);
  const difference = async (reference: string) => {
    await bookings.reconcile('example', 'NGN', { ...PERIOD, lines: [{ reference, amount: 1_234n }] });
    return (await read('differences')).data.find((one: any) => one.reference === reference);
  };

  it('tells what is missing until it is there, and asks providers for it', async () => {
    expect(await item('metrics')).toMatchObject({ ready: true });
    expect(await item('routes', 'airtime/example')).toMatchObject({ ready: false });
    await duka.get<DataSource>(DataSource).query(ROUTE);
    expect(await item('routes', 'airtime/example')).toMatchObject({ ready: true });
    const asked = server.requests.length;
    expect(await item('answers', 'example')).toMatchObject({ ready: true });
    expect(server.requests.length).toBeGreaterThan(asked);
  });

  it('does not repeat a secret that a provider repeats', async () => {
    const { adapter } = duka.get<Registry>(Registry).find<{ balance(): Promise<bigint> }>('airtime', 'example')!;
    jest.spyOn(adapter, 'balance').mockRejectedValue(new Error('no such key: topup-secret-of-ours'));
    expect(await item('answers', 'example')).toMatchObject({
      ready: false,
      says: 'example: It does not answer: no such key: [redacted]',
    });
  });

  it('shows live providers with what they lack, and our money there', async () => {
    const floats = duka.get<Floats>(Floats);
    await floats.askAll();
    await floats.setFloor('example', 'NGN', server.float + 1n);
    const { data } = await read('providers');
    expect(data.map(({ name }: any) => name)).not.toContain('sandbox');
    expect(data.filter(({ product, name }: any) => product === 'airtime' && name === 'example')).toEqual([
      {
        product: 'airtime',
        name: 'example',
        registered: true,
        missing_settings: [],
        networks: ['*'],
        floats: [
          {
            currency: 'NGN',
            balance: Number(server.float),
            told_at: expect.any(String),
            in_books: 0,
            in_books_display: 'NGN 0.00',
            floor: Number(server.float) + 1,
            low: true,
          },
        ],
      },
    ]);
    expect(data.find(({ name }: any) => name === 'vtpass')).toMatchObject({
      registered: false,
      missing_settings: expect.arrayContaining(['VTPASS_API_KEY']),
    });
    expect(await item('floats', 'example/NGN')).toMatchObject({ ready: false });
  });

  it('closes a difference once, with a reason and a fresh proof of identity, and writes that down', async () => {
    const open = await difference('unknown-1');
    expect(open).toMatchObject({ provider: 'example', kind: 'not_in_books', currency: 'NGN', ours: 0, theirs: 1_234 });
    const path = `/operators/live/differences/${open.id}`;
    const signedIn = operator.another();
    await signedIn.logIn();
    const reason = 'their fee of January';
    expect((await signedIn.call('POST', path, { reason })).body.code).toBe('step_up_required');
    await signedIn.stepUp();
    expect((await signedIn.call('POST', path, { reason: '' })).body.errors[0].param).toBe('/reason');
    expect((await signedIn.call('POST', path, { reason })).status).toBe(204);
    expect((await signedIn.call('POST', path, { reason: 'again' })).status).toBe(404);
    expect((await read('differences')).data).toEqual([]);
    const [kept] = await duka.asOwner('SELECT person, reason FROM provider_differences WHERE id = $1', [open.id]);
    expect(kept).toEqual({ person: operator.email, reason });
    const { data } = (await operator.get('/audit-log')).body;
    expect(data.filter(({ action }: any) => action === 'difference.explained')).toEqual([
      expect.objectContaining({ target: open.id, actor: operator.email, detail: { reason } }),
    ]);
  });

  it.each([randomUUID(), 'no-uuid'])('knows no difference %s', async (id) => {
    await operator.stepUp();
    const { status } = await operator.call('POST', `/operators/live/differences/${id}`, { reason: 'whatever' });
    expect(status).toBe(404);
  });
});
