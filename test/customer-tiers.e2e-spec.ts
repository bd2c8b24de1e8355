import { randomUUID } from 'node:crypto';
import { Extensions } from '../src/core/extension/extensions';
import { decodeId } from '../src/core/http/ids';
import type { IdentityProvider } from '../src/modules/cards/identity.provider';
import { Registry } from '../src/providers/registry';
import type { Api } from './support/api';
import { deposit, withLiveIssuer } from './support/belongings';
import { CardNetwork } from './support/card-network';
import { cardholder } from './support/cardholder';
import type { Answer } from './support/contract';
import { CommandLine } from './support/command-line';
import { Duka } from './support/duka';

const HOUR = 3_600;
const NIN = { type: 'nin', number: '12345678000' };
const PASSPORT = { type: 'passport', number: 'A01234567' };

interface Limits {
  cards?: number;
  single?: number;
  daily?: number;
  balance?: number;
}

let duka: Duka;
let api: Api;
let wallet: string;
let accountId: string;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  const account = await duka.account();
  ({ api } = account);
  accountId = account.id;
  wallet = await api.wallet(1_000_000, 'USD');
});
afterEach(() => duka.asOwner('DELETE FROM kyc_tier_limits WHERE NOT livemode'));

/** Those of test mode. */
const limit = (tier: number, { cards, single, daily, balance }: Limits) =>
  duka.asOwner(
    `INSERT INTO kyc_tier_limits (livemode, tier, cards_max, load_single_max, load_daily_max, balance_max, person, reason)
     VALUES (false, $1, $2, $3, $4, $5, 'test', 'test')`,
    [tier, cards, single, daily, balance],
  );

const identity = (suffix: string) => ({ type: 'nin', number: `12345678${suffix}` });

async function verified(document: object = NIN, of: Api = api): Promise<any> {
  const { body } = await of.post('/v4/customers', { ...cardholder(), identity: document }, { key: randomUUID() });
  return (await of.post(`/v4/customers/${body.id}/verify`, {}, { headers: { prefer: 'wait=10' } })).body;
}

const issue = (customer: string, amount: number, more: object = {}, of: Api = api): Promise<Answer> =>
  of.post(
    '/v4/cards/issue',
    { customer_id: customer, currency: 'USD', amount, funding_wallet_id: wallet, ...more },
    { key: randomUUID() },
  );
const card = async (customer: string, amount = 100): Promise<string> => (await issue(customer, amount)).body.id;
const fund = (id: string, amount: number, more: object = {}, key: string = randomUUID(), of: Api = api) =>
  of.post(`/v4/cards/${id}/fund`, { amount, ...more }, { key });
const advance = (seconds: number) => api.post('/v4/sandbox/clock/advance', { seconds });

/** What a refusal says of the limit. */
const refusal = ({ status, body }: Answer) => [status, body.code, body.param, body.max];
const over = (max: number, param = '/amount') => [402, 'limit_exceeded', param, max];

describe('the tier of a cardholder', () => {
  it.each([
    ['bvn', '12345678000', 1],
    ['nin', '12345678000', 1],
    ['ssn', '123-45-6780', 1],
    ['voters_card', 'A012345670', 2],
    ['drivers_license', 'A012345670', 2],
    ['national_id', 'A012345670', 2],
    ['passport', 'A01234567', 2],
  ])('who was verified by %s is that of the document where the provider says nothing', async (type, number, tier) => {
    expect(await verified({ type, number })).toMatchObject({ kyc_status: 'verified', kyc_tier: tier });
  });

  it.each([1, 2, 3])('is %d where the provider says so, and told with customer.verified', async (tier) => {
    const suffix = `91${tier}`;
    const { id, ...customer } = await verified(identity(suffix));
    expect(customer.kyc_tier).toBe(tier);
    const [event] = (await api.get('/v4/events?type=customer.verified')).body.data;
    expect(event.data.object).toMatchObject({ id, kyc_tier: tier });
    const { identities } = (await api.get('/v4/sandbox/scenarios')).body;
    expect(identities).toContainEqual(expect.objectContaining({ suffix, tier, status: 'verified' }));
  });

  it.each([0, 4, 1.5, '2'])('of which the provider says %j is none: nobody is verified by that', async (tier) => {
    const { adapter } = duka.get<Registry>(Registry).find<IdentityProvider>('identity', 'sandbox')!;
    const said = { outcome: 'verified', providerReference: 'p-1', tier } as never;
    const spy = jest.spyOn(adapter, 'verify').mockResolvedValue(said);
    const { body } = await api.post('/v4/customers', cardholder());
    const answer = await api.post(`/v4/customers/${body.id}/verify`, {}, { headers: { prefer: 'wait=0' } });
    spy.mockRestore();
    expect([answer.status, answer.body.kyc_status, answer.body.kyc_tier]).toEqual([202, 'pending', 0]);
  });

  it('is 0 before, after a change of the person, and of who was rejected; a new address leaves it', async () => {
    const { id } = await verified(identity('913'));
    const patch = async (change: object) => (await api.patch(`/v4/customers/${id}`, change)).body.kyc_tier;
    expect(await patch({ email: 'new@example.com' })).toBe(3);
    expect(await patch({ first_name: 'Eve' })).toBe(0);
    expect(await verified(identity('902'))).toMatchObject({ kyc_status: 'rejected', kyc_tier: 0 });
  });

  it('filters the list', async () => {
    const known = [await verified(identity('911')), await verified(identity('912')), await verified(identity('902'))];
    const found = async (tier: number) => (await api.all(`/v4/customers?kyc_tier=${tier}`)).map(({ id }) => id);
    expect([await found(1), await found(2), await found(3), await found(0)]).toEqual([
      [known[0].id],
      [known[1].id],
      [],
      [known[2].id],
    ]);
    for (const wrong of ['4', '-1', '1.0', '', 'x']) {
      const { status, body } = await api.get(`/v4/customers?kyc_tier=${wrong}`);
      expect([status, body.errors[0].param]).toEqual([400, '/kyc_tier']);
    }
  });

  it.each([
    ['verified', ['--tier', '3'], 3],
    ['verified', [], 1],
    ['rejected', [], 0],
  ])('who is %s by a person with %j is %d or that of the document', async (outcome, words, tier) => {
    const line = CommandLine.on(duka.env.DATABASE_URL!);
    const [, person] = await line.person(`${randomUUID()}@example.com`, true);
    const { id } = (await api.post('/v4/customers', { ...cardholder(), identity: identity('903') })).body;
    await api.post(`/v4/customers/${id}/verify`, {}, { headers: { prefer: 'wait=0' } });
    for (let day = 0; day < 15; day++) await advance(24 * HOUR);
    const decide = (...more: string[]) =>
      line.duka('customer:resolve', '--account', accountId, '--customer', id, '--mode', 'test', ...more);
    const by = ['--person', person!, '--note', 'As their dashboard says.'];
    expect((await decide('--outcome', outcome, ...by, '--tier', '4')).status).toBe(2);
    expect(await decide('--outcome', 'rejected', ...by, '--tier', '1')).toMatchObject({
      status: 1,
      json: { error: { param: '/tier' } },
    });
    expect(await decide('--outcome', outcome, ...by, ...words)).toMatchObject({ json: { kyc_tier: tier } });
    expect((await api.get(`/v4/customers/${id}`)).body).toMatchObject({ kyc_status: outcome, kyc_tier: tier });
  });
});

describe('a limit of the tier', () => {
  it('on one load counts for the first one, too: as much passes, one cent more does not', async () => {
    await limit(1, { single: 500 });
    const { id } = await verified();
    expect(refusal(await issue(id, 501))).toEqual(over(500));
    const { status, body } = await issue(id, 500);
    expect(status).toBe(201);
    expect(refusal(await fund(body.id, 501))).toEqual(over(500));
    expect((await fund(body.id, 500)).status).toBe(201);
    expect((await api.get(`/v4/cards/${body.id}`)).body.balance.available).toBe(1_000);
  });

  it('on cards counts those that have not ended', async () => {
    await limit(1, { cards: 2 });
    const { id } = await verified();
    const [first] = [await card(id), await card(id)];
    const { body } = await issue(id, 100, { dry_run: true });
    expect([body.code, body.detail]).toEqual([
      'limit_exceeded',
      'Cardholders of tier 1 may have 2 cards at once, of which 0 are left.',
    ]);
    expect(refusal(await issue(id, 100))).toEqual(over(0, '/customer_id'));
    await api.post(`/v4/cards/${first}/freeze`);
    expect((await issue(id, 100)).status).toBe(402);
    await api.post(`/v4/cards/${first}/terminate`);
    expect((await issue(id, 100)).status).toBe(201);
    // Another one of the same account has as many.
    expect((await issue((await verified()).id, 100)).status).toBe(201);
  });

  it('on what a card has counts what is held on it, and not what was withdrawn', async () => {
    await limit(1, { balance: 1_000 });
    const { id } = await verified();
    const [one, other] = [await card(id, 900), await card(id, 1_000)];
    await api.post(`/v4/sandbox/cards/${one}/simulate`, { kind: 'authorization', amount: 300 });
    expect(refusal(await fund(one, 101))).toEqual(over(100));
    expect((await fund(one, 100)).status).toBe(201);
    expect(refusal(await fund(other, 1))).toEqual(over(0));
    expect((await api.post(`/v4/cards/${other}/withdraw`, { amount: 400 })).status).toBe(201);
    expect((await fund(other, 400)).status).toBe(201);
    expect(refusal(await issue(id, 1_001))).toEqual(over(1_000));
  });

  it('on a day counts all cards of the cardholder by the clock, and nobody else', async () => {
    await limit(1, { daily: 1_000 });
    const { id } = await verified();
    const stranger = await card((await verified()).id, 1_000);
    const one = await card(id, 300);
    await advance(12 * HOUR);
    const other = await card(id, 300);
    expect((await fund(one, 100)).status).toBe(201);
    const refused = await fund(other, 301);
    expect([refusal(refused), refused.body.detail]).toEqual([
      over(300),
      'Cardholders of tier 1 may have USD 10.00 loaded within 24 hours, onto all of their cards, of which USD 3.00 are left.',
    ]);
    expect((await fund(other, 300)).status).toBe(201);
    // What goes back, or ends, gives no room.
    await api.post(`/v4/cards/${one}/withdraw`, { amount: 100 });
    await api.post(`/v4/cards/${other}/terminate`);
    expect(refusal(await fund(one, 1))).toEqual(over(0));
    expect(refusal(await fund(stranger, 1))).toEqual(over(0));
    await advance(11 * HOUR);
    expect(refusal(await fund(one, 1))).toEqual(over(0));
    // The first card is older than a day.
    await advance(1 * HOUR + 60);
    expect(refusal(await fund(one, 301))).toEqual(over(300));
    expect((await fund(one, 300)).status).toBe(201);
  });

  it('leaves room for what came to nothing', async () => {
    await limit(1, { daily: 1_000, cards: 1 });
    const declined = { ...cardholder('DECLINE'), identity: NIN };
    const { id } = (await api.post('/v4/customers', declined)).body;
    await api.post(`/v4/customers/${id}/verify`, {}, { headers: { prefer: 'wait=10' } });
    for (const _ of [1, 2]) expect((await issue(id, 1_000)).body.status).toBe('failed');
  });

  it('refuses in a dry run what it would refuse, and writes nothing', async () => {
    await limit(1, { daily: 1_000 });
    const { id } = await verified();
    const one = await card(id, 600);
    const dry = { dry_run: true };
    expect(refusal(await fund(one, 401, dry))).toEqual(over(400));
    expect(refusal(await issue(id, 401, dry))).toEqual(over(400));
    for (let i = 0; i < 3; i++) expect((await fund(one, 400, dry)).status).toBe(200);
    expect((await fund(one, 400)).status).toBe(201);
  });

  it('does not stand in the way of the answer to a repeated request', async () => {
    await limit(1, { daily: 1_000, cards: 1 });
    const { id } = await verified();
    const order = { customer_id: id, currency: 'USD', amount: 600, funding_wallet_id: wallet };
    const ask = () => api.post('/v4/cards/issue', order, { key: 'issue' });
    const { body: made } = await ask();
    const first = await fund(made.id, 400, { reference: 'load-1' }, 'load');
    const repeated = [
      await fund(made.id, 400, { reference: 'load-1' }, 'load'),
      await fund(made.id, 400, { reference: 'load-1' }),
      await ask(),
    ];
    expect(repeated.map(({ body }) => body.id)).toEqual([first.body.id, first.body.id, made.id]);
    // What was refused has claimed nothing: with room it passes under the same key.
    expect((await fund(made.id, 50, {}, 'later')).status).toBe(402);
    await advance(25 * HOUR);
    expect((await fund(made.id, 50, {}, 'later')).status).toBe(201);
  });

  it('is a higher one for who is known better, from then on', async () => {
    await limit(0, { daily: 100 });
    await limit(1, { daily: 1_000 });
    await limit(2, { daily: 5_000 });
    const { id } = await verified();
    const one = await card(id, 1_000);
    expect(refusal(await fund(one, 1))).toEqual(over(0));
    await api.patch(`/v4/customers/${id}`, { identity: PASSPORT });
    expect(refusal(await fund(one, 1))).toEqual(over(0));
    await api.post(`/v4/customers/${id}/verify`, {}, { headers: { prefer: 'wait=10' } });
    expect(refusal(await fund(one, 4_001))).toEqual(over(4_000));
    expect((await fund(one, 4_000)).status).toBe(201);
  });

  it('counts for who is made with the card, too', async () => {
    await limit(0, { single: 500, cards: 1 });
    const made = { customer: { ...cardholder(), last_name: 'Eze' }, customer_id: undefined };
    expect(refusal(await issue('', 501, made))).toEqual(over(500));
    const { status, body } = await issue('', 500, made);
    expect(status).toBe(201);
    expect(refusal(await issue(body.customer_id, 100))).toEqual(over(0, '/customer_id'));
    await duka.asOwner('UPDATE kyc_tier_limits SET cards_max = 0 WHERE NOT livemode');
    expect(refusal(await issue('', 100, made))).toEqual(over(0, '/customer'));
  });

  it('is not there in test mode until somebody sets it', async () => {
    const { id } = await verified();
    const one = await card(id, 300_000);
    expect((await fund(one, 300_000)).status).toBe(201);
  });
});

describe('at once', () => {
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b);

  it('loads of two cards pass a daily limit no further than one by one', async () => {
    await limit(1, { daily: 1_000 });
    const { id } = await verified();
    const cards = [await card(id, 100), await card(id, 100)];
    const loads = Array.from({ length: 8 }, (_, i) => fund(cards[i % 2]!, 300));
    expect(statuses(await Promise.all(loads))).toEqual([201, 201, 402, 402, 402, 402, 402, 402]);
  });

  it('loads of one card fill it no further than one by one', async () => {
    await limit(1, { balance: 1_000 });
    const { id } = await verified();
    const one = await card(id, 100);
    const answers = await Promise.all(Array.from({ length: 8 }, () => fund(one, 300)));
    expect(statuses(answers)).toEqual([201, 201, 201, 402, 402, 402, 402, 402]);
    expect((await api.get(`/v4/cards/${one}`)).body.balance.available).toBe(1_000);
  });

  it('cards are no more than one by one, and their first loads count', async () => {
    await limit(1, { cards: 3 });
    await limit(2, { daily: 1_000 });
    const [few, day] = [await verified(), await verified(PASSPORT)];
    const many = (id: string, amount: number) =>
      Promise.all(Array.from({ length: 8 }, () => issue(id, amount, {}, api)));
    expect(statuses(await many(few.id, 100))).toEqual([201, 201, 201, 402, 402, 402, 402, 402]);
    expect(statuses(await many(day.id, 400))).toEqual([201, 201, 402, 402, 402, 402, 402, 402]);
  });

  it('a load and a change of the person make no load that the new tier does not have', async () => {
    await limit(0, { single: 0 });
    await limit(1, { daily: 100_000 });
    const { id } = await verified();
    const one = await card(id, 100);
    // The limits were read, and nothing is written yet.
    const extensions = duka.get<Extensions>(Extensions);
    const gate = extensions.gate.bind(extensions);
    const spy = jest.spyOn(extensions, 'gate').mockImplementationOnce(async (context) => {
      await api.patch(`/v4/customers/${id}`, { first_name: 'Eve' });
      return gate(context);
    });
    expect(refusal(await fund(one, 10))).toEqual(over(0));
    spy.mockRestore();
    expect((await api.get(`/v4/cards/${one}`)).body.balance.available).toBe(100);
  });
});

describe('what is no load', () => {
  it('is not limited: a clearing is paid by the wallet, and its debt by what is loaded', async () => {
    await limit(0, { daily: 1_500 });
    const network = await CardNetwork.in(duka, 1_000);
    const load = (amount: number) => fund(network.card, amount, {}, randomUUID(), network.api);
    // 10.00 from the card, 9.00 from its wallet, and the rest is owed.
    await network.done('clearing', { amount: 2_200 });
    const { body } = await network.api.get(`/v4/cards/${network.card}`);
    expect([body.debt, body.status]).toEqual([300, 'frozen']);
    await network.api.post(`/v4/sandbox/wallets/${body.funding_wallet_id}/credit`, { amount: 5_000 });
    await duka.asOwner('UPDATE kyc_tier_limits SET load_single_max = 0 WHERE NOT livemode');
    expect((await load(300)).status).toBe(201);
    await duka.asOwner('UPDATE kyc_tier_limits SET load_single_max = NULL WHERE NOT livemode');
    await network.api.post(`/v4/cards/${network.card}/unfreeze`);
    expect(refusal(await load(501))).toEqual(over(500));
    expect((await load(500)).status).toBe(201);
  });
});

describe('in live mode', () => {
  let live: Api;
  beforeEach(async () => {
    await withLiveIssuer(duka);
    live = duka.api(await duka.key({ accountId, livemode: true }));
    wallet = await live.wallet(0, 'USD');
    await deposit(duka, wallet, 5_000_000n);
  });

  it('there are limits from the start, and who is not known any more gets nothing', async () => {
    const { id, kyc_tier: tier } = await verified(NIN, live);
    expect(tier).toBe(1);
    expect(refusal(await issue(id, 50_001, {}, live))).toEqual(over(50_000));
    const { body } = await issue(id, 50_000, {}, live);
    const load = (amount: number) => fund(body.id, amount, {}, randomUUID(), live);
    expect((await load(49_999)).status).toBe(201);
    expect(refusal(await load(2))).toEqual(over(1));
    expect((await load(1)).status).toBe(201);
    expect((await issue((await verified(NIN, live)).id, 50_000, {}, live)).status).toBe(201);
    await live.patch(`/v4/customers/${id}`, { last_name: 'Eze' });
    expect(refusal(await load(1))).toEqual(over(0));
    expect((await live.post(`/v4/cards/${body.id}/withdraw`, { amount: 100 })).status).toBe(201);
  });

  it('those of test mode do not count', async () => {
    await limit(2, { single: 1 });
    const { id } = await verified(PASSPORT, live);
    expect((await issue(id, 1_000, {}, live)).status).toBe(201);
  });
});

describe('operators', () => {
  const inTest = { cards_max: null, load_single_max: null, load_daily_max: null, balance_max: null };
  const lines = ['--tier', '3', '--cards', '7', '--load-single', '100', '--load-daily', '200', '--balance', '300'];
  const set = { livemode: true, tier: 3, cards_max: 7, load_single_max: 100, load_daily_max: 200, balance_max: 300 };

  it('say for live mode who they are and why, which the audit log keeps', async () => {
    const line = CommandLine.on(duka.env.DATABASE_URL!);
    const email = `${randomUUID()}@example.com`;
    const by = await line.person(email, true);
    await line.query(
      `INSERT INTO team_members (account_id, id, user_id, email, name, role)
       SELECT $1::text::uuid, overlay(gen_random_uuid()::text PLACING right($1, 3) FROM 34)::uuid, id, email, name, 'owner' FROM users
        WHERE email = $2`,
      [decodeId('acct', accountId), email],
    );
    expect(await line.duka('kyc:limits', ...lines)).toMatchObject({ status: 1, json: { error: { param: '/reason' } } });
    expect(await line.duka('kyc:limits', ...lines, '--person', 'nobody@example.com', '--reason', 'x')).toMatchObject({
      status: 1,
      json: { error: { code: 'not_found', param: '/person' } },
    });
    expect(await line.duka('kyc:limits', ...lines, ...by)).toMatchObject({ status: 0, json: set });
    expect((await line.audited()).at(-1)).toMatchObject({
      action: 'kyc.limits_set',
      actor: `operator ${email}`,
      target: 'tier 3',
      detail: {
        livemode: true,
        reason: by[3],
        before: { cards_max: 10, load_single_max: 1_000_000, load_daily_max: 2_000_000, balance_max: 5_000_000 },
        after: { cards_max: 7, load_single_max: 100, load_daily_max: 200, balance_max: 300 },
      },
    });
    const { json } = await line.duka('kyc:list');
    expect(json.limits).toHaveLength(4);
    expect(json.limits.at(-1)).toMatchObject({ ...set, set_by: email, reason: by[3] });
  });

  it('set all of a tier of test mode without a name, from the next load on', async () => {
    const line = CommandLine.on(duka.env.DATABASE_URL!);
    const { id } = await verified();
    const one = await card(id, 1_000);
    const limits = (...more: string[]) => line.duka('kyc:limits', '--test', '--tier', '1', ...more);
    expect(await limits('--load-single', '0')).toMatchObject({
      json: { ...inTest, livemode: false, tier: 1, load_single_max: 0 },
    });
    expect(refusal(await fund(one, 1))).toEqual(over(0));
    // What is left out has no limit.
    expect(await limits('--cards', '1')).toMatchObject({ json: { ...inTest, cards_max: 1 } });
    expect((await fund(one, 1)).status).toBe(201);
    for (const wrong of [
      ['--cards', 'x'],
      ['--load-daily', '1.5'],
      ['--tier', '4'],
      ['--balance', '-1'],
    ])
      expect((await limits(...wrong)).status).toBe(2);
  });
});
