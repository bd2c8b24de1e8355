import { Endings } from '../src/core/resources/endings';
import { randomUUID } from 'node:crypto';
import { decodeId } from '../src/core/http/ids';
import { CardLifecycle } from '../src/modules/cards/card-lifecycle';
import { CardsService } from '../src/modules/cards/cards.service';
import type { IdentityProvider, VerificationOrder, VerifyResult } from '../src/modules/cards/identity.provider';
import { SANDBOX_IDENTITIES } from '../src/modules/cards/sandbox/sandbox-identities';
import { Registry } from '../src/providers/registry';
import type { Api } from './support/api';
import { deposit, withLiveIssuer } from './support/belongings';
import { cardholder } from './support/cardholder';
import { CommandLine } from './support/command-line';
import { Duka, type TestAccount } from './support/duka';
import { until } from './support/recurring-probe';

const DAY = 24 * 3_600;

let duka: Duka;
let account: TestAccount;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  account = await duka.account();
});

const identity = (suffix: string) => ({ type: 'nin', number: `12345678${suffix}` });
const register = async (change: object = {}, api: Api = account.api): Promise<string> =>
  (await api.post('/v4/customers', { ...cardholder(), ...change }, { key: randomUUID() })).body.id;
const verify = (id: string, options: { key?: string; headers?: Record<string, string> } = {}, body: object = {}) =>
  account.api.post(`/v4/customers/${id}/verify`, body, { headers: { prefer: 'wait=0' }, ...options });
const get = async (id: string): Promise<any> => (await account.api.get(`/v4/customers/${id}`)).body;
const patch = (id: string, change: object) => account.api.patch(`/v4/customers/${id}`, change);
const advance = (seconds: number) => account.api.post('/v4/sandbox/clock/advance', { seconds });
const events = async (id: string): Promise<any[]> =>
  (await account.api.all('/v4/events?limit=100')).filter(({ data }) => data.object.id === id).reverse();
const typesOf = async (id: string): Promise<string[]> => (await events(id)).map(({ type }) => type);

/** How often the sandbox's provider was asked to verify, by verification. */
const asked = async (): Promise<number[]> =>
  (
    await duka.asOwner('SELECT asked FROM sandbox_identities WHERE account_id = $1', [decodeId('acct', account.id)])
  ).map((row) => Number(row.asked));

/** A verification whose provider is in the hands of the test, in the place of the sandbox's. */
function provided(provider: Partial<IdentityProvider>): { restore: () => void } {
  const { adapter } = duka.get<Registry>(Registry).find<IdentityProvider>('identity', 'sandbox')!;
  const spies = (['verify', 'find'] as const).flatMap((call) =>
    provider[call] ? [jest.spyOn(adapter, call).mockImplementation(provider[call] as never)] : [],
  );
  return { restore: () => spies.forEach((spy) => spy.mockRestore()) };
}

/** What a provider is about to answer. */
function held() {
  let tell!: (result: VerifyResult) => void;
  const answer = new Promise<VerifyResult>((resolve) => (tell = resolve));
  const orders: VerificationOrder[] = [];
  const verify = (order: VerificationOrder): Promise<VerifyResult> => {
    orders.push(order);
    return answer;
  };
  return { orders, tell, verify };
}

describe('a verification', () => {
  it('makes a cardholder verified, and says so once', async () => {
    const id = await register();
    const { status, body } = await verify(id, { key: 'v-1', headers: { prefer: 'wait=10' } });
    expect([status, body.kyc_status, body.kyc_failure, body.kyc_verified_at, body.version]).toEqual([
      200,
      'verified',
      null,
      expect.any(String),
      3,
    ]);
    const told = await events(id);
    expect(told.map(({ type }) => type)).toEqual(['customer.verified']);
    expect(told[0]).toMatchObject({ request: { idempotency_key: 'v-1' }, data: { object: body } });
    const again = await verify(id, { key: 'v-1' });
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', body]);
    // Another request finds nothing to do.
    expect((await verify(id, { key: 'v-2' })).body).toEqual(body);
    expect([await asked(), await typesOf(id)]).toEqual([[1], ['customer.verified']]);
  });

  it.each(SANDBOX_IDENTITIES)('of a number that ends in $suffix: $description', async ({ suffix, status, failure }) => {
    const id = await register({ identity: identity(suffix) });
    await verify(id, { headers: { prefer: 'wait=1' } });
    for (let i = 0; i < 3; i++) await advance(60);
    const { kyc_status: found, kyc_failure: why } = await get(id);
    expect([found, why]).toEqual([status, failure ?? null]);
    expect(await typesOf(id)).toEqual(status === 'pending' ? [] : [`customer.${status}`]);
    expect((await account.api.get('/v4/sandbox/scenarios')).body.identities).toContainEqual(
      expect.objectContaining({ suffix, status }),
    );
  });

  it('is pending while nobody can say, and nobody else is asked meanwhile', async () => {
    const id = await register({ identity: identity('901') });
    const first = await verify(id, { key: 'p-1', headers: { prefer: 'wait=1' } });
    expect([first.status, first.body.kyc_status, first.headers.get('preference-applied')]).toEqual([
      202,
      'pending',
      'wait=1',
    ]);
    expect((await verify(id, { key: 'p-1' })).status).toBe(202);
    expect([(await verify(id)).status, await asked()]).toEqual([202, [1]]);
    await advance(60);
    expect([(await verify(id, { key: 'p-1' })).status, (await get(id)).kyc_status]).toEqual([200, 'verified']);
  });

  it('is asked about for as long as nobody says anything, and a person is called once', async () => {
    const id = await register({ identity: identity('903') });
    await verify(id);
    for (let day = 0; day < 15; day++) await advance(DAY);
    const { kyc_status: status, needs_review: review } = await get(id);
    expect([status, review, await asked(), await typesOf(id)]).toEqual([
      'pending',
      true,
      [1],
      ['customer.needs_review'],
    ]);
    // What the provider says later still counts.
    const { restore } = provided({ find: async () => ({ outcome: 'verified', providerReference: 'p-1' }) });
    await advance(2 * DAY);
    restore();
    expect(await get(id)).toMatchObject({ kyc_status: 'verified', needs_review: false });
  });

  it.each(['verified', 'rejected'] as const)('that nobody answers is %s by a person, once', async (outcome) => {
    const id = await register({ identity: identity('903') });
    const line = CommandLine.on(duka.env.DATABASE_URL!);
    const [, person] = await line.person(`${outcome}@example.com`, true);
    const resolve = (...more: string[]) =>
      line.duka('customer:resolve', '--account', account.id, '--customer', id, '--mode', 'test', ...more);
    const decision = ['--outcome', outcome, '--person', person!, '--note', 'As their dashboard says.'];
    await verify(id);
    expect(await resolve(...decision)).toMatchObject({
      status: 1,
      json: { error: { code: 'invalid_state_transition' } },
    });
    for (let day = 0; day < 15; day++) await advance(DAY);
    const { json } = await line.duka('customer:review');
    expect(json.customers).toContainEqual(
      expect.objectContaining({ customer_id: id, provider: 'sandbox', decisions: [] }),
    );
    expect(await resolve(...decision)).toMatchObject({ status: 0, json: { customer_id: id, kyc_status: outcome } });
    expect(await get(id)).toMatchObject({
      kyc_status: outcome,
      needs_review: false,
      kyc_failure: outcome === 'verified' ? null : { code: 'rejected_in_review' },
    });
    expect(await typesOf(id)).toEqual(['customer.needs_review', `customer.${outcome}`]);
    expect((await line.audited()).at(-1)).toMatchObject({ action: 'customer.reviewed', target: id });
    expect((await resolve(...decision)).status).toBe(1);
  });

  it('of one who was rejected is made anew when it is asked for again', async () => {
    const id = await register({ identity: identity('902') });
    const { body } = await verify(id, { key: 'r-1', headers: { prefer: 'wait=5' } });
    expect([body.kyc_status, body.kyc_failure.code, body.kyc_verified_at]).toEqual([
      'rejected',
      'identity_mismatch',
      null,
    ]);
    await verify(id, { key: 'r-1' });
    expect(await typesOf(id)).toEqual(['customer.rejected']);
    await verify(id, { headers: { prefer: 'wait=5' } });
    expect([await typesOf(id), await asked()]).toEqual([
      ['customer.rejected', 'customer.rejected'],
      [1, 1],
    ]);
  });

  it('is asked for twice at once, and begun once', async () => {
    // Those who did not begin it wait for whoever did.
    duka.get<Endings>(Endings).isWatching = true;
    const id = await register();
    const answers = await Promise.all(Array.from({ length: 8 }, () => verify(id, { headers: { prefer: 'wait=10' } })));
    expect(answers.map(({ status, body }) => [status, body.kyc_status])).toEqual(answers.map(() => [200, 'verified']));
    expect([await asked(), await typesOf(id)]).toEqual([[1], ['customer.verified']]);
  });

  it('is found out about when the process died between the question and the answer', async () => {
    const id = await register();
    const { tell, verify: provide } = held();
    const { restore } = provided({ verify: provide });
    expect((await verify(id)).body.kyc_status).toBe('pending');
    restore();
    // As the provider has it: it decided, and nobody heard.
    const { kyc_reference: reference } = (
      await duka.asOwner('SELECT kyc_reference FROM customers WHERE id = $1', [decodeId('cus', id)])
    )[0]!;
    await duka.asOwner(
      `INSERT INTO sandbox_identities (account_id, reference, scenario, asked, ready_at) VALUES ($1, $2, '', 1, now())`,
      [decodeId('acct', account.id), reference],
    );
    await advance(25);
    expect((await get(id)).kyc_status).toBe('pending');
    await advance(10);
    expect([(await get(id)).kyc_status, await asked(), await typesOf(id)]).toEqual([
      'verified',
      [1],
      ['customer.verified'],
    ]);
    tell({ outcome: 'unknown', code: 'timeout' });
  });

  it('is asked for once more when the process died before the question', async () => {
    const id = await register();
    const { tell, verify: provide } = held();
    const { restore } = provided({ verify: provide });
    await verify(id);
    restore();
    await advance(35);
    expect([(await get(id)).kyc_status, await asked()]).toEqual(['verified', [1]]);
    tell({ outcome: 'unknown', code: 'timeout' });
  });

  it('takes the first of two answers', async () => {
    const id = await register();
    const { tell, verify: provide } = held();
    const { restore } = provided({
      verify: provide,
      find: async () => ({ outcome: 'verified', providerReference: 'p-1' }),
    });
    await verify(id);
    await advance(35);
    expect((await get(id)).kyc_status).toBe('verified');
    tell({ outcome: 'rejected', providerReference: null, code: 'late', message: 'Late.', recovery: 'none' });
    restore();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([(await get(id)).kyc_status, await typesOf(id)]).toEqual(['verified', ['customer.verified']]);
  });

  it('is tried out without a trace', async () => {
    const id = await register();
    const before = await get(id);
    const { status, body } = await verify(id, {}, { dry_run: true });
    expect([status, body.kyc_status, body.id]).toEqual([200, 'pending', id]);
    expect([await get(id), await asked(), await events(id)]).toEqual([before, [], []]);
  });

  it('is of the account that registered the cardholder', async () => {
    const id = await register();
    const { api: stranger } = await duka.account();
    const { status, body } = await stranger.post(`/v4/customers/${id}/verify`);
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect((await get(id)).kyc_status).toBe('unverified');
  });

  it('answers with 503 while nobody can be asked, and nothing is pending', async () => {
    const live = duka.api(await duka.key({ accountId: account.id, livemode: true }));
    const id = await register({ identity: { type: 'ssn', number: '123-45-6789' } }, live);
    const { status, body } = await live.post(`/v4/customers/${id}/verify`);
    expect([status, body.code]).toEqual([503, 'provider_unavailable']);
    expect((await live.get(`/v4/customers/${id}`)).body.kyc_status).toBe('unverified');
  });
});

describe('a change of', () => {
  it.each([
    [{ first_name: 'Eve' }, 'unverified'],
    [{ last_name: 'Eze' }, 'unverified'],
    [{ date_of_birth: '1991-04-21' }, 'unverified'],
    [{ identity: { type: 'nin', number: '12345678000' } }, 'unverified'],
    [{ identity: { type: 'drivers_license', number: 'A01234567' } }, 'unverified'],
    [{ ...cardholder(), email: 'new@example.com', phone: '+2348031234568' }, 'verified'],
    [{ metadata: { a: 'b' } }, 'verified'],
  ])('%j makes a verified cardholder %s', async (change, status) => {
    const id = await register();
    await verify(id, { headers: { prefer: 'wait=5' } });
    const { body } = await patch(id, change);
    expect([body.kyc_status, body.kyc_verified_at === null]).toEqual([status, status === 'unverified']);
  });

  it('the person while they are asked about makes the answer worth nothing', async () => {
    const id = await register({ identity: identity('901') });
    const { tell, verify: provide } = held();
    const { restore } = provided({ verify: provide });
    await verify(id);
    expect((await patch(id, { last_name: 'Eze' })).body.kyc_status).toBe('unverified');
    restore();
    // Asked about anew, and not decided yet.
    await verify(id);
    tell({ outcome: 'rejected', providerReference: null, code: 'other', message: 'Other.', recovery: 'none' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await get(id)).kyc_status).toBe('pending');
    await advance(60);
    expect([(await get(id)).kyc_status, await typesOf(id)]).toEqual(['verified', ['customer.verified']]);
  });

  it('the address while they are asked about leaves the answer what it is', async () => {
    const id = await register();
    const { tell, orders, verify: provide } = held();
    const { restore } = provided({ verify: provide });
    const answered = verify(id, { headers: { prefer: 'wait=10' } });
    await until(() => orders.length > 0, 30);
    await patch(id, { email: 'new@example.com' });
    tell({ outcome: 'verified', providerReference: 'p-1' });
    expect((await answered).body).toMatchObject({ kyc_status: 'verified', email: 'new@example.com', version: 4 });
    restore();
  });
});

it('never shows the number, whatever the provider says of it', async () => {
  const number = '98765432109';
  const id = await register({ identity: { type: 'nin', number } });
  const message = `NIN ${number} (987-654-321 09) is of somebody else.`;
  const { restore } = provided({
    verify: async () => ({ outcome: 'rejected', providerReference: 'p-1', code: 'x', message, recovery: 'none' }),
  });
  const { body } = await verify(id, { headers: { prefer: 'wait=5' } });
  restore();
  expect(body.kyc_failure.message).toBe('NIN [number] ([number]) is of somebody else.');
  const [row] = await duka.asOwner(
    `SELECT (SELECT string_agg(c::text, '') FROM customers c) || (SELECT string_agg(e::text, '') FROM events e)
      || coalesce((SELECT string_agg(s::text, '') FROM sandbox_identities s), '') AS all`,
  );
  expect(row!.all).toContain('[number]');
  expect(row!.all).not.toContain(number);
});

describe('a live card', () => {
  let live: Api;
  let wallet: string;
  beforeEach(async () => {
    await withLiveIssuer(duka);
    live = duka.api(await duka.key({ accountId: account.id, livemode: true }));
    wallet = await live.wallet(0, 'USD');
    await deposit(duka, wallet, 5_000n);
  });

  const issue = (who: object, headers?: Record<string, string>) =>
    live.post(
      '/v4/cards/issue',
      { ...who, currency: 'USD', amount: 500, funding_wallet_id: wallet },
      { key: randomUUID(), headers },
    );

  it('is for verified cardholders only', async () => {
    const id = await register({}, live);
    const refused = await issue({ customer_id: id });
    expect([refused.status, refused.body.code, refused.body.param, refused.body.resource_id]).toEqual([
      422,
      'customer_not_verified',
      '/customer_id',
      id,
    ]);
    const unknown = await issue({ customer: cardholder() });
    expect([unknown.status, unknown.body.code, unknown.body.param]).toEqual([
      422,
      'customer_not_verified',
      '/customer',
    ]);
    await live.post(`/v4/customers/${id}/verify`);
    const { status, body } = await issue({ customer_id: id });
    expect([status, body.status, body.customer_id]).toEqual([201, 'active', id]);
    await live.patch(`/v4/customers/${id}`, { last_name: 'Eze' });
    expect((await issue({ customer_id: id })).body.code).toBe('customer_not_verified');
  });

  it('is not ordered for somebody who was changed, and not given up before it is sure that it was not made', async () => {
    const id = await register({}, live);
    await live.post(`/v4/customers/${id}/verify`);
    const { adapter } = duka.get<Registry>(Registry).find<any>('cards', 'test_live')!;
    // The order was lost, and the process with it.
    const lost = jest.spyOn(adapter, 'issue').mockResolvedValue({ outcome: 'unknown', code: 'timeout' });
    const pending = await issue({ customer_id: id }, { prefer: 'wait=0' });
    expect(pending.body.status).toBe('pending');
    const viewer = { accountId: decodeId('acct', account.id)!, livemode: true };
    const stored = () => duka.get<CardsService>(CardsService).require(viewer, decodeId('crd', pending.body.id));
    await until(async () => (await stored()).checks === 1);
    lost.mockRestore();
    await live.patch(`/v4/customers/${id}`, { first_name: 'Eve' });
    const issued = jest.spyOn(adapter, 'issue');
    const look = async () => {
      await duka.get<CardLifecycle>(CardLifecycle).look(await stored(), new Date());
      const { body: card } = await live.get(`/v4/cards/${pending.body.id}`);
      return [card.status, card.status_reason, (await live.balance(wallet)).held > 0];
    };
    const waits = ['pending', null, true];
    // Twice in a row, but it may still be on its way.
    expect([await look(), await look()]).toEqual([waits, waits]);
    const sent = `UPDATE cards SET asked_at = asked_at - interval '11 minutes', not_known = 0 WHERE id = $1`;
    await duka.asOwner(sent, [decodeId('crd', pending.body.id)]);
    expect([await look(), await look()]).toEqual([waits, ['failed', 'customer_not_verified', false]]);
    expect([issued.mock.calls.length, (await live.balance(wallet)).available]).toEqual([0, 5_000]);
    issued.mockRestore();
  });
});
