import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { Clock } from '../src/core/clock/clock';
import { type IssuerMessage, IssuerMessages } from '../src/modules/cards/issuer-messages';
import { SandboxIssuer } from '../src/modules/cards/sandbox/sandbox.provider';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const SHOP = { name: 'Corner Shop', mcc: '5411', country: 'NG' };
const DAY = 24 * 3_600;

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

/** Status, or the reason of a decline. */
const verdict = ({ status, decline_reason: reason }: any): string => reason ?? status;

describe('an authorization is declined', () => {
  it.each<[string, object, string]>([
    ['in a blocked country', { blocked_countries: ['NG'] }, 'country_blocked'],
    ['outside of the allowed countries', { allowed_countries: ['GB'] }, 'country_blocked'],
    ['in a blocked category', { blocked_mccs: ['5411'] }, 'mcc_blocked'],
    ['outside of the allowed categories', { allowed_mccs: ['5812'] }, 'mcc_blocked'],
    ['over the limit of one', { limits: [{ amount: 99, interval: 'per_authorization' }] }, 'spending_limit'],
  ])('%s', async (_, controls, reason) => {
    const network = await CardNetwork.in(duka, 1_000, { controls });
    expect(await network.done('authorization', { amount: 100, merchant: SHOP })).toMatchObject({
      status: 'declined',
      decline_reason: reason,
    });
    expect(await network.balance()).toEqual([1_000, 0]);
  });

  it('for want of money, whatever is held counted', async () => {
    const network = await CardNetwork.in(duka, 1_000);
    expect(verdict(await network.done('authorization', { amount: 600 }))).toBe('authorized');
    expect(verdict(await network.done('authorization', { amount: 401 }))).toBe('insufficient_funds');
    expect(verdict(await network.done('authorization', { amount: 400 }))).toBe('authorized');
  });

  it('on a card that does not pay', async () => {
    const network = await CardNetwork.in(duka, 1_000);
    const { id } = await network.done('authorization', { amount: 100 });
    await network.api.post(`/v4/cards/${network.card}/freeze`);
    expect(verdict(await network.done('authorization', { amount: 1 }))).toBe('card_frozen');
    // What was promised before is still taken.
    expect(verdict((await network.step('clearing', id)).body)).toBe('settled');
    await network.api.post(`/v4/cards/${network.card}/unfreeze`);
    expect(verdict(await network.done('authorization', { amount: 1 }))).toBe('authorized');
    for (let year = 0; year < 6; year++) await network.pass(365 * DAY);
    expect(verdict(await network.done('authorization', { amount: 1 }))).toBe('card_expired');
    await network.api.post(`/v4/cards/${network.card}/terminate`);
    expect(verdict(await network.done('authorization', { amount: 1 }))).toBe('card_terminated');
  });
});

describe('a limit', () => {
  it.each<[string, number]>([
    ['daily', DAY],
    ['weekly', 7 * DAY],
    ['monthly', 31 * DAY],
  ])(
    '%s counts what was authorized until the next one begins, by the clock of the account',
    async (interval, seconds) => {
      const network = await CardNetwork.in(duka, 10_000, { controls: { limits: [{ amount: 500, interval }] } });
      const { id } = await network.done('authorization', { amount: 300 });
      expect(verdict(await network.done('authorization', { amount: 201 }))).toBe('spending_limit');
      await network.step('clearing', id);
      expect(verdict(await network.done('authorization', { amount: 201 }))).toBe('spending_limit');
      await network.pass(seconds);
      expect(verdict(await network.done('authorization', { amount: 500 }))).toBe('authorized');
      expect(verdict(await network.done('authorization', { amount: 1 }))).toBe('spending_limit');
    },
  );

  it.each([
    ['daily', 'authorized'],
    ['weekly', 'authorized'],
    ['monthly', 'authorized'],
    ['all_time', 'spending_limit'],
  ])('%s: what was authorized before the clock was reset, of later than now, leaves it %s', async (interval, then) => {
    const network = await CardNetwork.in(duka, 10_000, { controls: { limits: [{ amount: 500, interval }] } });
    await network.pass(3_600);
    expect(verdict(await network.done('authorization', { amount: 300 }))).toBe('authorized');
    await duka.get<Clock>(Clock).reset(network.owner.accountId);
    expect(verdict(await network.done('authorization', { amount: 500 }))).toBe(then);
    // And what is of the present counts as ever.
    expect(verdict(await network.done('authorization', { amount: 201 }))).toBe('spending_limit');
  });

  it('for ever never begins anew, but gets back what was voided; refunds do not count', async () => {
    const network = await CardNetwork.in(duka, 10_000, {
      controls: { limits: [{ amount: 500, interval: 'all_time' }] },
    });
    const [{ id: voided }, { id: refunded }] = [
      await network.done('authorization', { amount: 200 }),
      await network.done('authorization', { amount: 300 }),
    ];
    await network.step('clearing', refunded);
    await network.step('refund', refunded);
    await network.pass(6 * DAY);
    expect(verdict(await network.done('authorization', { amount: 1 }))).toBe('spending_limit');
    await network.step('void', voided);
    expect(verdict(await network.done('authorization', { amount: 201 }))).toBe('spending_limit');
    expect(verdict(await network.done('authorization', { amount: 200 }))).toBe('authorized');
  });
});

describe('the decline policy', () => {
  const declines = (network: CardNetwork) =>
    network.query('SELECT declines, status FROM cards WHERE id = $1', [network.cardId]).then(([row]) => row);

  it('warns once, counting only declines in a row for want of money', async () => {
    const network = await CardNetwork.in(duka, 100, { warnAt: 3, terminateAt: 9 });
    const lack = () => network.done('authorization', { amount: 101 });
    const warnings = async () =>
      (await network.api.all('/v4/events?limit=100&type=card.decline_warning')).map(
        ({ data }) => data.object.decline_policy,
      );
    await lack();
    await lack();
    await network.done('decline', { amount: 5, decline_reason: 'merchant_declined' });
    expect(await declines(network)).toMatchObject({ declines: 2 });
    await network.done('authorization', { amount: 1 });
    expect(await declines(network)).toMatchObject({ declines: 0 });
    await lack();
    await lack();
    expect(await warnings()).toEqual([]);
    await lack();
    expect(await warnings()).toEqual([{ declines: 3, warn_at: 3, terminate_at: 9 }]);
    await lack();
    expect(await warnings()).toHaveLength(1);
  });

  it('warns, then ends the card: its money goes to the wallet, what is held when it is free', async () => {
    const network = await CardNetwork.in(duka, 1_000, { warnAt: 2, terminateAt: 3 });
    const before = await network.wallet();
    const { id } = await network.done('authorization', { amount: 400 });
    for (const amount of [601, 602, 603])
      expect(verdict(await network.done('authorization', { amount }))).toBe('insufficient_funds');
    const { body: card } = await network.api.get(`/v4/cards/${network.card}`);
    expect(card).toMatchObject({
      status: 'terminated',
      status_reason: 'too_many_declines',
      decline_policy: { declines: 3, warn_at: 2, terminate_at: 3 },
    });
    expect((await network.eventsOf(network.card)).slice(-2)).toEqual(['card.decline_warning', 'card.terminated']);
    expect([await network.balance(), await network.wallet()]).toEqual([[0, 400], before + 600]);
    expect(verdict((await network.step('void', id)).body)).toBe('voided');
    await network.pass(2 * 3_600);
    expect([await network.balance(), await network.wallet()]).toEqual([[0, 0], before + 1_000]);
  });

  it('warns and ends once when declines come at once', async () => {
    const network = await CardNetwork.in(duka, 100, { warnAt: 3, terminateAt: 6 });
    await Promise.all(Array.from({ length: 20 }, () => network.done('authorization', { amount: 101 })));
    const events = await network.eventsOf(network.card);
    expect(events.filter((type) => type === 'card.decline_warning')).toHaveLength(1);
    expect(events.slice(-2)).toEqual(['card.decline_warning', 'card.terminated']);
    expect(
      Object.entries(Object.groupBy(await network.list(), ({ decline_reason: reason }) => reason)).map(
        ([reason, all]) => [reason, all!.length],
      ),
    ).toEqual(
      expect.arrayContaining([
        ['insufficient_funds', 6],
        ['card_terminated', 14],
      ]),
    );
  });
});

it('the refund of a card that was put away arrives at its wallet', async () => {
  const network = await CardNetwork.in(duka, 1_000);
  const { id } = await network.done('authorization', { amount: 400 });
  await network.step('clearing', id);
  await network.api.post(`/v4/cards/${network.card}/terminate`);
  await network.pass(2 * 3_600);
  expect(await network.query('SELECT status FROM ledger_accounts WHERE id = $1', [network.cardId])).toEqual([
    { status: 'closed' },
  ]);
  const before = await network.wallet();
  const refunds = await Promise.all([network.step('refund', id, 300), network.step('refund', id, 100)]);
  expect(refunds.map(({ status }) => status)).toEqual([201, 201]);
  await network.pass(2 * 3_600);
  expect([await network.balance(), await network.wallet()]).toEqual([[0, 0], before + 400]);
  expect(await network.query('SELECT status FROM ledger_accounts WHERE id = $1', [network.cardId])).toEqual([
    { status: 'closed' },
  ]);
});

it('what comes back to a card that ended arrives at its wallet within an hour, though its issuer hears of nothing', async () => {
  const network = await CardNetwork.in(duka, 1_000);
  const account = async () =>
    (await network.query('SELECT status FROM ledger_accounts WHERE id = $1', [network.cardId]))[0].status;
  const stored = async () => (await network.query('SELECT * FROM cards WHERE id = $1', [network.cardId]))[0];
  const { id } = await network.done('authorization', { amount: 400 });
  await network.step('clearing', id);
  const told = jest.spyOn(duka.get<SandboxIssuer>(SandboxIssuer), 'setState');
  told.mockResolvedValue({ outcome: 'unknown', code: 'timeout' });
  await network.api.post(`/v4/cards/${network.card}/terminate`);
  await until(async () => (await stored()).checks > 0);
  // As after some days.
  await network.query('UPDATE cards SET checks = 20 WHERE id = $1', [network.cardId]);
  await network.pass(3_600);
  const before = await network.wallet();
  expect((await network.step('refund', id, 300)).status).toBe(201);
  expect(await network.balance()).toEqual([300, 0]);
  await network.pass(3_600);
  expect([await network.balance(), await network.wallet()]).toEqual([[0, 0], before + 300]);
  expect([await stored(), await account()]).toMatchObject([{ issuer_behind: true }, 'active']);
  told.mockRestore();
  await network.pass(3_600);
  expect([await stored(), await account()]).toMatchObject([{ issuer_behind: false, next_check_at: null }, 'closed']);
});

describe('a message of an issuer', () => {
  let network: CardNetwork;
  let messages: IssuerMessages;

  beforeEach(async () => {
    network = await CardNetwork.in(duka, 1_000);
    messages = duka.get<IssuerMessages>(IssuerMessages);
  });

  const message = (kind: IssuerMessage['kind'], more: Partial<IssuerMessage> = {}): IssuerMessage => ({
    issuer: 'sandbox',
    id: randomUUID(),
    cardId: network.cardId,
    kind,
    amount: null,
    merchant: null,
    authorization: 'auth-1',
    declineReason: null,
    ...more,
  });

  it('has one effect, however often and at once it comes', async () => {
    const asked = message('authorization', { amount: 400n, merchant: SHOP });
    const results = await Promise.all(Array.from({ length: 10 }, () => messages.take(asked)));
    expect(new Set(results.map(({ made: { id } }) => id)).size).toBe(1);
    expect(results.filter(({ replayedBy }) => replayedBy === null)).toHaveLength(1);
    expect(await network.balance()).toEqual([600, 400]);
    for (const step of [message('clearing', { amount: 300n }), message('void'), message('refund', { amount: 100n })]) {
      await Promise.all(Array.from({ length: 5 }, () => messages.take(step)));
      await messages.take(step);
    }
    expect(await network.balance()).toEqual([800, 0]);
    const fee = message('fee', { amount: 10n, authorization: null });
    await Promise.all(Array.from({ length: 5 }, () => messages.take(fee)));
    expect(await network.balance()).toEqual([790, 0]);
    const declined = message('decline', { amount: 5n, merchant: SHOP, authorization: null });
    await Promise.all(Array.from({ length: 5 }, () => messages.take(declined)));
    expect((await network.list()).map(({ type, status }) => `${type} ${status}`)).toEqual([
      'authorization declined',
      'fee settled',
      'refund settled',
      'authorization settled',
    ]);
  });

  it('with the id of another one is refused', async () => {
    const asked = message('authorization', { amount: 400n, merchant: SHOP });
    await messages.take(asked);
    await expect(messages.take({ ...asked, amount: 401n })).rejects.toMatchObject({
      details: { code: 'duplicate_reference' },
    });
    await expect(messages.take({ ...asked, id: 'another' })).rejects.toMatchObject({
      details: { code: 'duplicate_reference' },
    });
    expect(await network.balance()).toEqual([600, 400]);
  });

  it("about another issuer's card, or an authorization that is unknown, finds nothing", async () => {
    await expect(messages.take(message('fee', { issuer: 'other', amount: 1n }))).rejects.toMatchObject({
      details: { code: 'not_found' },
    });
    await expect(messages.take(message('clearing'))).rejects.toMatchObject({ details: { code: 'not_found' } });
  });

  it('takes no reference away from the account', async () => {
    await messages.take(message('fee', { id: 'order-1', amount: 1n }));
    expect((await network.api.get('/v4/references/order-1')).body.status).toBe('not_seen');
  });
});
