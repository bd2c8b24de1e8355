import outcomes from '../src/modules/payments/sandbox/outcomes.json';
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

const NET = 98_500;
const DAY = 86_400;

describe('an outcome', () => {
  it.each(outcomes.map(({ outcome, final }) => [outcome, final] as const))(
    '%s ends as the table says',
    async (outcome, final) => {
      const { id } = await payer.asked();
      let { body } = await payer.complete(id, outcome);
      const {
        body: { payments },
      } = await payer.api.get('/v4/sandbox/scenarios');
      const { delay_seconds: delay } = payments.find((one: any) => one.outcome === outcome);
      if (delay > 0) {
        expect(body.status).toBe('processing');
        await payer.advance(delay + 60);
        body = await payer.get(id);
      }
      expect([body.status, body.needs_review]).toEqual([final.status, final.needs_review]);
      expect(await payer.balance()).toBe(
        outcome === 'partially_reversed' ? NET / 2 : final.status === 'successful' ? NET : 0,
      );
      const announced =
        outcome === 'partially_reversed'
          ? ['payment.successful', 'payment.partially_reversed']
          : final.needs_review
            ? ['payment.needs_review']
            : ['successful', 'failed'].includes(final.status)
              ? [`payment.${final.status}`]
              : [];
      expect(await payer.events(id)).toEqual(announced);
    },
  );

  it('success tells who paid what, in a transaction with its story', async () => {
    const { id, amount } = await payer.asked({ reference: 'told' });
    const { body } = await payer.complete(id, 'successful');
    expect(body).toMatchObject({
      status: 'successful',
      amount_received: amount,
      gateway: 'sandbox_card',
      paid_at: expect.any(String),
    });
    const { body: transaction } = await payer.api.get(`/v4/transactions/${body.transaction_id}`);
    expect(transaction).toMatchObject({
      type: 'payment',
      direction: 'credit',
      status: 'successful',
      amount: NET,
      fee: 1_500,
      total: NET,
      details: { payment_id: id, payment_reference: 'told' },
    });
    const { body: timeline } = await payer.api.get(`/v4/transactions/${body.transaction_id}/timeline`);
    const kinds = timeline.data.map(({ kind }: any) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['provider.attempt', 'provider.callback', 'provider.requery', 'ledger.entry']),
    );
  });
});

describe('a reversal', () => {
  it('takes back what was credited, with the fee', async () => {
    const { id } = await payer.asked();
    const paid = (await payer.complete(id, 'successful')).body;
    const { body } = await payer.complete(id, 'reversed');
    expect([body.status, body.failure.code, await payer.balance()]).toEqual(['reversed', 'reversed_by_gateway', 0]);
    const { body: original } = await payer.api.get(`/v4/transactions/${paid.transaction_id}`);
    expect(original).toMatchObject({ status: 'reversed', reversed_by: expect.stringMatching(/^txn_/) });
    expect((await payer.api.get(`/v4/transactions/${original.reversed_by}`)).body).toMatchObject({
      type: 'reversal',
      direction: 'debit',
      amount: NET,
      reverses: original.id,
    });
    expect(await payer.events(id)).toEqual(['payment.successful', 'payment.reversed']);
  });

  it('waits for a person when the money is gone', async () => {
    const { id } = await payer.asked();
    await payer.complete(id, 'successful');
    await payer.api.transfer(payer.wallet, await payer.api.wallet(), 1);
    const { body } = await payer.complete(id, 'reversed');
    expect([body.status, body.needs_review, await payer.balance()]).toEqual(['successful', true, NET - 1]);
  });
});

describe('time', () => {
  it('ends what nobody paid, by the clock of the account', async () => {
    const { id } = await payer.asked({ expires_in: 60 });
    await payer.advance(59);
    expect((await payer.get(id)).status).toBe('pending');
    await payer.advance(2);
    expect((await payer.get(id)).status).toBe('expired');
    expect(await payer.events(id)).toEqual(['payment.expired']);
    expect((await payer.api.post(`/api/v1/payments/${id}/cancel`)).body.code).toBe('invalid_state_transition');
  });

  it('does not end what the gateway is at, and asks until it knows', async () => {
    const { id } = await payer.asked({ expires_in: 60 });
    await payer.complete(id, 'processing');
    await payer.advance(3_600);
    expect((await payer.get(id)).status).toBe('processing');
    await payer.decide(id, 'successful');
    await payer.advance(86_400);
    expect([(await payer.get(id)).status, await payer.balance()]).toEqual(['successful', NET]);
  });

  it('does not end what the gateway says nothing about; a person is called when it never does', async () => {
    const { id } = await payer.asked({ expires_in: 60 });
    await payer.complete(id, 'unknown');
    for (let day = 0; day < 14; day++) await payer.advance(86_400 * 2);
    expect(await payer.get(id)).toMatchObject({ needs_review: true, status: 'processing' });
    await payer.complete(id, 'successful');
    expect([(await payer.get(id)).status, await payer.balance()]).toEqual(['successful', NET]);
  });

  it.each(['awaiting', 'not_known'])(
    'ends what the payer began and left, once the gateway says %s',
    async (outcome) => {
      const { id } = await payer.asked({ expires_in: 30 * DAY });
      expect((await payer.complete(id, 'processing')).body.status).toBe('processing');
      const said = payer.answering(() => ({ outcome }));
      for (let day = 0; day < 29; day++) await payer.advance(DAY);
      // However often it was asked: each answer was clear.
      expect(said.mock.calls.length).toBeGreaterThan(12);
      expect(await payer.get(id)).toMatchObject({ status: 'processing', needs_review: false });
      await payer.advance(DAY + 1);
      const abandoned = { status: 'failed', failure: { code: 'payment_abandoned' }, needs_review: false };
      expect(await payer.get(id)).toMatchObject(abandoned);
      expect(await payer.events(id)).toEqual(['payment.failed']);
      // One more look a day later sees what came after all.
      payer.answering(() => ({ outcome: 'successful', amount: 100_000n, currency: 'NGN', gatewayReference: 'late' }));
      await payer.advance(DAY + 1);
      expect(await payer.get(id)).toMatchObject({ status: 'failed', needs_review: true });
      expect(await payer.balance()).toBe(0);
    },
  );

  it.each([{ outcome: 'processing' }, { outcome: 'unknown', code: 'no_answer' }])(
    'does not end what the payer began while the gateway says $outcome',
    async (answer) => {
      const { id } = await payer.asked({ expires_in: 60 });
      await payer.complete(id, 'processing');
      payer.answering(() => answer);
      await payer.advance(2 * DAY);
      expect((await payer.get(id)).status).toBe('processing');
    },
  );

  it('ends what a person was called for, too, when the gateway then says that nothing was paid', async () => {
    const { id } = await payer.asked({ expires_in: 60 });
    await payer.complete(id, 'unknown');
    for (let day = 0; day < 14; day++) await payer.advance(2 * DAY);
    expect(await payer.get(id)).toMatchObject({ needs_review: true, status: 'processing' });
    payer.answering(() => ({ outcome: 'awaiting' }));
    await payer.advance(14 * DAY);
    expect(await payer.get(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'payment_abandoned' },
      needs_review: false,
    });
  });

  it.each(['expired', 'cancelled', 'failed'])(
    'money that arrives when the payment is %s waits for a person',
    async (end) => {
      const payment = await payer.asked({ expires_in: 60 });
      await payer.start(payment);
      if (end === 'expired') await payer.advance(61);
      else if (end === 'cancelled') await payer.api.post(`/api/v1/payments/${payment.id}/cancel`);
      else await payer.complete(payment.id, 'failed');
      expect((await payer.get(payment.id)).status).toBe(end);
      // Nobody calls back: the last question a day later finds it.
      await payer.decide(payment.id, 'successful');
      await payer.advance(86_401);
      expect(await payer.get(payment.id)).toMatchObject({ status: end, needs_review: true, amount_received: 100_000 });
      expect(await payer.balance()).toBe(0);
    },
  );
});
