import { newId } from '../../src/core/http/ids';
import { flat, listOf, Stripe } from '../../src/extensions/stripe/stripe';
import { standingOf as disputeStandingOf } from '../../src/extensions/stripe/stripe-disputes';
import {
  cardOf,
  checkOf,
  DISABLED,
  findingOf,
  OF_FIELD,
  refusalOf,
  standingOf,
  type StripeIssuer,
  updateOf,
} from '../../src/extensions/stripe/stripe-issuer';
import { cardOfToken, pageToken, policyOf } from '../../src/extensions/stripe/stripe-pages';
import { StripePagesController } from '../../src/extensions/stripe/stripe-pages.controller';
import type { CardOrder } from '../../src/modules/cards/card-issuer';
import type { Exchange } from '../../src/providers/journal';
import { Company, NONSENSE } from '../pretended/stripe/company';
import { issuerContract, type IssuerRig } from './issuer-contract';
import { outside } from './outside';
import { briefly, fixture, issuerOf, orderOf, settingsOf, soon } from './stripe-rig';

async function rig(): Promise<IssuerRig> {
  const company = await new Company().listen();
  return {
    issuer: issuerOf(company),
    order: (deed) => {
      const reference = newId();
      company.plan(reference, deed);
      return orderOf(reference);
    },
    made: (reference) => company.made(reference),
    showsItself: true,
    close: () => company.stop(),
  };
}

issuerContract('Stripe, over HTTP', rig);

describe('a card at Stripe', () => {
  let company: Company;
  let issuer: StripeIssuer;

  beforeEach(async () => {
    company = await new Company().listen();
    issuer = issuerOf(company);
  });
  afterEach(() => company.stop());

  const planned = (deed: Parameters<Company['plan']>[1]): CardOrder => {
    const order = orderOf(newId());
    company.plan(order.reference, deed);
    return order;
  };

  it('is paid out of a balance in dollars', async () => {
    company.balance = 12_345n;
    expect(await issuer.balance('USD', soon())).toBe(12_345n);
    company.balance = -5n;
    expect(await issuer.balance('USD', soon())).toBe(-5n);
    await expect(issuer.balance('NGN', soon())).rejects.toThrow('could not be read');
  });

  it('is ordered by forms with brackets, under our reference', async () => {
    const order = orderOf(newId());
    await issuer.issue(order, soon());
    const [holder, card] = company.heard;
    expect(holder!.headers['idempotency-key']).toBe(`${order.reference}-cardholder`);
    expect(holder!.body).toEqual({
      type: 'individual',
      name: 'ADA OBI',
      email: 'ada@example.com',
      phone_number: '+2348031234567',
      'individual[first_name]': 'Ada',
      'individual[last_name]': 'Obi',
      'individual[dob][day]': '21',
      'individual[dob][month]': '4',
      'individual[dob][year]': '1990',
      'billing[address][line1]': '12 Marina Road',
      'billing[address][city]': 'Lagos',
      'billing[address][state]': 'Lagos',
      'billing[address][postal_code]': '101241',
      'billing[address][country]': 'NG',
      'metadata[reference]': order.reference,
    });
    expect(card!.headers['idempotency-key']).toBe(order.reference);
    expect(card!.body).toEqual({
      cardholder: [...company.holders.keys()][0],
      currency: 'usd',
      type: 'virtual',
      status: 'active',
      'metadata[reference]': order.reference,
    });
    expect(company.heard.map(({ text }) => text).join()).not.toContain(order.cardholder.identity.number);
  });

  it('has a name that can be printed, and the terms where a filter knows them', async () => {
    const options = { user_terms_acceptance: { date: 1_700_000_000, ip: '203.0.113.7' } };
    await issuer.issue({ ...orderOf(newId()), nameOnCard: 'ADAEZE CHUKWUEMEKA OBI-WILLIAMS', options }, soon());
    expect(company.heard[0]!.body).toMatchObject({
      name: 'ADAEZE CHUKWUEMEKA OBI-W',
      'individual[card_issuing][user_terms_acceptance][date]': '1700000000',
      'individual[card_issuing][user_terms_acceptance][ip]': '203.0.113.7',
    });
  });

  it('proves nothing by any nonsense, and is found after it', async () => {
    for (let kind = 0; kind < NONSENSE.length; kind++) {
      const order = planned('talks_nonsense');
      company.turnTo(kind);
      const result = await issuer.issue(order, briefly()).catch(() => ({ outcome: 'unknown' }));
      expect([kind, result.outcome]).toEqual([kind, 'unknown']);
      expect((await issuer.find(order, soon())).outcome).toBe('done');
    }
  });

  it('is found by its metadata when the idempotency keys are forgotten, among many', async () => {
    const order = orderOf(newId());
    const made = await issuer.issue(order, soon());
    for (let other = 0; other < 120; other++) await issuer.issue(orderOf(newId()), soon());
    company.answered.clear();
    company.heard.length = 0;
    expect(await issuer.find(order, soon())).toEqual(made);
    expect(company.heard.map(({ query }) => query.has('starting_after'))).toEqual([false, true]);
    expect(company.made(order.reference)).toBe(1);
  });

  it('is asked for by its id once that is known', async () => {
    const order = orderOf(newId());
    const made = await issuer.issue(order, soon());
    if (made.outcome !== 'done') throw new Error('no card');
    company.heard.length = 0;
    const known = { ...order, issuerReference: made.issuerReference };
    expect(await issuer.find(known, soon())).toEqual(made);
    expect(company.heard.map(({ path }) => path)).toEqual([`/v1/issuing/cards/${made.issuerReference}`]);
    // Its id is that of another card, or of none: neither says that ours was never made.
    expect((await issuer.find({ ...known, reference: newId() }, soon())).outcome).toBe('unknown');
    expect((await issuer.find({ ...known, issuerReference: 'ic_none' }, soon())).outcome).toBe('unknown');
  });

  it('waits for the review of its cardholder, and is made once that is over', async () => {
    const order = planned('reviews');
    expect(await issuer.issue(order, soon())).toEqual({ outcome: 'accepted' });
    expect(await issuer.find(order, soon())).toEqual({ outcome: 'accepted' });
    company.clear(order.reference, 'listed');
    expect(await issuer.find(order, soon())).toEqual({ outcome: 'accepted' });
    company.clear(order.reference);
    expect(await issuer.find(order, soon())).toEqual({ outcome: 'not_known' });
    // Stripe repeats what it said of the cardholder at first: nobody would ever be cleared by that.
    expect((await issuer.issue(order, soon())).outcome).toBe('done');
    expect([company.holders.size, company.made(order.reference)]).toEqual([1, 1]);
  });

  it('is refused when the review ends so, or more of the cardholder is needed', async () => {
    const order = planned('reviews');
    await issuer.issue(order, soon());
    company.clear(order.reference, 'rejected.listed');
    expect(await issuer.find(order, soon())).toMatchObject({ code: 'cardholder_rejected', about: 'order' });
    expect(await issuer.issue(planned('wants_more'), soon())).toMatchObject({ code: 'cardholder_incomplete' });
    expect(await issuer.issue(planned('dislikes_phone'), soon())).toMatchObject({ code: 'invalid_phone_number' });
    const numbered = orderOf(newId());
    const wrong = { ...numbered, cardholder: { ...numbered.cardholder, firstName: 'Ada 2' } };
    expect(await issuer.issue(wrong, soon())).toMatchObject({ code: 'invalid_cardholder_name' });
    expect(company.cards.size).toBe(0);
  });

  it('is unknown while a failure is remembered, and made when that is forgotten', async () => {
    const order = planned('breaks');
    expect((await issuer.issue(order, soon())).outcome).toBe('unknown');
    company.plan(order.reference, 'issues');
    expect((await issuer.issue(order, soon())).outcome).toBe('unknown');
    expect(await issuer.find(order, soon())).toEqual({ outcome: 'not_known' });
    company.answered.clear();
    expect((await issuer.issue(order, soon())).outcome).toBe('done');
  });

  it('is unknown when its cardholder changed within the life of the key', async () => {
    const order = orderOf(newId());
    await issuer.issue(order, soon());
    const moved = { ...order, cardholder: { ...order.cardholder, email: 'obi@example.com' } };
    expect((await issuer.issue(moved, soon())).outcome).toBe('unknown');
    expect(company.made(order.reference)).toBe(1);
  });

  it('is refused of a brand that the program does not have, and nobody is asked', async () => {
    const order = { ...orderOf(newId()), brand: 'mastercard' as const };
    const refused = await issuer.issue(order, soon());
    expect(refused).toMatchObject({ outcome: 'refused', code: 'brand_not_issued' });
    expect(await issuer.find(order, soon())).toEqual({ ...refused, about: 'order' });
    expect(company.heard).toEqual([]);
  });

  it('that was cancelled before anybody heard of it is none', async () => {
    const order = orderOf(newId());
    await issuer.issue(order, soon());
    for (const card of company.cards.values()) card.status = 'canceled';
    expect(await issuer.find(order, soon())).toMatchObject({ outcome: 'refused', code: 'card_terminated' });
  });

  it('changes its state without an idempotency key: it may be frozen twice', async () => {
    const order = orderOf(newId());
    await issuer.issue(order, soon());
    for (const state of ['frozen', 'active', 'frozen'] as const) await issuer.setState(order, state, soon());
    const told = company.heard.filter(({ path }) => /cards\/ic_/.test(path));
    expect(told.map(({ text, headers }) => [text, headers['idempotency-key']])).toEqual([
      ['status=inactive', undefined],
      ['status=active', undefined],
      ['status=inactive', undefined],
    ]);
    expect([...company.cards.values()][0]!.status).toBe('inactive');
  });

  it('needs our key to be right: an order is refused, a question stays open', async () => {
    const wrong = issuerOf(company, { key: 'sk_live_wrong' });
    const order = orderOf(newId());
    expect(await wrong.issue(order, soon())).toMatchObject({
      code: 'issuer_account_unusable',
      recovery: 'retry_later',
    });
    expect((await wrong.find(order, soon())).outcome).toBe('unknown');
    expect((await wrong.find({ ...order, issuerReference: 'ic_1' }, soon())).outcome).toBe('unknown');
    expect((await wrong.setState({ ...order, issuerReference: 'ic_1' }, 'frozen', soon())).outcome).toBe('unknown');
  });

  it('tells operators what is wrong with the settings', async () => {
    const says = async (more: object) => issuerOf(company, more).check(soon());
    expect(await says({})).toEqual({ isFine: true, says: expect.stringContaining('right') });
    expect(await says({ key: 'sk_live_wrong' })).toEqual({
      isFine: false,
      says: expect.stringContaining('STRIPE_KEY'),
    });
    expect(await says({ url: `${company.url}v2/` })).toMatchObject({ isFine: false });
    expect(checkOf({ status: 200, body: null })).toEqual({
      isFine: false,
      says: expect.stringContaining('STRIPE_URL'),
    });
    const error = { error: { type: 'invalid_request_error' } };
    expect(checkOf({ status: 403, body: error }).says).toContain('restricted');
    expect(checkOf({ status: 400, body: error }).says).toContain('set up');
    expect(checkOf({ status: 500, body: error })).toMatchObject({ isFine: false });
  });
});

describe('the page that shows a card', () => {
  let company: Company;
  beforeEach(async () => void (company = await new Company().listen()));
  afterEach(() => company.stop());

  it('is opened by a token for one card and five minutes', () => {
    const token = pageToken('ic_1', 'key', 1_000_000_000_000);
    expect(cardOfToken(token, 'key', 1_000_000_299_999)).toBe('ic_1');
    expect(cardOfToken(token, 'key', 1_000_000_300_000)).toBeNull();
    expect(cardOfToken(token, 'another', 1_000_000_000_000)).toBeNull();
    expect(cardOfToken(token.replace('ic_1', 'ic_2'), 'key', 1_000_000_000_000)).toBeNull();
    expect(cardOfToken(token.replace('300000', '900000'), 'key', 1_000_000_000_000)).toBeNull();
    expect(cardOfToken('ic_1.1000000300000.', 'key', 0)).toBeNull();
  });

  it('exchanges a nonce for a key that is kept nowhere', async () => {
    const exchanges: Exchange[] = [];
    const settings = settingsOf(company);
    const controller = new StripePagesController(settings, new Stripe(settings, outside(exchanges)));
    const order = orderOf(newId());
    const made = await issuerOf(company).issue(order, soon());
    const { url } = (await issuerOf(company).reveal(order, soon())) as { url: string };
    const token = url.slice('https://duka.example/cards/stripe/'.length);
    const headers: Record<string, string> = {};
    const reply = { type: () => reply, header: (name: string, value: string) => ((headers[name] = value), reply) };
    const page = controller.show(token, reply as never);
    expect(page).toContain(`data-card="${(made as { issuerReference: string }).issuerReference}"`);
    const [, nonce] = /'nonce-([^']+)'/.exec(headers['content-security-policy']!)!;
    expect(page).toContain('<script nonce="');
    expect(policyOf(nonce!)).toBe(headers['content-security-policy']);
    const shown = await controller.exchange(token, Buffer.from('{"nonce":"ephkn_1"}'));
    expect(shown.ephemeral_key_secret).toMatch(/^ek_test_ic_/);
    expect(exchanges).toMatchObject([{ path: '/v1/ephemeral_keys', request: null, answer: null }]);
    await expect(controller.exchange(`${token}x`, Buffer.from('{"nonce":"ephkn_1"}'))).rejects.toThrow('no such');
    await expect(controller.exchange(token, Buffer.from('{}'))).rejects.toThrow('no such');
    const off = new StripePagesController(null, null);
    expect(() => off.show(token, reply as never)).toThrow('no such');
  });

  it('is not there without a publishable key', async () => {
    const order = orderOf(newId());
    await issuerOf(company).issue(order, soon());
    const without = issuerOf(company, { publishableKey: undefined });
    await expect(without.reveal(order, soon())).rejects.toThrow('STRIPE_PUBLISHABLE_KEY');
  });
});

describe('what the documentation shows is read', () => {
  const ok = (body: object) => ({ status: 200, body });
  const reference = newId();

  it('a card', () => {
    const card = fixture('card');
    expect(cardOf(ok(card), reference)).toMatchObject({ outcome: 'unknown' });
    const ours = { ...card, type: 'virtual', metadata: { reference } };
    const done = { outcome: 'done', issuerReference: card.id, last4: '4242', expMonth: 8, expYear: 2030 };
    expect(cardOf(ok(ours), reference)).toEqual(done);
    expect(findingOf(ok(ours), reference)).toEqual(done);
    expect(findingOf({ status: 404, body: ours }, reference)).toMatchObject({ outcome: 'unknown' });
    expect(updateOf(ok(ours), reference, 'active')).toEqual({ outcome: 'done' });
    expect(updateOf(ok(ours), reference, 'frozen')).toMatchObject({ outcome: 'unknown' });
  });

  it('a cardholder, and what may stand against them', () => {
    const holder = fixture('cardholder');
    expect(standingOf(holder)).toBeNull();
    for (const name of ['requirements-listed', 'requirements-under-review'])
      expect(standingOf({ ...holder, ...fixture(name) })).toEqual({ outcome: 'accepted' });
    const others = ['listed', 'rejected.listed', 'requirements.past_due', 'under_review'];
    expect(Object.keys(DISABLED).sort()).toEqual(others);
    const strange = { ...holder, requirements: { disabled_reason: 'toString', past_due: [] } };
    expect(standingOf(strange)).toMatchObject({ outcome: 'unknown' });
    expect(standingOf({ ...holder, status: 'blocked' })).toMatchObject({ code: 'cardholder_blocked' });
    expect(standingOf({ ...holder, status: 'inactive' })).toMatchObject({ outcome: 'unknown' });
  });

  it('errors: only a parameter that is refused with 400 is a refusal', () => {
    expect(refusalOf({ status: 400, body: fixture('error-phone') })).toMatchObject({ code: 'invalid_phone_number' });
    const about = (param: string, status = 400, type = 'invalid_request_error') =>
      refusalOf({ status, body: { error: { type, param } } }).outcome;
    const params = ['name', 'email', 'phone_number', 'individual[first_name]', 'individual[dob][day]', 'billing'];
    expect(params.map((param) => about(param))).toEqual(params.map(() => 'refused'));
    expect(about('billing[address][line1]')).toBe('refused');
    for (const [field] of OF_FIELD) expect(params.filter((param) => field.test(param)).length).toBeLessThan(2);
    for (const param of ['currency', 'cardholder', 'names', 'toString', '']) expect(about(param)).toBe('unknown');
    for (const status of [200, 402, 404, 409, 429, 500]) expect(about('name', status)).toBe('unknown');
    expect(about('name', 400, 'idempotency_error')).toBe('unknown');
    expect(about('name', 401, 'api_error')).toBe('unknown');
  });

  it('a dispute', () => {
    expect(disputeStandingOf(fixture('dispute'))).toEqual({ outcome: 'accepted' });
    const submitted = {
      outcome: 'under_review',
      issuerReference: 'idp_1MykdxFtDWhhyHE1BFAV3osZ',
      provisionalCredit: null,
    };
    expect(disputeStandingOf(fixture('dispute-submitted'))).toEqual(submitted);
    const standing = (status: string) => disputeStandingOf({ ...fixture('dispute'), status }).outcome;
    expect(['won', 'lost', 'expired', 'toString'].map(standing)).toEqual(['won', 'lost', 'lost', 'unknown']);
  });

  it('lists: only a whole one says that something is not there', () => {
    const list = { object: 'list', data: [fixture('card'), fixture('dispute')], has_more: false, url: '/v1/x' };
    expect(listOf(ok(list))).toEqual({ data: list.data, hasMore: false });
    expect(listOf({ status: 500, body: list })).toBeNull();
    const { metadata: _, ...bare } = fixture('card');
    const strange = [{ object: 'card' }, { data: {} }, { has_more: 'no' }, { has_more: undefined }];
    const data = [[bare], [null], [{ ...fixture('card'), id: '' }], [[]], 'x'].map((each) => ({ data: each }));
    for (const one of [...strange, ...data]) expect(listOf(ok({ ...list, ...one }))).toBeNull();
    for (const body of [null, [], '', [list]]) expect(listOf({ status: 200, body })).toBeNull();
  });

  it('forms are flat', () => {
    expect(flat({ a: { b: { c: 1n }, d: undefined }, e: true })).toEqual({ 'a[b][c]': '1', e: 'true' });
  });
});
