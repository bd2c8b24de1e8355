import { Buyer } from './support/buyer';
import type { Answer } from './support/contract';
import { Duka } from './support/duka';

const PHONE = '+2348031234567';
/** A breaker opens after so many failures in a row. */
const FAILURES = 5;
/** "Not known here" counts after ten minutes and two answers. */
const LOST_AFTER_SECONDS = 11 * 60;

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

const outage = (buyer: Buyer, provider: string, mode: string): Promise<Answer> =>
  buyer.api.post('/v4/sandbox/providers/outage', { provider, mode });
let orders = 0;
const buy = async (buyer: Buyer): Promise<Answer> =>
  buyer.airtime(PHONE, undefined, { reference: `order-${++orders}` });

/** Buys until the provider's breaker is open; the purchases that were lost on the way. */
async function exhaust(buyer: Buyer): Promise<string[]> {
  const lost: string[] = [];
  for (let i = 0; i < FAILURES; i++) {
    const { status, body } = await buy(buyer);
    expect([status, body.status]).toEqual([202, 'processing']);
    lost.push(body.id as string);
  }
  return lost;
}

const isAvailable = async ({ api }: Buyer): Promise<boolean> =>
  (await api.get('/v4/airtime/networks?country=NG')).body.data.find(({ slug }: { slug: string }) => slug === 'mtn')
    .available;

it('a requery that is sent again with its key is known again, also while the purchase goes on', async () => {
  const buyer = await Buyer.of(duka);
  await outage(buyer, 'sandbox', 'down');
  const { id } = (await buy(buyer)).body;
  expect((await buyer.api.twice('POST', `/v4/transactions/${id}/requery`)).body).toMatchObject({
    id,
    status: 'processing',
  });
});

it('a provider that is down is left alone, and the second one sells', async () => {
  const [buyer, other] = [await Buyer.of(duka), await Buyer.of(duka)];
  const { status, body } = await buyer.api.twice('POST', '/v4/sandbox/providers/outage', {
    provider: 'sandbox',
    mode: 'down',
  });
  expect([status, body]).toEqual([
    200,
    { object: 'sandbox_outage', provider: 'sandbox', mode: 'down', livemode: false },
  ]);
  const lasting = async ({ api }: Buyer) => (await api.get('/v4/sandbox/providers/outages')).body.data;
  expect([await lasting(buyer), await lasting(other)]).toEqual([[body], []]);
  const lost = await exhaust(buyer);
  expect((await buy(buyer)).body).toMatchObject({
    status: 'successful',
    provider: { name: 'sandbox_backup', attempts: 1 },
  });
  expect((await buy(other)).body).toMatchObject({ status: 'successful', provider: { name: 'sandbox', attempts: 1 } });
  expect(await isAvailable(buyer)).toBe(true);
  await outage(buyer, 'sandbox', 'none');
  expect(await lasting(buyer)).toEqual([]);
  await buyer.advance(60);
  await buyer.advance(LOST_AFTER_SECONDS);
  // What never arrived is sold by the second provider, once.
  for (const id of lost)
    expect(await buyer.transaction(id)).toMatchObject({
      status: 'successful',
      provider: { name: 'sandbox_backup', attempts: 2 },
    });
  const { total } = await buyer.transaction(lost[0]!);
  expect(await buyer.api.balance(buyer.wallet)).toMatchObject({ available: Buyer.MONEY - 6 * total, held: 0 });
});

it('when both are down nothing can be bought, and nothing is recorded', async () => {
  const buyer = await Buyer.of(duka);
  await outage(buyer, 'sandbox', 'down');
  await outage(buyer, 'sandbox_backup', 'down');
  await exhaust(buyer);
  await exhaust(buyer);
  const before = await duka.totals();
  const { status, body } = await buy(buyer);
  expect([status, body.code]).toEqual([503, 'provider_unavailable']);
  expect(await duka.totals()).toEqual(before);
  expect(await isAvailable(buyer)).toBe(false);
  expect(await isAvailable(await Buyer.of(duka))).toBe(true);
});

it('what a slow provider was sent is found when it is well again', async () => {
  const buyer = await Buyer.of(duka);
  await outage(buyer, 'sandbox', 'slow');
  const { status, body } = await buy(buyer);
  expect([status, body.status]).toEqual([202, 'processing']);
  await buyer.advance(10);
  expect((await buyer.transaction(body.id)).status).toBe('processing');
  await outage(buyer, 'sandbox', 'none');
  await buyer.advance(60);
  expect(await buyer.transaction(body.id)).toMatchObject({
    status: 'successful',
    provider: { name: 'sandbox', attempts: 1 },
  });
});

it('a flaky provider fails every other time', async () => {
  const buyer = await Buyer.of(duka);
  await outage(buyer, 'sandbox', 'flaky');
  const statuses: string[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await buy(buyer)).body.status);
  expect(statuses).toEqual(['processing', 'successful', 'processing', 'successful']);
});

it('a reset ends all outages', async () => {
  const buyer = await Buyer.of(duka);
  await outage(buyer, 'sandbox', 'down');
  await outage(buyer, 'sandbox_backup', 'down');
  await buyer.api.post('/v4/sandbox/reset');
  await buyer.api.credit(buyer.wallet, 100_000);
  expect((await buy(buyer)).body.status).toBe('successful');
});

it('an unknown provider is not found, and an unknown mode refused', async () => {
  const buyer = await Buyer.of(duka);
  const refusal = ({ status, body }: Answer) => [status, body.code, body.param];
  expect(refusal(await outage(buyer, 'mtn_direct', 'down'))).toEqual([404, 'not_found', '/provider']);
  expect(refusal(await outage(buyer, 'sandbox', 'sideways'))).toEqual([400, 'validation_failed', '/mode']);
});

it('a reset sets the clock back, and what is bought then goes by it', async () => {
  const buyer = await Buyer.of(duka);
  await buyer.advance(86_400);
  expect((await buyer.api.get('/v4/sandbox/clock')).body.offset_seconds).toBe(86_400);
  expect((await buyer.api.post('/v4/sandbox/reset')).status).toBe(200);
  expect((await buyer.api.get('/v4/sandbox/clock')).body.offset_seconds).toBe(0);
  await buyer.api.credit(buyer.wallet, 100_000);
  const { body } = await buyer.airtime('+2348000077107');
  expect(Date.parse(body.next_check_at) - Date.parse(body.created_at)).toBeLessThan(3_600_000);
  await buyer.advance(60);
  expect((await buyer.transaction(body.id)).status).toBe('failed');
});
