import { ReadPipeline } from '../src/core/database/pipeline';
import { Endings } from '../src/core/resources/endings';
import { CardOwner } from './support/cardholder';
import { Duka } from './support/duka';
import { Shopper } from './support/shopper';

const DELIVERED = '+2348000009100';
const UNTIL_SETTLED = '+2348000009111';

let duka: Duka;
/** Another process of the same deployment: the one that ends what `duka` waits for. */
let twin: Duka;
let shopper: Shopper;

beforeAll(async () => {
  duka = await Duka.start();
  twin = await duka.twin();
  duka.get<Endings>(Endings).isWatching = true;
});
afterAll(async () => {
  await twin?.stop();
  await duka?.stop();
});
beforeEach(async () => {
  shopper = await Shopper.in(duka);
});

const elsewhere = () => twin.api(shopper.account.key);
const buy = (phone: string, prefer?: string, more: object = {}) =>
  shopper.buy({ phone, network: 'mtn', allow_duplicate: true, ...more }, prefer === undefined ? {} : { prefer });

/** Purchases that are on their way, once there are so many whose provider has been heard. */
async function running(count: number): Promise<string[]> {
  for (;;) {
    const { data } = (await elsewhere().get('/v4/transactions?type=airtime_purchase&limit=100')).body as {
      data: { id: string; status: string }[];
    };
    if (data.length === count) return data.map(({ id }) => id);
  }
}

const settle = (id: string, status: string) => elsewhere().post(`/v4/sandbox/transactions/${id}/settle`, { status });

test('an answer is held back until another process has settled the purchase', async () => {
  const answered = buy(UNTIL_SETTLED, 'wait=25');
  const [id] = await running(1);
  while ((await settle(id!, 'successful')).status !== 200);
  const { status, body, headers } = await answered;
  expect([status, body.id, body.status, headers.get('preference-applied')]).toEqual([201, id, 'successful', 'wait=25']);
});

test('a requery that another process makes ends it, too; without a preference ten seconds are waited', async () => {
  const answered = shopper.steer('outcome=timeout; then=delivered; delay=1h');
  await running(1);
  await elsewhere().post('/v4/sandbox/clock/advance', { seconds: 7_200 });
  const { status, body, headers } = await answered;
  expect([status, body.status, headers.get('preference-applied')]).toEqual([201, 'successful', null]);
});

test('what waits for money is answered when the money came and it was bought', async () => {
  const order = {
    amount: 200_000,
    on_insufficient_funds: 'queue',
    deliver_by: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const answered = buy(DELIVERED, 'wait=25', order);
  await running(1);
  await elsewhere().credit(shopper.wallet, 500_000);
  const { status, body } = await answered;
  expect([status, body.status]).toEqual([201, 'successful']);
});

test('after the time that was asked for, the answer is what is known', async () => {
  const { status, body, headers } = await buy(UNTIL_SETTLED, 'wait=1');
  expect([status, body.status, headers.get('preference-applied')]).toEqual([202, 'processing', 'wait=1']);
  const at = await buy(UNTIL_SETTLED, 'respond-async, wait=0');
  expect([at.status, at.headers.get('preference-applied')]).toEqual([202, 'wait=0']);
});

test('thirty seconds are the most; what is final at once is not waited for', async () => {
  const { status, headers } = await buy(DELIVERED, 'wait=600');
  expect([status, headers.get('preference-applied')]).toEqual([201, 'wait=30']);
  expect((await buy(DELIVERED)).headers.get('preference-applied')).toBeNull();
});

test('all who wait share one look, and nobody looks when nobody waits', async () => {
  const asked = jest.spyOn(duka.get<ReadPipeline>(ReadPipeline), 'query');
  const looks = () => asked.mock.calls.filter(([query]) => query.name === 'select_ended_transactions');
  const waiting = 8;
  const answers = Array.from({ length: waiting }, () => buy(UNTIL_SETTLED, 'wait=25'));
  const ids = await running(waiting);
  const places = (look: unknown[]): number => (look[1] as Buffer[])[0]!.readInt32BE(12);
  while (!looks().some((look) => places(look) === waiting)) await elsewhere().get('/v4/account');
  for (const id of ids) while ((await settle(id, 'successful')).status !== 200);
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([201]));
  await buy(UNTIL_SETTLED, 'wait=1');
  const last = looks();
  expect(places(last.at(-1)!)).toBe(1);
  asked.mockRestore();
});

test('a card that its issuer takes time for is answered when it is active, whoever heard of it', async () => {
  const owner = await CardOwner.of(duka);
  const answered = owner.issue({ lastName: 'SLOW', headers: { prefer: 'wait=25' } });
  const other = twin.api(owner.api.secret);
  while ((await other.get('/v4/cards')).body.data.length === 0);
  for (;;) {
    await other.post('/v4/sandbox/clock/advance', { seconds: 60 });
    if ((await other.get('/v4/cards')).body.data[0].status === 'active') break;
  }
  const { status, body, headers } = await answered;
  expect([status, body.status, headers.get('preference-applied')]).toEqual([201, 'active', 'wait=25']);
});
