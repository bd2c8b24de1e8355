import type { Api } from './support/api';
import { Buyer } from './support/buyer';
import { CardOwner } from './support/cardholder';
import { expectBooksToBalance } from './support/books';
import { Duka } from './support/duka';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
});
afterAll(() => duka.stop());

/** Of each record, oldest first: its type, and what was told of it, oldest first. Throws unless an event's object is the record as it stands. */
async function told(api: Api): Promise<[string, string[]][]> {
  const [records, events] = [await api.all('/v4/transactions?limit=100'), await api.all('/v4/events?limit=100')];
  const of = (record: any): [string, string[]] => {
    const own = events.filter(({ data }) => data.object.id === record.id);
    if (own.length > 0) expect(own[0].data.object).toMatchObject(record);
    return [record.type, own.map(({ type }) => type as string).toReversed()];
  };
  return records.map(of).toReversed();
}

const DONE = ['transaction.successful'];

it('tells of a deposit', async () => {
  const owner = await CardOwner.of(duka);
  expect(await told(owner.api)).toEqual([['deposit', DONE]]);
});

it('tells of each move of money between a card and a wallet', async () => {
  const owner = await CardOwner.of(duka);
  const { id } = await owner.card();
  await owner.act(id, 'fund', { amount: 700 });
  await owner.act(id, 'withdraw', { amount: 300 });
  await owner.act(id, 'terminate');
  expect(await told(owner.api)).toEqual([
    ['deposit', DONE],
    ['card_issue', DONE],
    ['card_funding', DONE],
    ['card_withdrawal', DONE],
    ['card_withdrawal', DONE],
  ]);
  const {
    data: [issue],
  } = (await owner.api.get('/v4/transactions?type=card_issue')).body;
  const all = (await owner.api.all('/v4/events?limit=100')).filter(({ type }) => type === 'transaction.successful');
  expect(all.find(({ data }) => data.object.id === issue.id).data.object).toMatchObject({
    previous_status: 'processing',
    version: issue.version,
  });
});

it.each([
  ['DECLINE', [], ['transaction.failed']],
  ['SLOW', [], DONE],
])('tells of the issue of a card for %s when it ends, not before', async (lastName, before, after) => {
  const owner = await CardOwner.of(duka);
  const { status } = await owner.issue({ lastName });
  if (status === 202) expect((await told(owner.api)).at(-1)).toEqual(['card_issue', before]);
  for (const seconds of [20, 400]) await owner.advance(seconds);
  expect((await told(owner.api)).at(-1)).toEqual(['card_issue', after]);
});

it('tells of the credit by which a purchase is taken back', async () => {
  const buyer = await Buyer.of(duka);
  await buyer.airtime('+2348031234567', 'outcome=delivered; then=reversed; delay=1m');
  await buyer.advance(90);
  expect((await told(buyer.api)).at(-1)).toEqual(['reversal', DONE]);
});

it('tells either side of a transfer of its own record, in the list and by webhook', async () => {
  const [payer, payee] = [await duka.account(), await duka.account()];
  const receivers = [
    await Receiver.of(duka, payer, { events: ['transaction.*'] }),
    await Receiver.of(duka, payee, { events: ['transaction.*'] }),
  ];
  const [from, to] = [await payer.api.wallet(1_000), await payee.api.wallet()];
  const { body: transfer } = await payer.api.transfer(from, to, 400, { reference: 'rent', key: 'key-1' });
  try {
    expect(await told(payer.api)).toEqual([
      ['deposit', DONE],
      ['transfer_out', DONE],
    ]);
    expect(await told(payee.api)).toEqual([['transfer_in', DONE]]);
    const newest = async (api: Api) => (await api.get('/v4/events?type=transaction.*&limit=1')).body.data[0];
    const [paid, received] = [await newest(payer.api), await newest(payee.api)];
    expect(paid).toMatchObject({
      request: { idempotency_key: 'key-1' },
      data: {
        object: {
          id: transfer.transactions.debit,
          type: 'transfer_out',
          previous_status: null,
          amount: 400,
          version: 1,
        },
      },
    });
    // Nobody there called.
    expect(received).toMatchObject({
      request: { id: null, idempotency_key: null },
      data: {
        object: { type: 'transfer_in', previous_status: null, amount: 400, details: { sender_reference: 'rent' } },
      },
    });
    for (const [i, event] of [paid, received].entries()) {
      const { received: got } = receivers[i]!;
      await until(async () => got.some(({ body }) => body.id === event.id));
      expect(got.find(({ body }) => body.id === event.id)!.body.data.object).toEqual(event.data.object);
    }
  } finally {
    for (const receiver of receivers) await receiver.close();
  }
  await expectBooksToBalance(duka.env.DATABASE_URL!);
});

it('tells of both records of a transfer between wallets of one account', async () => {
  const { api } = await duka.account();
  const [from, to] = [await api.wallet(1_000), await api.wallet()];
  await api.transfer(from, to, 400);
  expect(await told(api)).toEqual([
    ['deposit', DONE],
    ['transfer_out', DONE],
    ['transfer_in', DONE],
  ]);
});
