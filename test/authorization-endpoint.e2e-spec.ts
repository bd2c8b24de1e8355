import type { RequestListener } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { createdSteps, questionOf, type StripeEvent } from '../src/extensions/stripe/stripe-messages';
import { AuthorizationEndpoints } from '../src/modules/cards/authorization-endpoints.service';
import { AuthorizationsService } from '../src/modules/cards/authorizations.service';
import { IssuerMessages } from '../src/modules/cards/issuer-messages';
import { fixture } from './contracts/stripe-rig';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';
import { PlainReceiver } from './support/plain-receivers';
import { until } from './support/recurring-probe';

const SHOP = { name: 'Corner Shop', mcc: '5411', country: 'NG' };
const PATH = '/v4/cards/authorization-endpoint';
const PATIENCE_MS = 2_000;

let duka: Duka;
let network: CardNetwork;
let endpoints: AuthorizationEndpoints;

beforeAll(async () => {
  duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  endpoints = duka.get<AuthorizationEndpoints>(AuthorizationEndpoints);
});
beforeEach(async () => {
  network = await CardNetwork.in(duka, 10_000);
  endpoints.timeoutMs = PATIENCE_MS;
  endpoints.restMs = 10_000;
});
afterEach(async () => {
  await PlainReceiver.stopAll();
});
afterAll(() => duka.stop());

const saying =
  (body: unknown, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
const silent: RequestListener = () => undefined;

async function asked(
  answer: RequestListener,
  fallback = 'decline',
): Promise<{ receiver: PlainReceiver; secret: string }> {
  const receiver = await PlainReceiver.start(answer);
  const { status, body } = await network.api.call('PUT', PATH, { url: receiver.url, default: fallback });
  expect([status, body.default, body.url]).toEqual([200, fallback, receiver.url]);
  return { receiver, secret: body.secret };
}

const authorize = (amount = 1_250, key?: string) => network.simulate('authorization', { amount, merchant: SHOP }, key);
const outcomeOf = async (amount?: number) => {
  const { body } = await authorize(amount);
  return [body.status, body.decline_reason, body.decision?.by, body.decision?.outcome];
};
const health = async () => (await network.api.get(PATH)).body.health;

describe('an authorization', () => {
  it('is asked about, signed as a webhook, and held once it is approved', async () => {
    const { receiver, secret } = await asked(saying({ approve: true, reason: 'Within the budget' }));
    const { body: made } = await authorize();
    expect(made).toMatchObject({ status: 'authorized', amount: 1_250, held_amount: 1_250 });
    expect(made.decision).toEqual({
      by: 'endpoint',
      outcome: 'approved',
      reason: 'Within the budget',
      latency_ms: expect.any(Number),
    });
    const [{ body, headers }] = receiver.requests as [any];
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: 'card.authorization.requested',
      livemode: false,
      data: { object: { id: made.id, card_id: network.card, amount: 1_250, currency: 'USD', merchant: SHOP } },
    });
    const { body: events } = await network.api.get('/v4/events?type=card.transaction.authorized&limit=1');
    expect(events.data[0].data.object.decision).toEqual(made.decision);
  });

  it('is declined in the words of the endpoint', async () => {
    await asked(saying({ approve: false, reason: 'Over the travel budget' }), 'approve');
    const { body } = await authorize();
    expect(body).toMatchObject({ status: 'declined', decline_reason: 'endpoint_declined', held_amount: 0 });
    expect(body.decision).toMatchObject({ by: 'endpoint', outcome: 'declined', reason: 'Over the travel budget' });
    expect(await network.balance()).toEqual([10_000, 0]);
  });

  it('is given in part when the endpoint says so', async () => {
    await asked(saying({ approve: true, amount: 1_000 }));
    expect((await authorize()).body).toMatchObject({ status: 'authorized', amount: 1_000, held_amount: 1_000 });
    expect(await network.balance()).toEqual([9_000, 1_000]);
  });

  it('that the rules decline is not asked about', async () => {
    const { receiver } = await asked(saying({ approve: true }));
    expect(await outcomeOf(10_001)).toEqual(['declined', 'insufficient_funds', undefined, undefined]);
    await network.api.post(`/v4/cards/${network.card}/freeze`);
    expect(await outcomeOf()).toEqual(['declined', 'card_frozen', undefined, undefined]);
    expect(receiver.requests).toEqual([]);
  });

  it('that was approved is declined when the card was frozen meanwhile', async () => {
    const { receiver } = await asked((_, response) => {
      void network.api
        .post(`/v4/cards/${network.card}/freeze`)
        .then(() => response.end(JSON.stringify({ approve: true })));
    });
    expect(await outcomeOf()).toEqual(['declined', 'card_frozen', 'endpoint', 'approved']);
    expect(receiver.requests).toHaveLength(1);
    expect(await network.balance()).toEqual([10_000, 0]);
  });

  it('is asked about once, however often it is told', async () => {
    const { receiver } = await asked(saying({ approve: true }));
    const [first, again] = [await authorize(1_250, 'auth-1'), await authorize(1_250, 'auth-1')];
    expect(again.body.id).toBe(first.body.id);
    const order = { amount: 500n, merchant: SHOP, issuerReference: 'auth-of-issuer' };
    const cause = { key: null, fingerprint: Buffer.alloc(32), message: 'sandbox:message-1', requestId: null };
    const service = duka.get<AuthorizationsService>(AuthorizationsService);
    const key = { ...network.owner, id: network.cardId };
    const told = await Promise.all([1, 2, 3].map(() => service.authorize(key, order, cause)));
    expect(new Set(told.map(({ made }) => made.id)).size).toBe(1);
    expect(receiver.requests).toHaveLength(2);
  });

  it.each([
    [true, 'authorized'],
    [false, 'declined'],
  ])('that Stripe asks about and tells of once more is asked about once (approved: %s)', async (approve, status) => {
    const { receiver } = await asked(saying({ approve }));
    const messages = duka.get<IssuerMessages>(IssuerMessages);
    const object = { ...fixture('authorization'), card: { metadata: { reference: network.cardId } } };
    const event = { id: 'evt_1', type: 'issuing_authorization.request', object, before: {} } as StripeEvent;
    const { made } = await messages.take({ ...questionOf(event)!.message, issuer: 'sandbox' });
    expect(made.status).toBe(status);
    const history = [{ amount: 700, approved: true, reason: 'webhook_approved' }];
    const created = { ...event, object: { ...object, approved: true, amount: 700, request_history: history } };
    const [told] = createdSteps(created, network.cardId);
    await expect(messages.take({ ...told!.message, issuer: 'sandbox' })).rejects.toMatchObject({
      details: { code: 'duplicate_reference' },
    });
    expect(receiver.requests).toHaveLength(1);
    expect(await network.list()).toHaveLength(1);
  });

  it('of another account is not asked about', async () => {
    const { receiver } = await asked(saying({ approve: false }));
    const other = await CardNetwork.in(duka, 10_000);
    expect((await other.simulate('authorization', { amount: 100, merchant: SHOP })).body.status).toBe('authorized');
    expect((await other.api.get(PATH)).status).toBe(404);
    expect(receiver.requests).toEqual([]);
  });
});

describe('an endpoint that gives no answer of use', () => {
  it.each([
    ['says nothing', 'approve', silent, 'timeout'],
    ['says nothing', 'decline', silent, 'timeout'],
    ['fails', 'approve', saying({ approve: false }, 500), 'failed'],
    ['moved', 'decline', saying({ approve: true }, 302), 'failed'],
    ['says something else', 'decline', saying('yes'), 'malformed'],
    ['answers with a word', 'decline', saying({ approve: 'true' }), 'malformed'],
    ['gives more than was asked for', 'decline', saying({ approve: true, amount: 1_251 }), 'malformed'],
    ['gives a part of a cent', 'decline', saying({ approve: true, amount: 10.5 }), 'malformed'],
    ['gives nothing', 'decline', saying({ approve: true, amount: 0 }), 'malformed'],
    ['talks too much', 'decline', saying({ approve: true, reason: 'x'.repeat(201) }), 'malformed'],
    ['never ends', 'approve', saying(`{"approve":false,"reason":"${'x'.repeat(100_000)}"}`), 'malformed'],
  ])('(%s) leaves it to its default %s', async (_, fallback, answer, outcome) => {
    endpoints.timeoutMs = 300;
    await asked(answer, fallback);
    const decided = fallback === 'approve' ? ['authorized', null] : ['declined', 'endpoint_unavailable'];
    expect(await outcomeOf()).toEqual([...decided, 'fallback', outcome]);
  });

  it('is left alone for a while, and then tried once', async () => {
    [endpoints.timeoutMs, endpoints.restMs] = [300, 500];
    let isWell = false;
    const { receiver } = await asked((request, response) => {
      if (isWell) saying({ approve: true })(request, response as any);
    }, 'approve');
    expect(await outcomeOf(10)).toEqual(['authorized', null, 'fallback', 'timeout']);
    for (let i = 0; i < 5; i++) expect(await outcomeOf(10)).toEqual(['authorized', null, 'fallback', 'not_asked']);
    expect(receiver.requests).toHaveLength(1);
    isWell = true;
    let skipped = 5;
    await until(async () => {
      const outcome = await outcomeOf(10);
      if (outcome[3] === 'not_asked') skipped++;
      else expect(outcome).toEqual(['authorized', null, 'endpoint', 'approved']);
      return outcome[3] === 'approved';
    });
    expect(receiver.requests).toHaveLength(2);
    expect(await outcomeOf(10)).toEqual(['authorized', null, 'endpoint', 'approved']);
    expect(await outcomeOf(10)).toEqual(['authorized', null, 'endpoint', 'approved']);
    expect(await health()).toMatchObject({
      decisions: skipped + 4,
      fallbacks: skipped + 1,
      outcomes: { timeout: 1, not_asked: skipped, approved: 3 },
      latency_p50_ms: expect.any(Number),
      latency_p99_ms: expect.any(Number),
    });
  });

  it('is asked at once when it was changed', async () => {
    endpoints.timeoutMs = 300;
    await asked(silent);
    expect(await outcomeOf()).toEqual(['declined', 'endpoint_unavailable', 'fallback', 'timeout']);
    const { secret } = await asked(saying({ approve: true }));
    expect(secret).toBeNull();
    expect(await outcomeOf()).toEqual(['authorized', null, 'endpoint', 'approved']);
  });
});

describe('the address', () => {
  it('is not taken away once more by a request that is sent again, nor put back', async () => {
    const { api } = network;
    const put = (url: string, key?: string) => api.call('PUT', PATH, { url, default: 'decline' }, { key });
    const remove = (key?: string) => api.call('DELETE', PATH, undefined, { key });
    const [first, second] = ['https://1.1.1.1/first', 'https://1.1.1.1/second'];
    expect((await put(first, 'put')).body).toMatchObject({ url: first, secret: expect.any(String) });
    expect((await remove('remove')).body.url).toBe(first);
    expect((await remove('remove')).status).toBe(404);
    await put(second);
    for (const again of [await remove('remove'), await put(first, 'put')]) {
      expect(again).toMatchObject({ status: 200, body: { url: second, secret: null } });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect((await api.get('/v4/idempotency/remove')).body).toMatchObject({ status: 'completed', resource: null });
    expect((await put(first, 'remove')).body.code).toBe('idempotency_key_reused');
    expect((await remove()).body.url).toBe(second);
  });

  it.each([
    [{ url: 'ftp://example.com/x', default: 'approve' }, '/url'],
    [{ url: 'http://169.254.169.254/latest', default: 'approve' }, '/url'],
    [{ url: 'https://example.com/x' }, '/default'],
    [{ url: 'https://example.com/x', default: 'maybe' }, '/default'],
  ])('%j is refused', async (body, param) => {
    const { status, body: refused } = await network.api.call('PUT', PATH, body);
    expect([status, refused.code, refused.param]).toEqual([400, 'validation_failed', param]);
    expect((await network.api.get(PATH)).status).toBe(404);
  });

  it('of this machine is no address of live mode', async () => {
    const key = await duka.key({ accountId: network.owner.accountId, livemode: true });
    const { status, body } = await duka.api(key).call('PUT', PATH, { url: 'https://127.0.0.1/x', default: 'approve' });
    expect([status, body.param]).toEqual([400, '/url']);
  });

  it('shows its secret once, and is asked nothing any more once it is taken away', async () => {
    const { receiver, secret } = await asked(saying({ approve: false }));
    expect(secret).toMatch(/^whsec_/);
    const again = await network.api.call('PUT', PATH, { url: receiver.url, default: 'decline' });
    expect(again.body).toMatchObject({ secret: null, version: 1 });
    expect((await network.api.get(PATH)).body).toMatchObject({ secret: null, version: 1, health: { decisions: 0 } });
    expect((await network.api.call('DELETE', PATH)).status).toBe(200);
    expect((await network.api.call('DELETE', PATH)).status).toBe(404);
    expect(await outcomeOf()).toEqual(['authorized', null, undefined, undefined]);
    expect(receiver.requests).toEqual([]);
  });
});
