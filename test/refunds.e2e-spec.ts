import { SandboxCard } from '../src/modules/payments/sandbox/sandbox.provider';
import { Duka } from './support/duka';
import { Payer } from './support/payer';

let duka: Duka;
let payer: Payer;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  payer = await Payer.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const AMOUNT = 100_000;
const NET = 98_500;

/** A payment that was paid, and enough in its wallet to give all of it back. */
async function paid(): Promise<string> {
  const { id } = await payer.asked();
  await payer.complete(id, 'successful');
  await payer.api.post(`/v4/sandbox/wallets/${payer.wallet}/credit`, { amount: AMOUNT - NET });
  expect(await payer.balance()).toBe(AMOUNT);
  return id;
}

const refund = (id: string, body: object = {}, key?: string) =>
  payer.api.post(`/api/v1/payments/${id}/refunds`, body, { key });

describe('a refund', () => {
  it('goes back to the payer, and the wallet that was credited pays it', async () => {
    const id = await paid();
    const { status, body } = await refund(id, { amount: 40_000, reason: 'Returned goods', reference: 'ret-1' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'refund',
      payment_id: id,
      status: 'successful',
      amount: 40_000,
      fee: 0,
      currency: 'NGN',
      wallet_id: payer.wallet,
      reason: 'Returned goods',
      reference: 'ret-1',
      gateway: 'sandbox_card',
      gateway_reference: expect.stringContaining(body.id),
      failure: null,
      needs_review: false,
    });
    expect(await payer.get(id)).toMatchObject({
      status: 'successful',
      amount_received: AMOUNT,
      amount_refunded: 40_000,
      refundable: 60_000,
      needs_review: false,
    });
    expect(await payer.balance()).toBe(60_000);
    expect((await payer.api.get(`/v4/transactions/${body.transaction_id}`)).body).toMatchObject({
      type: 'payment_refund',
      direction: 'debit',
      status: 'successful',
      amount: 40_000,
      balance_before: AMOUNT,
      balance_after: 60_000,
      details: { refund_id: body.id, payment_id: id, gateway_reference: body.gateway_reference },
    });
    expect(await payer.events(body.id)).toEqual(['refund.processing', 'refund.successful']);
    expect((await payer.api.get(`/api/v1/refunds/${body.id}`)).body).toEqual(body);
    expect((await payer.api.get(`/api/v1/payments/${id}/refunds`)).body.data).toEqual([body]);
  });

  it('without an amount gives back what is left, and then there is nothing left', async () => {
    const id = await paid();
    await refund(id, { amount: 30_000 });
    expect((await refund(id)).body).toMatchObject({ status: 'successful', amount: 70_000 });
    expect(await payer.get(id)).toMatchObject({ status: 'successful', amount_refunded: AMOUNT, refundable: 0 });
    expect(await payer.balance()).toBe(0);
    expect(await refund(id)).toMatchObject({ status: 422, body: { code: 'refund_exceeds_payment' } });
    expect(await refund(id, { amount: 1 })).toMatchObject({ status: 422, body: { code: 'refund_exceeds_payment' } });
  });
});

describe('what cannot be refunded', () => {
  it('is a payment that was not paid, or somebody else has', async () => {
    const { id } = await payer.asked();
    expect(await refund(id)).toMatchObject({ status: 409, body: { code: 'invalid_state_transition' } });
    const other = await Payer.of(duka);
    expect(await other.api.post(`/api/v1/payments/${id}/refunds`, {})).toMatchObject({ status: 404 });
    expect(await refund('pay_nonsense')).toMatchObject({ status: 404 });
  });

  it('is more than the wallet has: nothing is asked or kept', async () => {
    const { id } = await payer.asked();
    await payer.complete(id, 'successful');
    const asked = jest.spyOn(payer.bank, 'refund');
    expect(await refund(id, { amount: AMOUNT })).toMatchObject({ status: 402, body: { code: 'insufficient_funds' } });
    expect(asked).not.toHaveBeenCalled();
    expect(await payer.get(id)).toMatchObject({ amount_refunded: 0, refundable: AMOUNT });
    expect((await payer.api.get('/api/v1/refunds')).body.data).toEqual([]);
  });

  it('is a payment whose gateway takes no refunds', async () => {
    const id = await paid();
    const gateway = duka.get<SandboxCard>(SandboxCard);
    Object.defineProperty(gateway, 'refund', { value: undefined, configurable: true });
    expect(await refund(id)).toMatchObject({ status: 422, body: { code: 'refund_not_supported' } });
    delete (gateway as { refund?: unknown }).refund;
    expect(await refund(id)).toMatchObject({ status: 201 });
  });
});

describe('a refund that is sent again', () => {
  it('with its key or reference is answered with the first one, and the gateway is asked once', async () => {
    const id = await paid();
    const asked = jest.spyOn(payer.bank, 'refund');
    const body = { amount: 1_000, reference: 'again' };
    const first = await refund(id, body, 'key-1');
    const second = await refund(id, body, 'key-1');
    const third = await refund(id, body);
    expect([first.status, second.status, third.status]).toEqual([201, 201, 200]);
    expect([second.body, third.body]).toEqual([first.body, first.body]);
    expect(await refund(id, { amount: 2_000, reference: 'again' })).toMatchObject({ status: 409 });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('as a dry run shows the hold and changes nothing', async () => {
    const id = await paid();
    const { status, body } = await refund(id, { amount: 4_000, dry_run: true });
    expect([status, body.id, body.transaction_id, body.status]).toEqual([200, null, null, 'pending']);
    expect(body.ledger).toHaveLength(2);
    expect(await refund(id, { amount: AMOUNT + 1, dry_run: true })).toMatchObject({ status: 422 });
    expect(await payer.get(id)).toMatchObject({ refundable: AMOUNT, version: (await payer.get(id)).version });
  });
});

describe('the fee of a refund', () => {
  it('is paid by the wallet beside the amount, and the fee of the payment stays paid', async () => {
    await duka.asOwner(
      `INSERT INTO fees (product, tier, currency, flat, basis_points, cap) VALUES ('payment_refund', 'standard', 'NGN', 250, 0, NULL)`,
      [],
    );
    const id = await paid();
    const { body } = await refund(id, { amount: 10_000 });
    expect(body).toMatchObject({ status: 'successful', amount: 10_000, fee: 250 });
    expect(await payer.balance()).toBe(AMOUNT - 10_250);
    await duka.asOwner(`DELETE FROM fees WHERE product = 'payment_refund'`, []);
  });
});

describe('lists of refunds', () => {
  it('are paged, and narrowed by what is asked for', async () => {
    const id = await paid();
    await refund(id, { amount: 1_000, reference: 'a' });
    await refund(id, { amount: 902, reference: 'b' });
    const page = (await payer.api.get('/api/v1/refunds?limit=1')).body;
    expect([page.data[0].reference, page.has_more]).toEqual(['b', true]);
    const next = (await payer.api.get(`/api/v1/refunds?limit=1&cursor=${page.next_cursor}`)).body;
    expect([next.data[0].reference, next.has_more]).toEqual(['a', false]);
    const found = async (query: string) =>
      (await payer.api.get(`/api/v1/refunds?${query}`)).body.data.map((one: any) => one.reference);
    expect(await found('status=failed')).toEqual(['b']);
    expect(await found('reference=a')).toEqual(['a']);
    expect(await found(`payment_id=${id}&wallet_id=${payer.wallet}&status=successful,failed`)).toEqual(['b', 'a']);
    expect(await found('needs_review=true')).toEqual([]);
  });
});
