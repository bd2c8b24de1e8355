import { DepositsService } from '../src/modules/wallets/deposits.service';
import type { Api } from './support/api';
import { Duka } from './support/duka';

describe('wallets', () => {
  let duka: Duka;
  let api: Api;

  beforeAll(async () => {
    duka = await Duka.start();
    api = (await duka.account()).api;
  });
  afterAll(() => duka.stop());

  const transfer: Api['transfer'] = (...order) => api.transfer(...order);

  it('starts an account with one empty NGN wallet per mode', async () => {
    const fresh = await duka.account();
    const live = duka.api(await duka.key({ accountId: fresh.id, livemode: true }));
    for (const [mode, as] of [
      ['test', fresh.api],
      ['live', live],
    ] as const) {
      const { body } = await as.get('/v4/account');
      expect(body).toMatchObject({ id: fresh.id, mode });
      expect(body.wallets).toEqual([
        expect.objectContaining({
          currency: 'NGN',
          balance: { available: 0, held: 0, ledger: 0, credit_available: 0 },
        }),
      ]);
    }
  });

  it('creates, lists and changes wallets', async () => {
    const made = await api.post('/v4/wallets', {
      currency: 'KES',
      label: 'Till',
      low_balance_threshold: 500,
      metadata: { till: '7' },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      object: 'wallet',
      currency: 'KES',
      label: 'Till',
      status: 'active',
      low_balance_threshold: 500,
    });
    const { id } = made.body;
    const changed = await api.patch(`/v4/wallets/${id}`, { label: null, metadata: { till: '8' } });
    expect(changed.body).toMatchObject({ label: null, metadata: { till: '8' }, low_balance_threshold: 500 });
    const { body } = await api.get('/v4/wallets?currency=KES');
    expect(body.data.map((wallet: { id: string }) => wallet.id)).toEqual([id]);
  });

  it('lets a frozen wallet receive but not pay, and closes only an empty one', async () => {
    const [a, b] = [await api.wallet(100), await api.wallet(100)];
    expect((await api.post(`/v4/wallets/${a}/freeze`)).body.status).toBe('frozen');
    expect((await transfer(a, b, 1)).body.code).toBe('wallet_frozen');
    expect((await transfer(b, a, 1)).status).toBe(201);
    expect((await api.post(`/v4/wallets/${a}/freeze`)).body.code).toBe('invalid_state_transition');
    expect((await api.post(`/v4/wallets/${a}/close`)).body.code).toBe('invalid_state_transition');
    expect((await api.post(`/v4/wallets/${a}/unfreeze`)).body.status).toBe('active');
    expect((await transfer(a, b, 101)).status).toBe(201);
    expect((await api.post(`/v4/wallets/${a}/close`, undefined, { key: 'close-a' })).body.status).toBe('closed');
    expect(
      (await api.post(`/v4/wallets/${a}/close`, undefined, { key: 'close-a' })).headers.get('idempotent-replayed'),
    ).toBe('true');
    expect((await transfer(b, a, 1)).body.code).toBe('wallet_closed');
    expect((await api.post(`/v4/wallets/${a}/unfreeze`)).status).toBe(409);
  });

  it('keeps test and live apart', async () => {
    const mine = await duka.account();
    const live = duka.api(await duka.key({ accountId: mine.id, livemode: true }));
    const wallet = await mine.api.wallet(100);
    const liveWallet = (await live.post('/v4/wallets', { currency: 'NGN' })).body.id;
    expect((await live.get(`/v4/wallets/${wallet}`)).status).toBe(404);
    expect((await mine.api.get(`/v4/wallets/${liveWallet}`)).status).toBe(404);
    expect(
      (await mine.api.post('/v4/wallets/transfer', { from_wallet: wallet, to_wallet: liveWallet, amount: 1 })).status,
    ).toBe(404);
    expect((await live.post(`/v4/sandbox/wallets/${liveWallet}/credit`, { amount: 1 })).body.code).toBe(
      'key_mode_mismatch',
    );
    expect((await live.get('/v4/transactions')).body.data).toEqual([]);
  });

  it('repeats the answer of a credit for which there is no room any more', async () => {
    const { api } = await duka.account();
    const wallet = await api.wallet();
    const given = jest.spyOn(duka.get<DepositsService>(DepositsService), 'testMoney');
    given.mockResolvedValue(10n ** 15n - 700n);
    const credit = (key: string) => api.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount: 400 }, { key });
    const made = await credit('k-1');
    given.mockResolvedValue(10n ** 15n - 300n);
    const [again, other] = [await credit('k-1'), await credit('k-2')];
    given.mockRestore();
    expect([made, again].map(({ status, body }) => [status, body.id])).toEqual(Array(2).fill([201, made.body.id]));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([other.status, other.body.code]).toEqual([402, 'limit_exceeded']);
    expect(await api.balance(wallet)).toMatchObject({ ledger: 400 });
  });

  it('empties the sandbox', async () => {
    const mine = await duka.account();
    const [a, b] = [await mine.api.wallet(700), await mine.api.wallet(300, 'USD')];
    await mine.api.post(`/v4/wallets/${a}/freeze`);
    const { body } = await mine.api.post('/v4/sandbox/reset');
    expect(body.returned).toEqual([
      expect.objectContaining({ wallet_id: b, amount: 300 }),
      expect.objectContaining({ wallet_id: a, amount: 700 }),
    ]);
    expect(await mine.api.balance(a)).toMatchObject({ ledger: 0 });
    expect((await mine.api.post('/v4/sandbox/reset')).body.returned).toEqual([]);
  });
});
