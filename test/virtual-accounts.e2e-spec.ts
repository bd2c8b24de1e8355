import { SandboxVirtualAccounts } from '../src/modules/virtual-accounts/sandbox/sandbox.provider';
import { Duka } from './support/duka';
import { Funder } from './support/funder';

let duka: Duka;
let funder: Funder;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  funder = await Funder.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const DAY = 86_400;

describe('a virtual account', () => {
  it('has a number at once, that of its own reference', async () => {
    const { status, body } = await funder.create({ label: 'Ada', reference: 'va-1' });
    expect([status, body]).toMatchObject([
      201,
      {
        object: 'virtual_account',
        kind: 'permanent',
        status: 'active',
        bank: { name: 'Sandbox Bank' },
        account_number: expect.stringMatching(/^99\d{8}$/),
        account_name: 'Duka / Ada',
        currency: 'NGN',
        wallet_id: funder.wallet,
        amount: null,
        on_underpaid: null,
        expires_at: null,
        livemode: false,
      },
    ]);
    expect(await funder.get(body.id)).toEqual(body);
    const again = await funder.create({ label: 'Ada', reference: 'va-1' });
    expect([again.status, again.body]).toEqual([200, body]);
    expect((await funder.create({ label: 'Bola', reference: 'va-1' })).body.code).toBe('duplicate_reference');
  });

  it('is made once with a key, also by two at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => funder.create({ label: 'Ada' }, 'key-1')));
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(await funder.api.all('/v4/virtual-accounts')).toHaveLength(1);
  });

  it('of a dry run is not there', async () => {
    const { status, body } = await funder.create({ dry_run: true, kind: 'one_time', amount: 5_000 });
    expect([status, body]).toMatchObject([
      200,
      { id: null, account_number: null, amount: 5_000, on_underpaid: 'review' },
    ]);
    expect(await funder.api.all('/v4/virtual-accounts')).toEqual([]);
  });

  it.each([
    [{ amount: 100 }, '/amount'],
    [{ expires_in: 600 }, '/expires_in'],
    [{ on_overpaid: 'refund' }, '/on_overpaid'],
    [{ kind: 'one_time', on_underpaid: 'refund' }, '/on_underpaid'],
    [{ kind: 'weekly' }, '/kind'],
    [{ kind: 'one_time', expires_in: 59 }, '/expires_in'],
    [{ kind: 'one_time', amount: 10, on_overpaid: 'keep' }, '/on_overpaid'],
    [{ label: '' }, '/label'],
  ])('of %p is refused, by the name of the field', async (more, param) => {
    const { status, body } = await funder.create(more);
    expect([status, body.errors.map((one: any) => one.param)]).toEqual([400, [param]]);
  });

  it('needs a wallet and a customer of the account, and a wallet that is open', async () => {
    const other = await Funder.of(duka);
    expect((await funder.create({ wallet_id: other.wallet })).body).toMatchObject({ status: 404, param: '/wallet_id' });
    expect((await funder.create({ customer_id: 'cus_01kabcdefghjkmnpqrstvwxyz0' })).body).toMatchObject({
      status: 404,
      param: '/customer_id',
    });
    await funder.api.post(`/v4/wallets/${funder.wallet}/close`);
    expect((await funder.create()).body.code).toBe('wallet_closed');
  });

  it('is listed by what it is, and by its number', async () => {
    const [one, two] = [await funder.opened({ label: 'x' }), await funder.once(700, { reference: 'r-2' })];
    const ids = async (query: string) =>
      (await funder.api.all(`/v4/virtual-accounts?limit=100&${query}`)).map(({ id }) => id);
    expect(await ids('')).toEqual([two.id, one.id]);
    expect(await ids('kind=one_time')).toEqual([two.id]);
    expect(await ids('reference=r-2')).toEqual([two.id]);
    expect(await ids(`account_number=${one.account_number}`)).toEqual([one.id]);
    expect(await ids(`wallet_id=${funder.wallet}&status=active`)).toEqual([two.id, one.id]);
    expect(await ids('status=closed')).toEqual([]);
    expect(await ids('customer_id=cus_01kabcdefghjkmnpqrstvwxyz0')).toEqual([]);
  });

  it('of a bank that takes its time is pending, and gets its number when the bank is asked again', async () => {
    const { status, body } = await funder.create({ label: 'SLOW' });
    expect([status, body.status, body.account_number]).toEqual([202, 'pending', null]);
    expect((await funder.api.post(`/v4/virtual-accounts/${body.id}/close`)).status).toBe(409);
    await funder.advance(60);
    expect(await funder.get(body.id)).toMatchObject({
      status: 'active',
      account_number: expect.stringMatching(/^99\d{8}$/),
    });
  });

  it('that the bank refuses fails, and says why', async () => {
    const { status, body } = await funder.create({ label: 'DECLINE' });
    expect([status, body]).toMatchObject([201, { status: 'failed', failure: { code: 'account_not_opened' } }]);
    expect((await funder.api.post(`/v4/sandbox/virtual-accounts/${body.id}/deposit`, { amount: 5 })).status).toBe(409);
  });

  it('is closed once, and the bank is told', async () => {
    const close = jest.spyOn(duka.get<SandboxVirtualAccounts>(SandboxVirtualAccounts), 'close');
    const { id } = await funder.opened();
    for (let i = 0; i < 2; i++)
      expect((await funder.api.twice('POST', `/v4/virtual-accounts/${id}/close`)).body).toMatchObject({
        id,
        status: 'closed',
        version: expect.any(Number),
      });
    expect(close).toHaveBeenCalledTimes(1);
    const other = await Funder.of(duka);
    expect((await other.api.post(`/v4/virtual-accounts/${id}/close`)).status).toBe(404);
  });
});

describe('a transfer', () => {
  it('is credited once, with its payer, and announced', async () => {
    const { id } = await funder.opened();
    const deposit = await funder.pay(id, 50_000);
    expect(deposit).toMatchObject({
      object: 'deposit',
      status: 'credited',
      virtual_account_id: id,
      wallet_id: funder.wallet,
      amount: 50_000,
      currency: 'NGN',
      payer: { name: 'Ada Obi', bank: 'Sandbox Bank', account_number_masked: expect.stringMatching(/^\*{6}\d{4}$/) },
      needs_review: false,
      resolution: null,
    });
    const { body: transaction } = await funder.api.get(`/v4/transactions/${deposit.transaction_id}`);
    expect(transaction).toMatchObject({
      type: 'deposit',
      direction: 'credit',
      status: 'successful',
      amount: 50_000,
      wallet_id: funder.wallet,
      balance_before: 0,
      balance_after: 50_000,
      details: { payer: deposit.payer, session_id: deposit.session_id, virtual_account_id: id, deposit_id: deposit.id },
    });
    expect(await funder.events(deposit.id)).toEqual(['deposit.received']);
    expect(await funder.events(deposit.transaction_id)).toEqual(['transaction.successful']);
    expect(await funder.balance()).toBe(50_000);
    const { body: timeline } = await funder.api.get(`/v4/transactions/${deposit.transaction_id}/timeline`);
    expect(timeline.data.map(({ kind }: any) => kind)).toEqual(
      expect.arrayContaining(['provider.callback', 'provider.requery']),
    );
  });

  it('to a permanent account is one of many', async () => {
    const { id } = await funder.opened();
    for (const amount of [100, 100, 250]) await funder.pay(id, amount);
    expect([await funder.balance(), (await funder.deposits()).length]).toEqual([450, 3]);
    expect((await funder.deposits(`&virtual_account_id=${id}&status=credited`)).length).toBe(3);
    expect(await funder.deposits('&needs_review=true')).toEqual([]);
  });

  it('to a one-time account of its amount uses it up; the next one is held', async () => {
    const { id } = await funder.once(50_000);
    await funder.pay(id, 50_000);
    expect((await funder.get(id)).status).toBe('used');
    const second = await funder.pay(id, 50_000);
    expect(second).toMatchObject({ status: 'received', needs_review: true, transaction_id: null });
    expect(await funder.events(second.id)).toEqual(['deposit.needs_review']);
    expect(await funder.balance()).toBe(50_000);
  });

  it.each([
    ['on_underpaid', 'review', 49_999, { status: 'received', needs_review: true, resolution: null }, 0],
    ['on_underpaid', 'accept_received', 49_999, { status: 'credited', resolution: 'accept_received' }, 49_999],
    ['on_overpaid', 'review', 50_001, { status: 'received', needs_review: true, resolution: null }, 0],
    ['on_overpaid', 'accept_received', 50_001, { status: 'credited', resolution: 'accept_received' }, 50_001],
  ])('of another amount with %s: %s', async (policy, word, amount, expected, balance) => {
    const { id } = await funder.once(50_000, { [policy]: word });
    expect(await funder.pay(id, amount)).toMatchObject({ ...expected, amount });
    expect([await funder.balance(), (await funder.get(id)).status]).toEqual([balance, 'used']);
  });

  it.each([
    ['on_underpaid', 1],
    ['on_overpaid', 50_001],
  ])('of another amount with %s: refund goes back to its payer', async (policy, amount) => {
    const { id } = await funder.once(50_000, { [policy]: 'refund' });
    const { id: deposit } = await funder.pay(id, amount);
    expect(await funder.deposit(deposit)).toMatchObject({ status: 'to_be_returned', resolution: 'refund_payer' });
    // Asked to, and asked whether it did.
    for (let i = 0; i < 2; i++) await funder.advance(60);
    expect(await funder.deposit(deposit)).toMatchObject({ status: 'returned', needs_review: false });
    expect([await funder.balance(), await funder.events(deposit)]).toEqual([0, ['deposit.returned']]);
  });

  it('to a closed account is held for a person', async () => {
    const { id } = await funder.opened();
    await funder.api.post(`/v4/virtual-accounts/${id}/close`);
    const deposit = await funder.pay(id, 700);
    expect(deposit).toMatchObject({ status: 'received', needs_review: true, amount: 700 });
    expect(await funder.balance()).toBe(0);
  });

  it('to an expired account is held; told of late, one that came in time is credited', async () => {
    const { id } = await funder.once(700, { expires_in: 60 });
    await funder.api.post(`/v4/sandbox/virtual-accounts/${id}/deposit`, { amount: 700, payer_name: 'Ada Lost' });
    await funder.advance(90);
    expect((await funder.get(id)).status).toBe('expired');
    const late = await funder.pay(id, 700);
    expect(late).toMatchObject({ status: 'received', needs_review: true });
    await funder.advance(DAY);
    const inTime = (await funder.deposits()).filter(({ id: each }) => each !== late.id);
    expect(inTime).toHaveLength(1);
    expect(inTime[0]).toMatchObject({ status: 'credited', amount: 700 });
    expect([await funder.balance(), (await funder.get(id)).status]).toEqual([700, 'used']);
  });

  it.each([
    ['freeze', { direction: 'credit' }],
    ['freeze', { direction: 'both' }],
    ['close', undefined],
  ])('for a wallet after %s %j is held for a person', async (action, how) => {
    const { id } = await funder.opened();
    await funder.api.post(`/v4/wallets/${funder.wallet}/${action}`, how);
    expect(await funder.pay(id, 700)).toMatchObject({ status: 'received', needs_review: true, wallet_id: null });
    expect(await funder.balance()).toBe(0);
  });

  it('for a wallet that only does not pay is credited', async () => {
    const { id } = await funder.opened();
    await funder.api.post(`/v4/wallets/${funder.wallet}/freeze`);
    expect(await funder.pay(id, 700)).toMatchObject({ status: 'credited', needs_review: false });
  });

  it('that a tester repeats with the key is made once', async () => {
    const { id } = await funder.opened();
    const pay = () => funder.api.post(`/v4/sandbox/virtual-accounts/${id}/deposit`, { amount: 5 }, { key: 'once' });
    const [one, two] = [await pay(), await pay()];
    expect([two.body, await funder.balance()]).toEqual([one.body, 5]);
  });
});

describe('the payers of the scenario table', () => {
  it('end as it says', async () => {
    const { virtual_accounts: table } = (await funder.api.get('/v4/sandbox/scenarios')).body;
    expect(table.payers.length).toBeGreaterThan(4);
    for (const { last_name: name, seconds, final } of table.payers) {
      const one = await Funder.of(duka);
      const { id } = await one.opened();
      await one.pay(id, 900, `Ada ${name}`);
      if (seconds > 0) {
        const before = await one.deposits();
        expect(before.map(({ status, needs_review }) => ({ status, needs_review }))).not.toContainEqual(final);
        await one.advance(seconds);
      }
      const found = await one.deposits();
      expect([name, found.map(({ status, needs_review }) => ({ status, needs_review }))]).toEqual([name, [final]]);
      expect(await one.balance()).toBe(final.status === 'credited' ? 900 : 0);
    }
    for (const { label, status } of table.labels) {
      const one = await Funder.of(duka);
      const { body } = await one.create({ label });
      await one.advance(60);
      expect((await one.get(body.id)).status).toBe(status);
    }
  });
});
