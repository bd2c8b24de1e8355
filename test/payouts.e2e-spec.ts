import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { decodeId } from '../src/core/http/ids';
import { isSameName } from '../src/modules/beneficiaries/is-same-name';
import { PayoutsService } from '../src/modules/payouts/payouts.service';
import { QueuedPurchases } from '../src/modules/purchases/queued-purchases';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { Duka, type TestAccount } from './support/duka';
import { until } from './support/recurring-probe';

const FEE = 5_000;
const FUNDS = 10_000_000;
const BANK = { code: '058', account_number: '0123456789' };

let duka: Duka;
let twin: Duka;
let account: TestAccount;
let api: Api;
let wallet: string;

beforeAll(async () => {
  duka = await Duka.start();
  twin = await duka.twin();
});
beforeEach(async () => {
  account = await duka.account();
  api = account.api;
  wallet = await api.wallet(FUNDS);
});
afterAll(async () => {
  await twin?.stop();
  await duka?.stop();
});

const pay = (more: object = {}, options?: object): Promise<Answer> =>
  api.post('/v4/payouts', { wallet_id: wallet, amount: 100_000, bank: BANK, ...more }, options);
const resolve = (body: object, options?: object): Promise<Answer> => api.post('/v4/banks/resolve', body, options);
const refusal = ({ status, body }: Answer) => [status, body.code, body.param];
const resolutions = async (): Promise<number> =>
  Number((await duka.asOwner('SELECT count(*) AS n FROM bank_resolutions WHERE account_id = $1', [uuid()]))[0]!.n);
const uuid = (): string => decodeId('acct', account.id)!;
const limit = (limits: object): Promise<unknown> => {
  const { single = null, daily = null, approval = null } = limits as Record<string, number | null>;
  return duka.asOwner(
    `INSERT INTO payout_rules (account_id, livemode, currency, single_limit, daily_limit, approval_above)
     VALUES ($1, false, 'NGN', $2, $3, $4)`,
    [uuid(), single, daily, approval],
  );
};

async function expectRefused(answer: Promise<Answer>, expected: unknown[]): Promise<void> {
  const before = await duka.totals();
  expect(refusal(await answer)).toEqual(expected);
  expect(await duka.totals()).toEqual(before);
}

it('a payout that waits for money costs no more than an amount may be, its fee included', async () => {
  const waits = { on_insufficient_funds: 'queue', deliver_by: new Date(Date.now() + 3_600_000).toISOString() };
  const most = Number.MAX_SAFE_INTEGER - FEE;
  await expectRefused(pay({ amount: most + 1, ...waits }), [400, 'amount_out_of_range', '/amount']);
  expect((await pay({ amount: most, ...waits })).body).toMatchObject({ status: 'pending', total: most + FEE });
  expect((await api.get('/v4/transactions')).status).toBe(200);
});

describe('banks', () => {
  it('are listed by code, searched by name, and kept by clients', async () => {
    const all = await api.all('/v4/banks?limit=7');
    expect(all.length).toBeGreaterThan(20);
    expect(all.map(({ code }) => code)).toEqual(all.map(({ code }) => code as string).sort());
    const { body, headers } = await api.get('/v4/banks?q=GUARANTY&country=NG');
    expect(body.data).toEqual([
      {
        object: 'bank',
        code: '058',
        name: 'Guaranty Trust Bank',
        country: 'NG',
        currency: 'NGN',
        kind: 'bank',
        account_pattern: '^\\d{10}$',
        available: true,
      },
    ]);
    const again = await api.get('/v4/banks?q=GUARANTY&country=NG', {
      headers: { 'if-none-match': headers.get('etag')! },
    });
    expect(again.status).toBe(304);
    expect((await api.get('/v4/banks?q=%25')).body.data).toEqual([]);
    expect((await api.get('/v4/banks?country=KE')).body.data).toEqual([]);
  });

  it('that are switched off are shown as such, and not paid into', async () => {
    await duka.asOwner(`UPDATE banks SET enabled = false WHERE code = '011'`);
    expect((await api.get('/v4/banks?q=011')).body.data[0].available).toBe(false);
    await expectRefused(pay({ bank: { ...BANK, code: '011' } }), [503, 'provider_unavailable', null]);
  });
});

describe('a name enquiry', () => {
  it('says whose account it is, once for a key', async () => {
    const asked = { bank_code: '058', account_number: '0123456789' };
    const { status, body } = await resolve(asked, { key: 'who-1' });
    expect([status, body]).toEqual([
      201,
      {
        object: 'bank_resolution',
        id: expect.stringMatching(/^res_/),
        account_name: expect.stringMatching(/^[A-Z]+ [A-Z]+$/),
        account_number: '0123456789',
        bank_code: '058',
        expires_at: expect.any(String),
        livemode: false,
        created_at: expect.any(String),
      },
    ]);
    expect((await resolve(asked, { key: 'who-1' })).body).toEqual(body);
    expect(await resolutions()).toBe(1);
  });

  it.each([
    [{ bank_code: '058', account_number: '0000000999' }, [422, 'account_not_found', '/account_number']],
    [{ bank_code: '058', account_number: '0000000998' }, [503, 'provider_unavailable', null]],
    [{ bank_code: '058', account_number: '12345' }, [400, 'invalid_account_number', '/account_number']],
    [{ bank_code: 'nobody', account_number: '0123456789' }, [404, 'not_found', '/bank_code']],
    [{ bank_code: '058\u0000', account_number: '0123456789' }, [400, 'validation_failed', '/bank_code']],
  ])('of %j is answered with %j', async (asked, expected) => {
    expect(refusal(await resolve(asked))).toEqual(expected);
    expect(await resolutions()).toBe(0);
  });
});

describe('a payout', () => {
  it('sends the amount, and costs a fee', async () => {
    const { body: who } = await resolve({ bank_code: '058', account_number: '0123456789' });
    const { status, body } = await pay({ narration: 'Salary', metadata: { run: 'may' }, reference: 'pay-1' });
    expect([status, body]).toMatchObject([
      201,
      {
        type: 'payout',
        status: 'successful',
        direction: 'debit',
        amount: 100_000,
        fee: FEE,
        total: 100_000 + FEE,
        currency: 'NGN',
        recipient: '058/******6789',
        reference: 'pay-1',
        metadata: { run: 'may' },
        provider: { name: 'sandbox', attempts: 1 },
        details: {
          bank: { code: '058', name: 'Guaranty Trust Bank' },
          account_number_masked: '******6789',
          account_name: who.account_name,
          session_id: expect.stringMatching(/^\d{30}$/),
          narration: 'Salary',
        },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('0123456789');
    expect(await resolutions()).toBe(1);
    expect(await api.balance(wallet)).toMatchObject({ available: FUNDS - 100_000 - FEE, held: 0 });
    expect((await api.get(`/v4/payouts/${body.id}`)).body).toEqual(body);
    expect((await api.get('/v4/payouts/pay-1')).body).toEqual(body);
    expect((await api.get(`/v4/transactions/${body.id}`)).body).toEqual(body);
    const events = (await api.all('/v4/events?limit=100')).filter(({ data }) => data.object.id === body.id);
    expect(events.map(({ type }) => type).reverse()).toEqual(['transaction.processing', 'transaction.successful']);
    expect(JSON.stringify(events)).not.toContain('0123456789');
  });

  it('is listed with its like, by bank and status', async () => {
    const [first, second] = [(await pay()).body.id, (await pay({ bank: { ...BANK, code: '044' } })).body.id];
    const failed = (await pay({ bank: { code: '044', account_number: '0000000102' } })).body.id;
    await api.post('/v4/airtime/purchase', { phone: '+2348031234567', amount: 10_000, wallet_id: wallet });
    const ids = async (query: string) => (await api.all(`/v4/payouts?${query}`)).map(({ id }) => id);
    expect(await ids('limit=1')).toEqual([failed, second, first]);
    expect(await ids('bank=044')).toEqual([failed, second]);
    expect(await ids('bank=044&status=successful')).toEqual([second]);
    expect(await ids('bank=04')).toEqual([]);
    const { body: top } = await api.get('/v4/transactions?type=airtime_purchase');
    expect((await api.get(`/v4/payouts/${top.data[0].id}`)).status).toBe(404);
  });

  it.each([
    ['ADAEZE', 'OKAFOR'],
    ['another', 'name'],
  ])('for somebody else is refused: %s %s', async (...words) => {
    const { body: who } = await resolve({ bank_code: '058', account_number: '0123456789' });
    const name = words.join(' ');
    if (isSameName(name, who.account_name)) return;
    await expectRefused(pay({ account_name: name }), [422, 'name_mismatch', '/account_name']);
  });

  it('may name whoever it is for, in any spelling', async () => {
    const { body: who } = await resolve({ bank_code: '058', account_number: '0123456789' });
    const [first, last] = who.account_name.toLowerCase().split(' ');
    expect((await pay({ account_name: `${last}, ${first}` })).status).toBe(201);
  });

  it.each([
    ['Adaeze Okafor', 'OKAFOR ADAEZE', true],
    ['Adaeze Okafor', 'OKAFOR ADAEZE NGOZI', true],
    ['Adaèze Okafor', 'ADAEZE-OKAFOR', true],
    ['Okafor', 'OKAFOR ADAEZE', false],
    ['Corner', 'CORNER', true],
    ['Adaeze Okafor', 'ADAEZE EZE', false],
    ['', 'ADAEZE', false],
    ['...', '', false],
  ])('knows that %s and %s are the same: %s', (one, other, expected) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([expected, expected]);
  });

  it('in a dry run is priced and named, and leaves no trace', async () => {
    const before = await duka.totals();
    const { status, body } = await pay({ dry_run: true });
    expect([status, body]).toMatchObject([
      200,
      { id: null, status: 'pending', fee: FEE, details: { account_name: expect.any(String), session_id: null } },
    ]);
    expect(body.ledger).toHaveLength(2);
    expect(await duka.totals()).toEqual(before);
    expect(await resolutions()).toBe(0);
  });

  it('that looks like one of a moment ago is sent once, and one to another account of the same digits is another', async () => {
    const { body } = await pay();
    await expectRefused(pay(), [409, 'likely_duplicate', null]);
    expect((await pay({ bank: { ...BANK, account_number: '9990006789' } })).status).toBe(201);
    expect((await pay({ bank: { ...BANK, code: '044' } })).status).toBe(201);
    expect((await pay({ allow_duplicate: true })).body.id).not.toBe(body.id);
  });

  it.each([
    [{ bank: { ...BANK, account_number: '123' } }, [400, 'invalid_account_number', '/bank/account_number']],
    [{ bank: { ...BANK, code: 'nobody' } }, [404, 'not_found', '/bank/code']],
    [{ bank: { code: '058' } }, [400, 'validation_failed', '/bank/account_number']],
    [{ bank: null }, [400, 'validation_failed', '/bank']],
    [{ bank: { ...BANK, account_number: '0000000999' } }, [422, 'account_not_found', '/bank/account_number']],
    [{ amount: FUNDS }, [402, 'insufficient_funds', '/wallet_id']],
    [{ amount: 0 }, [400, 'amount_out_of_range', '/amount']],
  ])('of %j is refused with %j', async (more, expected) => {
    await expectRefused(pay(more), expected);
  });

  it('comes back days later, with its fee', async () => {
    const { body } = await pay({ bank: { ...BANK, account_number: '0000000112' } });
    await api.post('/v4/sandbox/clock/advance', { seconds: 3 * 86_400 });
    await api.post(`/v4/sandbox/transactions/${body.id}/settle`, { status: 'reversed' });
    const after = (await api.get(`/v4/payouts/${body.id}`)).body;
    expect(after).toMatchObject({ status: 'reversed', reversed_by: expect.stringMatching(/^txn_/) });
    expect(await api.balance(wallet)).toMatchObject({ available: FUNDS, held: 0 });
  });

  it('goes to no test number in live mode', async () => {
    const live = duka.api(await duka.key({ accountId: account.id, livemode: true }));
    expect(
      refusal(await live.post('/v4/payouts', { amount: 1, bank: { ...BANK, account_number: '0000000100' } })),
    ).toEqual([400, 'invalid_account_number', '/bank/account_number']);
    expect(refusal(await live.post('/v4/payouts', { amount: 1, bank: BANK }))).toEqual([
      503,
      'provider_unavailable',
      null,
    ]);
  });
});

describe('limits', () => {
  it('name what may be sent at once', async () => {
    await limit({ single: 99_999 });
    const { status, body } = await pay();
    expect([status, body.code, body.max, body.detail]).toEqual([
      402,
      'limit_exceeded',
      99_999,
      'This account may send at most NGN 999.99 at once.',
    ]);
    expect((await pay({ dry_run: true })).status).toBe(402);
    expect((await pay({ amount: 99_999 })).status).toBe(201);
  });

  it('that are wide enough refuse nobody, however many come at once', async () => {
    await limit({ daily: FUNDS });
    const other = twin.api(account.key);
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        (i % 2 ? other : api).post(
          '/v4/payouts',
          { wallet_id: wallet, amount: 100, bank: BANK },
          { key: randomUUID() },
        ),
      ),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
  });

  it('of 24 hours hold for many at once, at two processes, and count what failed not', async () => {
    await limit({ daily: 1_000 });
    const failed = await pay({ amount: 1_000, bank: { ...BANK, account_number: '0000000102' } });
    expect(failed.body.status).toBe('failed');
    const other = twin.api(account.key);
    const looks = [duka, twin].map((each) => jest.spyOn(each.get<PayoutsService>(PayoutsService), 'findRule'));
    // All have looked before the first of them can be posted.
    const wall = new Client({ connectionString: duka.env.DATABASE_URL });
    await wall.connect();
    await wall.query('BEGIN');
    await wall.query('SELECT FROM ledger_accounts WHERE id = $1 FOR UPDATE', [decodeId('wal', wallet)]);
    const asked = Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 ? other : api).post(
          '/v4/payouts',
          { wallet_id: wallet, amount: 100, bank: BANK },
          { key: randomUUID() },
        ),
      ),
    );
    while (looks.reduce((sum, { mock }) => sum + mock.calls.length, 0) < 40)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await wall.query('COMMIT');
    await wall.end();
    const all = await asked;
    const statuses = all.map(({ status, body }) => `${status} ${body.code ?? body.status}`);
    expect(statuses.filter((status) => status === '201 successful')).toHaveLength(10);
    expect(statuses.filter((status) => status === '402 limit_exceeded')).toHaveLength(30);
    const refused = await pay({ amount: 100, allow_duplicate: true });
    expect(refused.body).toMatchObject({ code: 'limit_exceeded', max: 0 });
    await api.post('/v4/sandbox/clock/advance', { seconds: 86_400 });
    expect((await pay({ amount: 1_000, allow_duplicate: true })).status).toBe(201);
  });

  it('of 24 hours hold for what goes out, whenever it was ordered', async () => {
    await limit({ daily: 1_000 });
    const poor = await api.wallet();
    const waiting = duka.get<QueuedPurchases>(QueuedPurchases);
    const queue = { wallet_id: poor, on_insufficient_funds: 'queue', deliver_by: '2099-01-01T00:00:00Z' };
    const ids: string[] = [];
    for (let day = 0; day < 3; day++) {
      const { status, body } = await pay({ ...queue, amount: 900 }, { key: randomUUID() });
      expect([status, body.status]).toEqual([202, 'pending']);
      ids.push(body.id);
      await api.post('/v4/sandbox/clock/advance', { seconds: 86_400 });
    }
    const statuses = async () => {
      const all = await Promise.all(ids.map((id) => api.get(`/v4/payouts/${id}`)));
      return all.map(({ body }) => body.status as string);
    };
    await api.credit(poor, 100_000);
    for (let day = 1; day <= 3; day++) {
      await Promise.all([waiting.payAll(), twin.get<QueuedPurchases>(QueuedPurchases).payAll()]);
      const gone = ids.map((_, i) => (i < day ? 'successful' : 'pending'));
      await until(async () => (await statuses()).join() === gone.join());
      const refused = await pay({ amount: 101 }, { key: randomUUID() });
      expect([refused.body.code, refused.body.max]).toEqual(['limit_exceeded', 100]);
      await api.post('/v4/sandbox/clock/advance', { seconds: 86_400 });
    }
    expect((await pay({ amount: 1_000 }, { key: randomUUID() })).status).toBe(201);
  });

  it('that were lowered meanwhile hold for what waited for money', async () => {
    const poor = await api.wallet();
    const queue = { wallet_id: poor, on_insufficient_funds: 'queue', deliver_by: '2099-01-01T00:00:00Z' };
    const { body } = await pay({ ...queue, amount: 900 });
    const status = async () => (await api.get(`/v4/payouts/${body.id}`)).body.status as string;
    await limit({ single: 899 });
    await api.credit(poor, 100_000);
    const set = async (rule: string) => {
      await duka.asOwner(`UPDATE payout_rules SET ${rule} WHERE account_id = $1`, [uuid()]);
      await duka.get<QueuedPurchases>(QueuedPurchases).payAll();
    };
    await set('single_limit = 899');
    expect(await status()).toBe('pending');
    await set('single_limit = 900, approval_above = 899');
    expect(await status()).toBe('pending');
    await set('approval_above = 900');
    await until(async () => (await status()) === 'successful');
  });

  it('are not all that it waits for: its bank may be switched off', async () => {
    const poor = await api.wallet();
    const bank = { ...BANK, code: '033' };
    const queue = { wallet_id: poor, bank, on_insufficient_funds: 'queue', deliver_by: '2099-01-01T00:00:00Z' };
    const { body } = await pay(queue);
    const set = (enabled: boolean) => duka.asOwner(`UPDATE banks SET enabled = $1 WHERE code = '033'`, [enabled]);
    const status = async () => (await api.get(`/v4/payouts/${body.id}`)).body.status as string;
    await set(false);
    await api.credit(poor, 200_000);
    const waiting = duka.get<QueuedPurchases>(QueuedPurchases);
    await waiting.payAll();
    expect(await status()).toBe('pending');
    await set(true);
    await waiting.payAll();
    await until(async () => (await status()) === 'successful');
  });
});
