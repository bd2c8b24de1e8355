import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';

const SHOP = { name: 'Corner Shop', mcc: '5411', country: 'NG' };

let duka: Duka;
let network: CardNetwork;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  network = await CardNetwork.in(duka, 10_000);
});

const authorize = (amount: number): Promise<any> => network.done('authorization', { amount, merchant: SHOP });

/** Sums of a card transaction, short. */
const sums = ({ status, held_amount: held, settled_amount: settled, refunded_amount: refunded }: any) => [
  status,
  held,
  settled,
  refunded,
];

describe('the states of a card transaction', () => {
  it('an authorization holds money of the card', async () => {
    const made = await authorize(1_250);
    expect(made).toMatchObject({
      object: 'card_transaction',
      card_id: network.card,
      type: 'authorization',
      status: 'authorized',
      amount: 1_250,
      held_amount: 1_250,
      settled_amount: 0,
      refunded_amount: 0,
      currency: 'USD',
      amount_display: 'USD 12.50',
      merchant: SHOP,
      decline_reason: null,
      settled_at: null,
      livemode: false,
    });
    expect(Date.parse(made.expires_at) - Date.parse(made.authorized_at)).toBe(7 * 24 * 3_600_000);
    expect(await network.balance()).toEqual([8_750, 1_250]);
    expect(await network.get(made.id)).toEqual(made);
    expect(await network.eventsOf(made.id)).toEqual(['card.transaction.authorized']);
  });

  it('a clearing takes it, in one go or in several', async () => {
    const { id } = await authorize(1_000);
    const before = await network.issued();
    expect(sums((await network.step('clearing', id, 400)).body)).toEqual(['settled', 600, 400, 0]);
    expect(await network.balance()).toEqual([9_000, 600]);
    expect(sums((await network.step('clearing', id, 100)).body)).toEqual(['settled', 500, 500, 0]);
    expect(sums((await network.step('clearing', id)).body)).toEqual(['settled', 0, 1_000, 0]);
    expect(await network.balance()).toEqual([9_000, 0]);
    expect(await network.issued()).toBe(before + 1_000);
    expect(await network.eventsOf(id)).toEqual(
      ['authorized', 'settled', 'settled', 'settled'].map((what) => `card.transaction.${what}`),
    );
  });

  it('a void of more than is held is refused, and gives nothing', async () => {
    const { id } = await authorize(1_000);
    await network.step('clearing', id, 400);
    const { status, body } = await network.step('void', id, 601);
    expect([status, body.code, body.param, body.resource_id]).toEqual([409, 'card_amount_exceeded', '/amount', id]);
    expect(await network.balance()).toEqual([9_000, 600]);
  });

  it('a void gives it back, also in parts and also after a clearing', async () => {
    const { id } = await authorize(1_000);
    expect(sums((await network.step('void', id, 300)).body)).toEqual(['authorized', 700, 0, 0]);
    expect(await network.balance()).toEqual([9_300, 700]);
    expect(sums((await network.step('void', id)).body)).toEqual(['voided', 0, 0, 0]);
    expect(await network.balance()).toEqual([10_000, 0]);
    const { id: other } = await authorize(1_000);
    await network.step('clearing', other, 400);
    expect(sums((await network.step('void', other)).body)).toEqual(['settled', 0, 400, 0]);
    expect(await network.balance()).toEqual([9_600, 0]);
  });

  it('a refund brings it back, never more than was cleared', async () => {
    const { id } = await authorize(1_000);
    expect((await network.step('refund', id, 1)).status).toBe(409);
    await network.step('clearing', id);
    const before = await network.issued();
    expect(sums((await network.step('refund', id, 400)).body)).toEqual(['settled', 0, 1_000, 400]);
    expect((await network.step('refund', id, 601)).body.code).toBe('card_amount_exceeded');
    expect(sums((await network.step('refund', id)).body)).toEqual(['refunded', 0, 1_000, 1_000]);
    expect((await network.step('refund', id, 1)).body.code).toBe('invalid_state_transition');
    expect(await network.balance()).toEqual([10_000, 0]);
    expect(await network.issued()).toBe(before - 1_000);
    const refunds = await network.list('&type=refund');
    expect(
      refunds.map(({ original_id: original, amount, status, merchant }) => [original, amount, status, merchant]),
    ).toEqual([
      [id, 600, 'settled', SHOP],
      [id, 400, 'settled', SHOP],
    ]);
    expect((await network.step('refund', refunds[0].id, 1)).body.code).toBe('invalid_state_transition');
  });

  it('what nobody clears expires by the clock of the account', async () => {
    const [{ id }, { id: partial }, { id: late }] = [
      await authorize(1_000),
      await authorize(2_000),
      await authorize(10),
    ];
    await network.step('clearing', partial, 500);
    await network.pass(7 * 24 * 3_600 - 60);
    expect((await network.get(id)).status).toBe('authorized');
    await network.step('clearing', late);
    await network.pass(120);
    expect(sums(await network.get(id))).toEqual(['expired', 0, 0, 0]);
    expect(sums(await network.get(partial))).toEqual(['settled', 0, 500, 0]);
    expect(sums(await network.get(late))).toEqual(['settled', 0, 10, 0]);
    expect(await network.balance()).toEqual([9_490, 0]);
    expect(await network.eventsOf(id)).toEqual(['card.transaction.authorized', 'card.transaction.expired']);
    expect((await network.step('clearing', id)).body.code).toBe('invalid_state_transition');
  });

  it('a decline holds nothing', async () => {
    const made = await network.done('decline', { amount: 500, decline_reason: 'issuer_declined', merchant: SHOP });
    expect(made).toMatchObject({
      status: 'declined',
      decline_reason: 'issuer_declined',
      held_amount: 0,
      authorized_at: null,
      expires_at: null,
    });
    expect(await network.balance()).toEqual([10_000, 0]);
    expect(await network.eventsOf(made.id)).toEqual(['card.transaction.declined']);
  });

  it.each([
    ['voided', ['void']],
    ['refunded', ['clearing', 'refund']],
    ['settled', ['clearing']],
  ])('%s is left by no step that it has no money for', async (status, steps) => {
    const { id } = await authorize(100);
    for (const step of steps) await network.step(step, id);
    const before = await network.get(id);
    expect(before.status).toBe(status);
    const illegal = status === 'settled' ? ['clearing', 'void'] : ['clearing', 'void', 'refund'];
    for (const step of illegal) {
      const answer = await network.step(step, id);
      expect([answer.status, answer.body.code]).toEqual([409, 'invalid_state_transition']);
    }
    expect(await network.get(id)).toEqual(before);
  });

  it('neither a declined one nor a fee has steps', async () => {
    const { id: declined } = await network.done('decline', { amount: 500 });
    const { id: fee } = await network.done('fee', { amount: 5 });
    for (const id of [declined, fee]) {
      for (const step of ['clearing', 'void', 'refund'])
        expect((await network.step(step, id)).body.code).toBe('invalid_state_transition');
    }
  });
});

describe('a fee', () => {
  it('leaves the card for the platform, with a record of the account', async () => {
    const made = await network.done('fee', { amount: 30 });
    expect(made).toMatchObject({
      type: 'fee',
      status: 'settled',
      amount: 30,
      settled_amount: 30,
      merchant: null,
      transaction_id: expect.stringMatching(/^txn_/),
    });
    expect(await network.balance()).toEqual([9_970, 0]);
    const { body } = await network.api.get(`/v4/transactions/${made.transaction_id}`);
    expect(body).toMatchObject({
      type: 'card_fee',
      direction: 'debit',
      status: 'successful',
      amount: 30,
      wallet_id: null,
      balance_before: 10_000,
      balance_after: 9_970,
      details: { card_id: network.card, card_transaction_id: made.id },
    });
    expect((await network.api.get('/v4/transactions?type=card_fee')).body.data).toHaveLength(1);
    expect(await network.eventsOf(body.id)).toEqual(['transaction.successful']);
  });

  it('is refused by a card that has less', async () => {
    const { status, body } = await network.simulate('fee', { amount: 10_001 });
    expect([status, body.code]).toEqual([402, 'insufficient_funds']);
    expect(await network.list()).toEqual([]);
  });
});
