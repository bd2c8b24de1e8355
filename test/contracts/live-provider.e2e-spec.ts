import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { decodeId } from '../../src/core/http/ids';
import { ExampleAirtime } from '../../src/extensions/example/example-airtime';
import { PurchaseRequeries } from '../../src/modules/purchases/purchase-requeries';
import { QueuedPurchases } from '../../src/modules/purchases/queued-purchases';
import type { Api } from '../support/api';
import { Duka } from '../support/duka';
import { until } from '../support/recurring-probe';
import { TopupServer } from './topup-server';

/** As the guides tell it. */
const routeOf = (guide: string): string =>
  /^```sql\n(.*?)^```$/ms.exec(readFileSync(`docs/guides/${guide}.md`, 'utf8'))![1]!;
const PRICE = 48_750;

describe('a live provider', () => {
  let duka: Duka;
  let server: TopupServer;
  let live: Api;
  let wallet: string;
  let account: string;
  let numbers = 0;

  beforeAll(async () => {
    server = await TopupServer.start();
    // The service as it is once the example provider has its settings.
    Object.assign(process.env, { TOPUP_URL: server.baseUrl, TOPUP_KEY: 'secret' });
    duka = await Duka.start();
    account = (await duka.account()).id;
    live = duka.api(await duka.key({ accountId: account, livemode: true }));
    wallet = await live.wallet();
    await duka.fund(wallet, 1_000_000n);
  });
  afterAll(async () => {
    await duka.stop();
    await server.stop();
  });

  const buy = () =>
    live.post('/v4/airtime/purchase', {
      phone: `+23480312${String(++numbers).padStart(5, '0')}`,
      amount: 50_000,
      wallet_id: wallet,
    });
  const available = async () => {
    const { body } = await live.get('/v4/airtime/networks?country=NG');
    return body.data
      .filter((network: { available: boolean }) => network.available)
      .map(({ slug }: { slug: string }) => slug);
  };

  it('is asked for nothing before the table of routes names it', async () => {
    expect(await available()).toEqual([]);
    expect((await buy()).body.code).toBe('provider_unavailable');
    expect(server.requests).toEqual([]);
  });

  describe('with a route', () => {
    beforeAll(async () => {
      await duka.get<DataSource>(DataSource).query(routeOf('add-a-provider').replace("'fastel'", "'example'"));
      // The first answer without the route is remembered for a second: ask about it until then.
      await until(async () => (await available()).length > 0, 30);
    });

    it.each(['add-a-payment-gateway', 'add-a-card-issuer'])('is named by %s in a way that the table takes', (guide) =>
      duka.asOwner(`BEGIN; ${routeOf(guide)} ROLLBACK`),
    );

    it('is offered for the networks of the route', async () => {
      expect(await available()).toEqual(['mtn']);
    });

    it('delivers', async () => {
      const before = await live.balance(wallet);
      const { status, body } = await buy();
      expect([status, body.status, body.livemode]).toEqual([201, 'successful', true]);
      expect(body).toMatchObject({
        provider: { name: 'example', attempts: 1 },
        details: { delivered_amount: 50_000, operator_reference: 'MP-1', network: 'mtn' },
      });
      expect(await live.balance(wallet)).toMatchObject({ available: before.available - PRICE, held: 0 });
    });

    it('is asked by nothing that waits while the account has no live mode', async () => {
      const poor = await live.wallet();
      const { body: queued } = await live.post('/v4/airtime/purchase', {
        phone: '+2348031299999',
        amount: 50_000,
        wallet_id: poor,
        on_insufficient_funds: 'queue',
        deliver_by: new Date(Date.now() + 3_600_000).toISOString(),
      });
      const status = async () => (await live.get(`/v4/transactions/${queued.id}`)).body.status as string;
      const waiting = duka.get<QueuedPurchases>(QueuedPurchases);
      await duka.asOwner('UPDATE accounts SET live_enabled = false WHERE id = $1', [decodeId('acct', account)]);
      await duka.fund(poor, 100_000n);
      await waiting.wake(decodeId('acct', account)!);
      await waiting.payAll();
      expect(await status()).toBe('pending');
      await duka.enableLive(account);
      await waiting.payAll();
      await until(async () => (await status()) === 'successful');
    });

    it('gives the money back when it refuses', async () => {
      server.otherwise = 'refuses';
      const before = await live.balance(wallet);
      expect((await buy()).body).toMatchObject({
        status: 'failed',
        failure: { code: 'recipient_barred', stage: 'provider', recovery: 'recipient_must_act' },
      });
      expect(await live.balance(wallet)).toEqual(before);
    });

    it('keeps the money on hold after nonsense, until a requery brings evidence', async () => {
      server.otherwise = 'talks_nonsense';
      const before = await live.balance(wallet);
      const { status, body } = await buy();
      expect([status, body.status]).toEqual([202, 'processing']);
      expect(await live.balance(wallet)).toMatchObject({ available: before.available - PRICE, held: PRICE });
      const { body: found } = await live.post(`/v4/transactions/${body.id}/requery`);
      expect(found).toMatchObject({ id: body.id, status: 'successful', details: { operator_reference: 'MP-1' } });
      expect(await live.balance(wallet)).toMatchObject({ available: before.available - PRICE, held: 0 });
      const references = server.requests
        .slice(-2)
        .map(({ line, body: sent }) => (sent as { reference: string } | null)?.reference ?? line.split('/').at(-1));
      expect(references[1]).toBe(encodeURIComponent(references[0]!));
    });

    it('keeps the money on hold while a requery speaks of our account, and not of the order', async () => {
      server.otherwise = 'talks_nonsense';
      const before = await live.balance(wallet);
      const { body } = await buy();
      expect(body.status).toBe('processing');
      const { reference } = server.requests.at(-1)!.body as { reference: string };
      server.plan(reference, 'locks_us_out');
      const { body: asked } = await live.post(`/v4/transactions/${body.id}/requery`);
      expect(asked).toMatchObject({ status: 'processing', failure: null });
      expect(await live.balance(wallet)).toMatchObject({ available: before.available - PRICE, held: PRICE });
      server.plan(reference, 'delivers');
      expect((await live.post(`/v4/transactions/${body.id}/requery`)).body.status).toBe('successful');
    });

    it('has it asked when it calls back, and is deaf to what it did not sign', async () => {
      server.otherwise = 'delivers';
      const { body } = await buy();
      const { reference } = server.requests.at(-1)!.body as { reference: string };
      const call = async (secret: string) => {
        const { body: bytes, headers } = server.callback(reference, secret);
        const request = { method: 'POST', headers: headers as Record<string, string>, body: new Uint8Array(bytes) };
        return (await fetch(`${duka.url}/callbacks/purchases/example`, request)).status;
      };
      expect([await call('another'), await call('secret')]).toEqual([401, 200]);
      // Nobody in this process does what is due.
      const key = { accountId: decodeId('acct', account)!, livemode: true, id: decodeId('txn', body.id)! };
      await duka.get<PurchaseRequeries>(PurchaseRequeries).look(key);
      const { body: told } = await live.get(`/v4/transactions/${body.id}/timeline`);
      const kinds = told.data.map(({ kind }: { kind: string }) => kind);
      expect(kinds.filter((kind: string) => kind === 'provider.callback')).toHaveLength(1);
      expect((await live.get(`/v4/transactions/${body.id}`)).body.status).toBe('successful');
    });

    it('is asked by what it called the order, when it said so before nobody could say what became of it', async () => {
      const example = duka.get<ExampleAirtime>(ExampleAirtime);
      jest
        .spyOn(example, 'purchase')
        .mockResolvedValueOnce({ outcome: 'unknown', code: 'broken_off', providerReference: 'THEIRS-7' });
      const find = jest.spyOn(example, 'find').mockResolvedValueOnce({ outcome: 'unknown', code: 'busy' });
      const { body } = await buy();
      await live.post(`/v4/transactions/${body.id}/requery`);
      find.mockResolvedValueOnce({ outcome: 'delivered', providerReference: 'THEIRS-7' });
      expect((await live.post(`/v4/transactions/${body.id}/requery`)).body.status).toBe('successful');
      expect(find.mock.calls.map(([{ providerReference }]) => providerReference)).toEqual(['THEIRS-7', 'THEIRS-7']);
      jest.restoreAllMocks();
    });

    it('keeps the money on hold while it is away', async () => {
      await server.stop();
      const { status, body } = await buy();
      expect([status, body.status]).toEqual([202, 'processing']);
      expect((await live.balance(wallet)).held).toBe(PRICE);
    });
  });
});
