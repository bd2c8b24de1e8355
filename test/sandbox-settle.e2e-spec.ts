import { PurchaseRequeries } from '../src/modules/purchases/purchase-requeries';
import { Buyer, type End } from './support/buyer';
import { Duka } from './support/duka';

const OPEN = '+2348000001111';
const DELIVERED = '+2348000001100';

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

const end = (status: End['status'], more: Partial<End> = {}): End => ({
  status,
  failure_code: null,
  error_code: null,
  attempts: 1,
  needs_review: false,
  ...more,
});

it.each([
  ['successful', end('successful')],
  ['failed', end('failed', { failure_code: 'declined' })],
] as const)('ends a running purchase as %s', async (status, final) => {
  const buyer = await Buyer.of(duka);
  const { body: running } = await buyer.airtime(OPEN);
  expect(running.status).toBe('processing');
  const { status: code, body } = await buyer.settle(running.id, status);
  expect([code, body.id, body.status]).toEqual([200, running.id, status]);
  expect(body).toEqual(await buyer.transaction(running.id));
  await buyer.expectEnd(running.id, final);
});

it('takes a successful purchase back, also one that the operator had settled', async () => {
  for (const phone of [DELIVERED, OPEN]) {
    const buyer = await Buyer.of(duka);
    const { body } = await buyer.airtime(phone);
    if (body.status === 'processing') await buyer.settle(body.id, 'successful');
    expect((await buyer.settle(body.id, 'reversed')).body.status).toBe('reversed');
    await buyer.expectEnd(body.id, end('reversed'));
  }
});

it('answers one that waits for a person', async () => {
  const buyer = await Buyer.of(duka);
  const { body } = await buyer.airtime('+2348000001109');
  await buyer.reach(body.id, end('processing', { needs_review: true }));
  expect((await buyer.settle(body.id, 'successful')).body).toMatchObject({ status: 'successful', next_check_at: null });
  expect(await buyer.api.balance(buyer.wallet)).toMatchObject({ available: Buyer.MONEY - body.total, held: 0 });
});

it('finds a purchase by the reference of its request', async () => {
  const buyer = await Buyer.of(duka);
  await buyer.airtime(OPEN, undefined, { reference: 'order-7' });
  expect((await buyer.settle('order-7', 'failed')).body).toMatchObject({ reference: 'order-7', status: 'failed' });
});

it('takes effect once for a key', async () => {
  const buyer = await Buyer.of(duka);
  const {
    body: { id },
  } = await buyer.airtime(OPEN);
  const first = await buyer.settle(id, 'successful', 'settle-1');
  const again = await buyer.settle(id, 'successful', 'settle-1');
  expect([first, again].map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
    [200, null],
    [200, 'true'],
  ]);
  expect(again.body).toEqual(first.body);
  expect((await buyer.settle(id, 'failed', 'settle-1')).body).toMatchObject({
    code: 'idempotency_key_reused',
    resource_id: id,
  });
  await buyer.expectEnd(id, end('successful'));
});

it('asks once more when it is sent again, because nobody had asked', async () => {
  const buyer = await Buyer.of(duka);
  const { body } = await buyer.airtime(DELIVERED);
  const died = jest
    .spyOn(duka.get<PurchaseRequeries>(PurchaseRequeries), 'requeryNow')
    .mockRejectedValueOnce(new Error('it dies here'));
  expect((await buyer.settle(body.id, 'reversed', 'settle-2')).status).toBe(500);
  died.mockRestore();
  await buyer.expectEnd(body.id, end('successful'));
  const again = await buyer.settle(body.id, 'reversed', 'settle-2');
  expect([again.body.status, again.headers.get('idempotent-replayed')]).toEqual(['reversed', 'true']);
  await buyer.expectEnd(body.id, end('reversed'));
});

it('refuses what cannot be, and a refusal binds no key', async () => {
  const buyer = await Buyer.of(duka);
  const { body: open } = await buyer.airtime(OPEN);
  const { body: failed } = await buyer.airtime('+2348000001102');
  const { body: sold } = await buyer.airtime(DELIVERED);
  const deposit = (await buyer.api.get('/v4/transactions?type=deposit')).body.data[0];
  const attempts = [
    [open, 'reversed'],
    [failed, 'successful'],
    [failed, 'reversed'],
    [sold, 'failed'],
    [sold, 'successful'],
    [deposit, 'reversed'],
    [deposit, 'failed'],
  ];
  for (const [{ id }, status] of attempts) {
    const { status: code, body } = await buyer.settle(id, status, 'refused');
    expect([code, body.code, body.resource_id]).toEqual([409, 'invalid_state_transition', id]);
  }
  expect((await buyer.settle(open.id, 'successful', 'refused')).status).toBe(200);
});

it('knows no purchase of another account, and no other word', async () => {
  const [mine, other] = [await Buyer.of(duka), await Buyer.of(duka)];
  const {
    body: { id },
  } = await mine.airtime(OPEN);
  expect((await other.settle(id, 'successful')).status).toBe(404);
  expect((await mine.settle(id, 'cancelled')).body).toMatchObject({ code: 'validation_failed', param: '/status' });
  expect((await mine.transaction(id)).status).toBe('processing');
});
