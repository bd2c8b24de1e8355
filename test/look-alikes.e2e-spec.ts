import { decodeId } from '../src/core/http/ids';
import type { Api } from './support/api';
import { cardholder, CardOwner } from './support/cardholder';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

const PHONE = '+2348000007100';

let duka: Duka;
/** A second process on the same database. */
let twin: Duka;

beforeAll(async () => {
  duka = await Duka.start();
  twin = await duka.twin();
});

afterAll(async () => {
  await twin?.stop();
  await duka?.stop();
});

/** A request that moves money, and whose effect can be counted. */
interface MoneyPost {
  readonly post: (api: Api, more?: object, key?: string) => Promise<Answer>;
  readonly api: Api;
  /** How often it took effect. */
  readonly effects: () => Promise<number>;
}

async function countOf(api: Api, type: string): Promise<number> {
  return (await api.all(`/v4/transactions?type=${type}&limit=100`)).filter(({ status }) => status === 'successful')
    .length;
}

async function shop(): Promise<{ api: Api; wallet: string }> {
  const { api } = await duka.account();
  const wallet = (await api.get('/v4/wallets')).body.data[0].id as string;
  await api.credit(wallet, 10_000_000);
  return { api, wallet };
}

const MONEY_POSTS: Record<string, () => Promise<MoneyPost>> = {
  'POST /v4/airtime/purchase': async () => {
    const { api } = await shop();
    const post = (to: Api, more = {}, key?: string) =>
      to.post('/v4/airtime/purchase', { phone: PHONE, network: 'mtn', amount: 10_000, ...more }, { key });
    return { api, post, effects: () => countOf(api, 'airtime_purchase') };
  },
  'POST /v4/data/purchase': async () => {
    const { api } = await shop();
    const post = (to: Api, more = {}, key?: string) =>
      to.post('/v4/data/purchase', { phone: PHONE, plan_code: 'mtn-sme-1gb-1m', ...more }, { key });
    return { api, post, effects: () => countOf(api, 'data_purchase') };
  },
  'POST /v4/bills/pay': async () => {
    const { api } = await shop();
    const meter = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111' };
    const { body } = await api.post('/v4/bills/validate', { ...meter, service_type: 'prepaid' });
    const bill = { ...meter, amount: 500_000, validation_id: body.id };
    const post = (to: Api, more = {}, key?: string) => to.post('/v4/bills/pay', { ...bill, ...more }, { key });
    return { api, post, effects: () => countOf(api, 'bill_payment') };
  },
  'POST /v4/payouts': async () => {
    const { api } = await shop();
    const payout = { amount: 10_000, bank: { code: '058', account_number: '0123456789' } };
    const post = (to: Api, more = {}, key?: string) => to.post('/v4/payouts', { ...payout, ...more }, { key });
    return { api, post, effects: () => countOf(api, 'payout') };
  },
  'POST /v4/wallets/transfer': async () => {
    const { api, wallet } = await shop();
    const other = await api.wallet();
    const post = (to: Api, more = {}, key?: string) =>
      to.post('/v4/wallets/transfer', { from_wallet: wallet, to_wallet: other, amount: 500, ...more }, { key });
    return { api, post, effects: () => countOf(api, 'transfer_out') };
  },
  'POST /api/v1/payments/:id/refunds': async () => {
    const { api } = await shop();
    const { body } = await api.post('/api/v1/payments', { amount: 1_000_000, currency: 'NGN' }, { key: 'paid' });
    await api.post(`/v4/sandbox/payments/${body.id}/complete`, { status: 'successful' });
    const post = (to: Api, more = {}, key?: string) =>
      to.post(`/api/v1/payments/${body.id}/refunds`, { amount: 500, ...more }, { key });
    return { api, post, effects: () => countOf(api, 'payment_refund') };
  },
  // By a quote of its own each time, as by a client that begins anew.
  'POST /v4/conversions': async () => {
    const { api, wallet } = await shop();
    const dollars = await api.wallet(100_000, 'USD');
    const post = async (to: Api, more = {}, key?: string) => {
      const { body } = await to.post('/v4/quotes', { from_currency: 'USD', to_currency: 'NGN', amount: 500 });
      return to.post(
        '/v4/conversions',
        { quote_id: body.id, from_wallet: dollars, to_wallet: wallet, ...more },
        { key },
      );
    };
    return { api, post, effects: () => countOf(api, 'conversion_out') };
  },
  'POST /v4/cards/issue': async () => {
    const owner = await CardOwner.of(duka);
    const card = { customer: cardholder(), currency: 'USD', amount: 1_000, funding_wallet_id: owner.wallet };
    const post = (to: Api, more = {}, key?: string) => to.post('/v4/cards/issue', { ...card, ...more }, { key });
    return { api: owner.api, post, effects: () => countOf(owner.api, 'card_issue') };
  },
  'POST /v4/cards/:id/fund': async () => {
    const owner = await CardOwner.of(duka);
    const { id } = await owner.card();
    const post = (to: Api, more = {}, key?: string) =>
      to.post(`/v4/cards/${id}/fund`, { amount: 700, ...more }, { key });
    return { api: owner.api, post, effects: () => countOf(owner.api, 'card_funding') };
  },
  'POST /v4/cards/:id/withdraw': async () => {
    const owner = await CardOwner.of(duka);
    const { id } = await owner.card();
    const post = (to: Api, more = {}, key?: string) =>
      to.post(`/v4/cards/${id}/withdraw`, { amount: 700, ...more }, { key });
    return { api: owner.api, post, effects: () => countOf(owner.api, 'card_withdrawal') };
  },
};

const advance = async (api: Api, seconds: number): Promise<void> => {
  if (seconds > 0) expect((await api.post('/v4/sandbox/clock/advance', { seconds })).status).toBe(200);
};

describe.each(Object.keys(MONEY_POSTS))('%s, sent without key and reference', (name) => {
  test('at once to two processes takes effect once; the other is told what is in its way', async () => {
    const { api, post, effects } = await MONEY_POSTS[name]!();
    const before = await effects();
    const answers = await Promise.all([post(api), post(twin.api(api.secret)), post(api), post(twin.api(api.secret))]);
    const made = answers.filter(({ status }) => status === 201);
    const stopped = answers.filter(({ body }) => body.code === 'likely_duplicate');
    expect([made.length, stopped.length]).toEqual([1, 3]);
    expect(stopped.map(({ status, body }) => [status, body.resource_id])).toEqual(
      stopped.map(() => [409, made[0]!.body.id]),
    );
    expect(await effects()).toBe(before + 1);
  });

  test.each([0, 30, 90])('and again %i s later, by the clock, takes effect once', async (seconds) => {
    const { api, post, effects } = await MONEY_POSTS[name]!();
    const before = await effects();
    const first = await post(api);
    await advance(api, seconds);
    const second = await post(twin.api(api.secret));
    expect([first.status, second.status, second.body.code, second.body.resource_id]).toEqual([
      201,
      409,
      'likely_duplicate',
      first.body.id,
    ]);
    expect(await effects()).toBe(before + 1);
  });

  test('is let through after two minutes, when it is meant, and with a key or reference of its own', async () => {
    const { api, post, effects } = await MONEY_POSTS[name]!();
    const before = await effects();
    expect((await post(api)).status).toBe(201);
    const meant = [
      await post(api, { allow_duplicate: true }),
      await post(api, { reference: 'r-1' }),
      await post(api, {}, 'k-1'),
    ];
    await advance(api, 121);
    const later = [await post(api), await post(api)];
    expect([...meant, ...later].map(({ status }) => status)).toEqual([201, 201, 201, 201, 409]);
    expect(await effects()).toBe(before + 5);
  });

  test('a dry run neither claims nor is stopped', async () => {
    const { api, post, effects } = await MONEY_POSTS[name]!();
    const before = await effects();
    expect(
      [await post(api, { dry_run: true }), await post(api), await post(api, { dry_run: true })].map(
        ({ status }) => status,
      ),
    ).toEqual([200, 201, 200]);
    expect(await effects()).toBe(before + 1);
  });
});

describe('an account that demands keys', () => {
  const demand = async (api: Api, isRequired: boolean) => {
    const { body } = await api.get('/v4/account');
    await duka.asOwner('UPDATE accounts SET require_idempotency_key = $2 WHERE id = $1', [
      decodeId('acct', body.id),
      isRequired,
    ]);
    expect((await api.get('/v4/account')).body.require_idempotency_key).toBe(isRequired);
  };

  test.each(Object.keys(MONEY_POSTS))('is not heard without key and reference by %s', async (name) => {
    const { api, post, effects } = await MONEY_POSTS[name]!();
    const before = await effects();
    await demand(api, true);
    const refused = [await post(api), await post(api, { allow_duplicate: true })];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([400, 'idempotency_key_required']),
    );
    const heard = [
      await post(api, {}, 'k-1'),
      await post(api, { reference: 'r-1' }),
      await post(api, { dry_run: true }),
    ];
    expect(heard.map(({ status }) => status)).toEqual([201, 201, 200]);
    expect(await effects()).toBe(before + 2);
  });

  test("nor by POST /api/v1/payments; the operator's word counts on every process", async () => {
    const { api } = await duka.account();
    const ask = (to: Api, key?: string) => to.post('/api/v1/payments', { amount: 1_000, currency: 'NGN' }, { key });
    expect([await ask(api), await ask(api)].map(({ status }) => status)).toEqual([201, 201]);
    await demand(api, true);
    const elsewhere = twin.api(api.secret);
    expect([(await ask(elsewhere)).body.code, (await ask(elsewhere, 'p-1')).status]).toEqual([
      'idempotency_key_required',
      201,
    ]);
    await demand(api, false);
    while ((await ask(elsewhere)).status !== 201);
  });
});

describe("a purchase that came to nothing stands in nobody's way", () => {
  test('one that failed', async () => {
    const { api } = await shop();
    const refused = { phone: '+2348000007102', network: 'mtn', amount: 10_000 };
    const answers = [
      await api.post('/v4/airtime/purchase', refused),
      await twin.api(api.secret).post('/v4/airtime/purchase', refused),
    ];
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
      [201, 'failed'],
      [201, 'failed'],
    ]);
  });

  test('one that was reversed', async () => {
    const { api } = await shop();
    const order = { phone: PHONE, network: 'mtn', amount: 10_000 };
    const { body } = await api.post('/v4/airtime/purchase', order);
    expect((await api.post(`/v4/sandbox/transactions/${body.id}/settle`, { status: 'reversed' })).body.status).toBe(
      'reversed',
    );
    expect((await api.post('/v4/airtime/purchase', order)).status).toBe(201);
  });

  test('one that was cancelled while it waited for money', async () => {
    const { api } = await duka.account();
    const order = {
      phone: PHONE,
      network: 'mtn',
      amount: 10_000,
      on_insufficient_funds: 'queue',
      deliver_by: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const { body: queued } = await api.post('/v4/airtime/purchase', order);
    const twice = await twin.api(api.secret).post('/v4/airtime/purchase', order);
    expect([twice.status, twice.body.code, twice.body.resource_id]).toEqual([409, 'likely_duplicate', queued.id]);
    expect((await api.post(`/v4/transactions/${queued.id}/cancel`)).body.status).toBe('cancelled');
    expect((await api.post('/v4/airtime/purchase', order)).status).toBe(202);
  });

  test('a request that was refused claims nothing', async () => {
    const { api } = await duka.account();
    const wallet = (await api.get('/v4/wallets')).body.data[0].id as string;
    const order = { phone: PHONE, network: 'mtn', amount: 10_000 };
    expect((await api.post('/v4/airtime/purchase', order)).body.code).toBe('insufficient_funds');
    await api.credit(wallet, 100_000);
    expect((await api.post('/v4/airtime/purchase', order)).status).toBe(201);
  });
});
