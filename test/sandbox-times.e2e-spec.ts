import { decodeId } from '../src/core/http/ids';
import type { IdPrefix } from '../src/vocabulary/id-prefixes';
import { cardholder } from './support/cardholder';
import { Duka, type TestAccount } from './support/duka';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';

const DAY_MS = 24 * 3_600_000;
const AHEAD_SECONDS = 3 * 86_400;
const AHEAD_MS = AHEAD_SECONDS * 1_000;
const UNDECIDED = '+2348000001111';
/** As far ahead as anything that waits may be due: a card's last day is a fact of its own. */
const FUTURES = /^(expires_at|next_check_at|next_attempt_at)$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let duka: Duka;
beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
});
afterAll(() => duka.stop());

/** Every time in an answer, by its path. */
function timesIn(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'string' && ISO.test(value)) return [[path, Date.parse(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, of]) => timesIn(of, `${path}/${name}`));
}

/** The answer has times, and each of them lies between the two; what is to come, at most `laterMs` after. */
function expectWithin(what: string, answer: unknown, [from, to]: [number, number], laterMs = 8 * DAY_MS): void {
  const times = timesIn(answer);
  expect([what, times.length > 0]).toEqual([what, true]);
  const stray = times.filter(
    ([path, at]) => at < from || at > (FUTURES.test(path.split('/').at(-1)!) ? to + laterMs : to),
  );
  expect({ what, stray: stray.map(([path, at]) => `${path} ${new Date(at).toISOString()}`) }).toEqual({
    what,
    stray: [],
  });
}

interface World {
  readonly account: TestAccount;
  readonly receiver: Receiver;
  readonly start: number;
  readonly ids: Record<
    'wallet' | 'purchase' | 'transfer' | 'customer' | 'card' | 'slowCard' | 'payment' | 'authorization',
    string
  >;
}

/** An account with one of everything, made when its clock was three days ahead. The receiver refuses purchases and takes the rest. */
async function worldAhead(): Promise<World> {
  const account = await duka.account();
  const { api } = account;
  const start = Date.now();
  await api.post('/v4/sandbox/clock/advance', { seconds: AHEAD_SECONDS });
  const made = async (path: string, body: object): Promise<any> => {
    const answer = await api.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const receiver = await Receiver.of(duka, account);
  receiver.reply = ({ body }) => ({ status: body.type === 'transaction.processing' ? 500 : 200 });
  const [wallet, dollars, other] = [await api.wallet(500_000), await api.wallet(500_000, 'USD'), await api.wallet()];
  const purchase = await made('/v4/airtime/purchase', { phone: UNDECIDED, amount: 10_000, wallet_id: wallet });
  const transfer = (await api.transfer(wallet, other, 5_000)).body;
  const customer = await made('/v4/customers', cardholder('Eze'));
  const order = { currency: 'USD', amount: 5_000, funding_wallet_id: dollars };
  const card = await made('/v4/cards/issue', { ...order, customer: cardholder('Obi') });
  const slowCard = await made('/v4/cards/issue', { ...order, customer: cardholder('SLOW') });
  const authorization = await made(`/v4/sandbox/cards/${card.id}/simulate`, { kind: 'authorization', amount: 1_000 });
  const payment = await made('/api/v1/payments', { amount: 25_000, currency: 'NGN' });
  return {
    account,
    receiver,
    start,
    ids: {
      wallet,
      purchase: purchase.id,
      transfer: transfer.id,
      customer: customer.id,
      card: card.id,
      slowCard: slowCard.id,
      payment: payment.id,
      authorization: authorization.id ?? authorization.card_transaction?.id,
    },
  };
}

const pathsOf = ({ ids, receiver }: World): string[] => [
  `/v4/wallets/${ids.wallet}`,
  `/v4/wallets/${ids.wallet}/entries`,
  `/v4/transactions/${ids.purchase}`,
  `/v4/transactions/${ids.purchase}/timeline`,
  `/v4/wallets/transfers/${ids.transfer}`,
  `/v4/customers/${ids.customer}`,
  `/v4/cards/${ids.card}`,
  `/v4/cards/${ids.slowCard}`,
  `/v4/cards/${ids.card}/transitions`,
  `/v4/cards/${ids.card}/transactions`,
  `/api/v1/payments/${ids.payment}`,
  `/v4/webhooks/${receiver.publicId}`,
  `/v4/webhooks/${receiver.publicId}/deliveries`,
  '/v4/transactions',
  '/api/v1/payments',
  '/v4/cards',
  '/v4/events?limit=100',
  '/v4/sandbox/clock',
];

const arrived = (receiver: Receiver, type: string, count = 1): Promise<void> =>
  until(() => receiver.of(type).length >= count, 30);

/** Of a CSV file, the rows by their columns. */
const rowsOf = (text: string): Record<string, string>[] => {
  const [head, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((cells) => Object.fromEntries(head!.map((column, i) => [column, cells[i]!])));
};

describe('in an account whose clock is ahead', () => {
  let world: World;
  const now = (): number => Date.now() + AHEAD_MS;
  const period = (): [number, number] => [world.start + AHEAD_MS, now()];
  const get = async (path: string): Promise<any> => {
    const { status, body } = await world.account.api.get(path);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };

  beforeAll(async () => {
    world = await worldAhead();
    await arrived(world.receiver, 'transaction.processing');
    await arrived(world.receiver, 'card.issued');
    // Its first attempt is written once it has failed.
    while (!(await world.receiver.deliveries('transaction.processing')).some(({ status }) => status === 'retrying'));
  });
  afterAll(() => world.receiver.close());

  it('every time of every object is by that clock', async () => {
    for (const path of pathsOf(world)) {
      const body = await get(path);
      // The wallets that it was born with are older than the move.
      expectWithin(
        path,
        path === '/v4/events?limit=100'
          ? body.data.filter(
              ({ data }: any) =>
                data.object.id !== undefined && Date.parse(data.object.created_at) > world.start + DAY_MS,
            )
          : body,
        period(),
      );
    }
  });

  it('so is every time in a webhook, and of each delivery', async () => {
    for (const { body } of world.receiver.received) expectWithin(body.type, body, period());
    const { data } = await get(`/v4/webhooks/${world.receiver.publicId}/deliveries`);
    for (const { id } of data) expectWithin('delivery', await get(`/v4/webhooks/deliveries/${id}`), period());
    expect(data.some(({ next_attempt_at }: any) => Date.parse(next_attempt_at) > world.start + AHEAD_MS)).toBe(true);
  });

  it('a webhook and its event say the same, byte for byte', async () => {
    for (const { text, body } of world.receiver.received)
      expect(JSON.stringify(await get(`/v4/events/${body.id}`))).toBe(text);
  });

  it('an object is due after it was made, as without a move', async () => {
    const payment = await get(`/api/v1/payments/${world.ids.payment}`);
    expect(Date.parse(payment.expires_at) - Date.parse(payment.created_at)).toBeLessThanOrEqual(3_600_000);
    const purchase = await get(`/v4/transactions/${world.ids.purchase}`);
    expect(purchase.status).toBe('processing');
    expect(Date.parse(purchase.next_check_at) - Date.parse(purchase.created_at)).toBeLessThan(3_600_000);
  });

  it('CSV has the same times as JSON', async () => {
    for (const path of ['/v4/transactions', `/v4/wallets/${world.ids.wallet}/entries`]) {
      const rows = rowsOf(await get(`${path}?format=csv`));
      const { data } = await get(`${path}?limit=100`);
      expect(rows.map(({ id, created_at }) => [id, created_at])).toEqual(
        data.map(({ id, created_at }: any) => [String(id), created_at]),
      );
      expectWithin(path, rows, period());
    }
  });

  it('lists are filtered by that clock, page by page', async () => {
    const [before, after] = [new Date(world.start + AHEAD_MS).toISOString(), new Date(now() + 60_000).toISOString()];
    for (const path of [
      '/v4/transactions',
      '/api/v1/payments',
      '/v4/cards',
      `/v4/cards/${world.ids.card}/transactions`,
      '/v4/events',
      `/v4/wallets/${world.ids.wallet}/entries`,
    ]) {
      const found = await world.account.api.all(`${path}?limit=2&created_gte=${before}&created_lt=${after}`);
      expect([path, found.length > 0]).toEqual([path, true]);
      expect([
        path,
        (await get(`${path}?created_lt=${before}&created_gte=${new Date(world.start + DAY_MS).toISOString()}`)).data,
      ]).toEqual([path, []]);
      expect([path, (await get(`${path}?created_gte=${after}`)).data]).toEqual([path, []]);
    }
    const { created_at: at } = await get(`/v4/transactions/${world.ids.purchase}`);
    const next = new Date(Date.parse(at) + 1).toISOString();
    expect(
      (await get(`/v4/transactions?created_gte=${at}&created_lt=${next}`)).data.map(({ id }: any) => id),
    ).toContain(world.ids.purchase);
    const balanceAt = async (moment: string) =>
      (await get(`/v4/wallets/${world.ids.wallet}?at=${moment}`)).balance.available;
    expect([await balanceAt(before), await balanceAt(after)]).toEqual([
      0,
      (await get(`/v4/wallets/${world.ids.wallet}`)).balance.available,
    ]);
  });

  it('an event sent again has the bytes that it had, and what was missed is offered by that clock', async () => {
    const {
      receiver,
      account: { api },
    } = world;
    const first = receiver.of('transaction.processing')[0]!;
    await api.post(`/v4/webhooks/${receiver.publicId}/replay`, {
      created_gte: new Date(world.start + AHEAD_MS).toISOString(),
      created_lt: new Date(now()).toISOString(),
      only: 'all',
      types: ['card.issued'],
    });
    await arrived(receiver, 'card.issued', 2);
    const [one, again] = receiver.of('card.issued');
    expect(again!.text).toBe(one!.text);
    expect((await get(`/v4/events/${first.body.id}`)).timestamp).toBe(first.body.timestamp);
  });

  it('live objects, and those of an account that never moved its clock, have the time', async () => {
    const other = await duka.account();
    const from = Date.now();
    const wallet = await other.api.wallet(1_000);
    expectWithin('unmoved', (await other.api.get(`/v4/wallets/${wallet}`)).body, [from, Date.now()]);
  });
});

describe('a reset', () => {
  it('brings back what waits, and leaves what was', async () => {
    const world = await worldAhead();
    const {
      account: { api },
      receiver,
      ids,
    } = world;
    await arrived(receiver, 'transaction.processing');
    await arrived(receiver, 'card.issued');
    while (!(await receiver.deliveries('transaction.processing')).some(({ status }) => status === 'retrying'));
    const sent = new Map(receiver.received.map(({ text, body }) => [body.id, text]));
    const before = {
      payment: (await api.get(`/api/v1/payments/${ids.payment}`)).body,
      purchase: (await api.get(`/v4/transactions/${ids.purchase}`)).body,
    };
    const resetAt = Date.now();
    expectWithin('reset', (await api.post('/v4/sandbox/reset')).body, [resetAt, Date.now() + 1_000]);

    const waiting: { what: string; at: Date; max: number }[] = await receiver.sql(
      `SELECT 'purchase' AS what, next_check_at AS at, 3600 AS max FROM purchases WHERE id = $1
       UNION ALL SELECT 'record', next_check_at, 3600 FROM transactions WHERE id = $1
       UNION ALL SELECT 'order', ready_at, 3600 FROM sandbox_orders WHERE purchase_id = $1
       UNION ALL SELECT 'payment', expires_at, 3600 FROM payments WHERE id = $2
       UNION ALL SELECT 'look at the payment', next_check_at, 3600 FROM payments WHERE id = $2
       UNION ALL SELECT 'card', next_check_at, 3600 FROM cards WHERE id = $3
       UNION ALL SELECT 'authorization', expires_at, 7 * 86400 FROM card_transactions WHERE id = $4
       UNION ALL SELECT 'delivery', next_attempt_at, 3600 FROM webhook_deliveries WHERE endpoint_id = $5 AND status = 'retrying'`,
      [...[ids.purchase, ids.payment, ids.slowCard, ids.authorization].map(uuidOf), receiver.id],
    );
    expect(new Set(waiting.map(({ what }) => what)).size).toBe(8);
    for (const { what, at, max } of waiting)
      expect([what, at.getTime() <= Date.now() + max * 1_000]).toEqual([what, true]);
    const after = {
      payment: (await api.get(`/api/v1/payments/${ids.payment}`)).body,
      purchase: (await api.get(`/v4/transactions/${ids.purchase}`)).body,
    };
    for (const kind of ['payment', 'purchase'] as const) {
      expect([after[kind].version, after[kind].created_at]).toEqual([before[kind].version, before[kind].created_at]);
    }

    const wallet = await api.wallet(2_000);
    expectWithin('made after the reset', (await api.get(`/v4/wallets/${wallet}`)).body, [resetAt, Date.now()]);
    for (const [id, text] of sent) expect(JSON.stringify((await api.get(`/v4/events/${id}`)).body)).toBe(text);
    const [from, to] = [new Date(resetAt).toISOString(), new Date(Date.now() + 60_000).toISOString()];
    const found = (await api.get(`/v4/transactions?limit=100&created_gte=${from}&created_lt=${to}`)).body.data;
    expect(found.length).toBeGreaterThan(0);
    for (const { created_at } of found) expect(created_at >= from && created_at < to).toBe(true);
    const rows = rowsOf((await api.get(`/v4/transactions?format=csv&created_gte=${from}&created_lt=${to}`)).body);
    expect(rows.map(({ id }) => id)).toEqual(found.map(({ id }: any) => id));
    receiver.reply = () => ({ status: 200 });
    await arrived(receiver, 'transaction.processing', 2);
    const [first, second] = receiver.of('transaction.processing');
    expect(second!.text).toBe(first!.text);
    await receiver.close();
  });

  const uuidOf = (id: string): string => decodeId(id.split('_')[0] as IdPrefix, id)!;
});
