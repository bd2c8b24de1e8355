import { randomUUID } from 'node:crypto';
import { FeesService } from '../src/modules/accounts/fees.service';
import { CardOwner } from './support/cardholder';
import type { Answer } from './support/contract';
import { movedBy } from './support/books';
import { Duka } from './support/duka';
import { setRate } from './support/rates';

/** NGN 5,000,000.00. */
const MONEY = 500_000_000;
/** In cents: what goes onto the card, and what issuing and loading cost beside it. */
const [LOAD, ISSUE_FEE, LOAD_FEE] = [5_000, CardOwner.FEE, 50];
/** In kobo. */
const CONVERSION_FEE = 1_500;
/** A dollar costs NGN 1,600: the table says it the other way round. */
const RATE = '0.000625';
const PER_CENT = 1_600;

let duka: Duka;
let owner: CardOwner;
let naira: string;

beforeAll(async () => {
  duka = await Duka.start();
  const fees = duka.get<FeesService>(FeesService);
  const rule = { tier: 'standard', basisPoints: 0, cap: null } as const;
  await fees.setRule({ ...rule, product: 'card_funding', currency: 'USD', flat: BigInt(LOAD_FEE) });
  await fees.setRule({ ...rule, product: 'conversion', currency: 'NGN', flat: BigInt(CONVERSION_FEE) });
});
beforeEach(async () => {
  await setRate(duka, { from: 'NGN', to: 'USD', rate: RATE });
  owner = await CardOwner.of(duka, 0);
  naira = await owner.api.wallet(MONEY, 'NGN');
});
afterAll(() => duka.stop());

const issue = (more: object = {}): Promise<Answer> =>
  owner.issue({ funding_wallet_id: naira, amount: LOAD, convert: true, ...more });
const fund = (card: string, more: object = {}, key: string = randomUUID()): Promise<Answer> =>
  owner.act(card, 'fund', { amount: LOAD, wallet_id: naira, convert: true, ...more }, key);
const quote = async (amount: number): Promise<any> => {
  const wanted = { from_currency: 'NGN', to_currency: 'USD', amount, side: 'buy' };
  return (await owner.api.post('/v4/quotes', wanted)).body;
};
const balance = async (wallet = naira) => {
  const { available, held } = await owner.api.balance(wallet);
  return [available, held];
};
const card = async (id: string): Promise<any> => (await owner.api.get(`/v4/cards/${id}`)).body;
const costOf = (cents: number) => cents * PER_CENT + CONVERSION_FEE;

const issued = async (): Promise<any> => (await owner.api.get('/v4/transactions?type=card_issue')).body.data[0];

describe('a load', () => {
  let id: string;

  beforeEach(async () => {
    const dollars = await owner.api.wallet(LOAD + ISSUE_FEE, 'USD');
    ({ id } = await owner.card({ funding_wallet_id: dollars }));
  });

  it('pays, converts and lands on the card in one posting, with its fee', async () => {
    const { status, body } = await fund(id);
    const bought = { currency: 'USD', amount: LOAD, fee: LOAD_FEE, commission: 0, total: LOAD + LOAD_FEE };
    expect([status, body]).toMatchObject([
      201,
      {
        type: 'card_funding',
        currency: 'NGN',
        wallet_id: naira,
        amount: (LOAD + LOAD_FEE) * PER_CENT,
        fee: CONVERSION_FEE,
        balance_after: MONEY - costOf(LOAD + LOAD_FEE),
        details: { conversion: { ...bought, rate: RATE }, card_id: id },
      },
    ]);
    expect((await owner.api.get(`/v4/quotes/${body.details.conversion.quote_id}`)).body.used_by).toBe(body.id);
    expect((await card(id)).balance.available).toBe(2 * LOAD);
    expect(await balance()).toEqual([MONEY - costOf(LOAD + LOAD_FEE), 0]);
    expect(await movedBy(duka, body.id)).toEqual({
      'card USD': LOAD,
      'fees NGN': CONVERSION_FEE,
      'fees USD': LOAD_FEE,
      'fx_position NGN': (LOAD + LOAD_FEE) * PER_CENT,
      'fx_position USD': -(LOAD + LOAD_FEE),
      'wallet NGN': -costOf(LOAD + LOAD_FEE),
    });
  });

  it('takes a quote once, whoever asks at the same time, and a repeated request nothing', async () => {
    const { id: quoteId } = await quote(LOAD + LOAD_FEE);
    await setRate(duka, { from: 'NGN', to: 'USD', rate: '0.0001' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fund(id, { convert: undefined, quote_id: quoteId })),
    );
    const [made, ...more] = answers.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    for (const { status, body } of answers.filter((answer) => answer !== made))
      expect([status, body.code, body.resource_id]).toEqual([409, 'quote_used', made!.body.id]);
    expect(await balance()).toEqual([MONEY - costOf(LOAD + LOAD_FEE), 0]);
    await setRate(duka, { from: 'NGN', to: 'USD', rate: RATE });
    const key = randomUUID();
    const twins = await Promise.all(Array.from({ length: 8 }, () => fund(id, {}, key)));
    expect(new Set(twins.map(({ body }) => body.id)).size).toBe(1);
    expect((await card(id)).balance.available).toBe(3 * LOAD);
  });

  it('is refused by another price, the same currency, somebody else’s quote, and on the way back', async () => {
    const stranger = await duka.account();
    const wanted = { from_currency: 'NGN', to_currency: 'USD', amount: LOAD + LOAD_FEE, side: 'buy' };
    const theirs = (await stranger.api.post('/v4/quotes', wanted)).body.id;
    const less = await quote(LOAD);
    const by = (quoteId: string) => fund(id, { convert: undefined, quote_id: quoteId });
    expect((await by(theirs)).body).toMatchObject({ code: 'not_found', param: '/quote_id' });
    expect((await by(less.id)).body).toMatchObject({
      code: 'quote_amount_mismatch',
      expected: LOAD + LOAD_FEE,
      actual: LOAD,
    });
    const dollars = await owner.api.wallet(MONEY, 'USD');
    expect((await fund(id, { wallet_id: dollars })).body).toMatchObject({ status: 422, code: 'currency_mismatch' });
    expect((await fund(id, { convert: undefined })).body).toMatchObject({ status: 422, code: 'currency_mismatch' });
    const back = { amount: 100, wallet_id: naira };
    expect((await owner.act(id, 'withdraw', back)).body).toMatchObject({
      code: 'currency_mismatch',
      param: '/wallet_id',
    });
    expect((await owner.act(id, 'withdraw', { ...back, convert: true })).body.code).toBe('unknown_field');
    expect(await balance()).toEqual([MONEY, 0]);
  });

  it('is told by a dry run, which writes nothing', async () => {
    const before = await duka.totals();
    const { status, body } = await fund(id, { dry_run: true });
    expect([status, body.total, body.details.conversion.quote_id]).toEqual([200, costOf(LOAD + LOAD_FEE), null]);
    expect(await duka.totals()).toEqual(before);
  });
});

describe('a card', () => {
  const [bought, cost] = [LOAD + ISSUE_FEE, costOf(LOAD + ISSUE_FEE)];

  it('is issued from a wallet of another currency: load and fee are converted when the issuer has made it', async () => {
    const { status, body } = await issue();
    expect([status, body]).toMatchObject([
      201,
      { status: 'active', currency: 'USD', funding_wallet_id: naira, balance: { available: LOAD } },
    ]);
    const transaction = await issued();
    expect(transaction).toMatchObject({
      currency: 'NGN',
      amount: bought * PER_CENT,
      fee: CONVERSION_FEE,
      details: { conversion: { currency: 'USD', amount: LOAD, fee: ISSUE_FEE, total: bought } },
    });
    expect(await balance()).toEqual([MONEY - cost, 0]);
    expect(await movedBy(duka, transaction.id)).toEqual({
      'card USD': LOAD,
      'fees NGN': CONVERSION_FEE,
      'fees USD': ISSUE_FEE,
      'fx_position NGN': bought * PER_CENT,
      'fx_position USD': -bought,
      'wallet NGN': -cost,
      'wallet NGN held': 0,
    });
  });

  it('that its issuer refuses was not converted: all of it goes back', async () => {
    const { body } = await issue({ lastName: 'DECLINE' });
    expect(body.status).toBe('failed');
    expect(await balance()).toEqual([MONEY, 0]);
    expect(await movedBy(duka, (await issued()).id)).toEqual({ 'wallet NGN': 0, 'wallet NGN held': 0 });
  });

  it('of which the issuer says nothing holds the money, at the promised rate', async () => {
    const promised = await quote(bought);
    const { body } = await issue({ lastName: 'SLOW', convert: undefined, quote_id: promised.id });
    expect([body.status, await balance()]).toEqual(['pending', [MONEY - cost, cost]]);
    await setRate(duka, { from: 'NGN', to: 'USD', rate: '0.0001' });
    for (const seconds of [60, 600, 6_000]) await owner.api.post('/v4/sandbox/clock/advance', { seconds });
    expect((await card(body.id)).status).toBe('active');
    expect(await balance()).toEqual([MONEY - cost, 0]);
  });

  it('gives what is left to the oldest wallet in its currency', async () => {
    const { body } = await issue();
    const { status } = await owner.act(body.id, 'terminate', {});
    expect([status, await balance(owner.wallet), await balance()]).toEqual([200, [LOAD, 0], [MONEY - cost, 0]]);
  });

  it('uses a quote up for one request only', async () => {
    const { id: quoteId } = await quote(bought);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => issue({ convert: undefined, quote_id: quoteId })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status !== 201)) expect(body.code).toBe('quote_used');
    expect(await balance()).toEqual([MONEY - cost, 0]);
  });

  it('borrows from the platform, not from a wallet of another currency, and gives back only in its own', async () => {
    const { body } = await issue();
    const play = (kind: string, more: object) =>
      owner.api.post(`/v4/sandbox/cards/${body.id}/simulate`, { kind, ...more });
    await play('clearing', { amount: LOAD + 700 });
    expect(await card(body.id)).toMatchObject({ status: 'frozen', debt: 700 });
    expect(await balance()).toEqual([MONEY - cost, 0]);
    const paid = await fund(body.id, { amount: 1_000 });
    expect(paid.body.details).toMatchObject({ debt_paid: 700, conversion: { amount: 1_000 } });
    expect(await card(body.id)).toMatchObject({ debt: 0, balance: { available: 300 } });
    expect((await owner.act(body.id, 'withdraw', { amount: 100 })).body.code).toBe('currency_mismatch');
    await owner.act(body.id, 'unfreeze', {});
    // Without a wallet that could take it, what is on the card waits for one.
    expect((await owner.api.post(`/v4/wallets/${owner.wallet}/close`)).status).toBe(200);
    const ended = await owner.act(body.id, 'terminate', {});
    expect(ended.body).toMatchObject({ status: 'terminated', balance: { available: 300 } });
    const dollars = await owner.api.wallet(0, 'USD');
    for (const seconds of [60, 4_000, 4_000]) await owner.api.post('/v4/sandbox/clock/advance', { seconds });
    expect([await balance(dollars), (await card(body.id)).balance.available]).toEqual([[300, 0], 0]);
  });
});
