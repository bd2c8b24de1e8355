import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { cardholder } from './support/cardholder';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { until } from './support/recurring-probe';
import { shuffledWithRepeats } from './support/shuffled';

type Keep = (copies: Map<string, any>, event: any) => boolean;

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true });
});
afterAll(() => duka.stop());

/** The code of the guide. */
function documented(): Keep {
  const guide = readFileSync('docs/guides/receive-webhooks.md', 'utf8');
  const [, code] = /`copies\.mjs`\n\n```js\n([^]*?)```/.exec(guide)!;
  return runInNewContext(`${code!.replace('export ', '')}; keep`) as Keep;
}

const EVENTS = 10_000;
const ROUTES: Record<string, string> = {
  transaction: '/v4/transactions/',
  payment: '/api/v1/payments/',
  card: '/v4/cards/',
  transfer: '/v4/wallets/transfers/',
};
const OF_EVENTS = ['previous_status', 'transaction_id'];

it('shuffled and repeated events give the state that REST gives', async () => {
  const payer = await Payer.of(duka);
  const { api, wallet } = payer;
  const made = async (path: string, body: object, headers?: Record<string, string>): Promise<any> => {
    const { status, body: answer } = await api.post(path, body, { headers });
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };
  await api.credit(wallet, 10_000_000);
  const dollars = await api.wallet(100_000, 'USD');
  for (let i = 0; i < 8; i++) {
    const buy = (scenario: string): Promise<any> =>
      made(
        '/v4/airtime/purchase',
        { phone: '+2348031234567', amount: 10_000, allow_duplicate: true },
        { 'x-sandbox-scenario': scenario },
      );
    await buy('outcome=delivered; then=reversed; delay=1m');
    await buy('outcome=timeout; then=delivered; delay=1m');
    await buy('outcome=failed');
    const paid = await payer.asked();
    for (const status of ['successful', 'reversed']) await payer.complete(paid.id, status);
    const card = await made('/v4/cards/issue', {
      customer: cardholder(),
      currency: 'USD',
      amount: 1_000,
      funding_wallet_id: dollars,
      allow_duplicate: true,
    });
    await made(`/v4/cards/${card.id}/fund`, { amount: 500 });
    for (const deed of ['freeze', 'unfreeze', 'freeze', 'terminate']) await made(`/v4/cards/${card.id}/${deed}`, {});
  }
  await made('/v4/sandbox/clock/advance', { seconds: 120 });
  const open = async (): Promise<any[]> => [
    ...(await api.all('/v4/transactions?status=processing&limit=100')),
    ...(await api.all('/v4/transactions?status=pending&limit=100')),
  ];
  await until(async () => (await open()).length === 0);
  await until(
    async () =>
      (await api.all('/v4/events?limit=100')).filter(({ type }) => type === 'transaction.reversed').length >= 16,
  );

  const events = await api.all('/v4/events?limit=100');
  const keep = documented();
  const copies = new Map<string, any>();
  for (const at of shuffledWithRepeats(events.length, EVENTS)) keep(copies, events[at]);
  for (const event of events.toSorted(() => Math.random() - 0.5)) expect(keep(copies, event)).toBe(false);

  let equal = 0;
  for (const [id, copy] of copies) {
    const route = ROUTES[copy.object];
    if (route === undefined || copy.object === 'transfer') continue;
    const { body: now } = await api.get(`${route}${id}`);
    expect([id, copy.status]).toEqual([id, now.status]);
    expect(copy.version).toBeLessThanOrEqual(now.version);
    if (copy.version < now.version) continue;
    equal++;
    const ofEvents = OF_EVENTS.filter((field) => !(field in now));
    expect({ ...copy, ...Object.fromEntries(ofEvents.map((field) => [field, undefined])) }).toEqual(now);
  }
  expect(equal).toBeGreaterThanOrEqual(8 * 3);
});

it('what an event tells of and can change carries a version', () => {
  const { webhooks, components } = JSON.parse(readFileSync('docs/api/openapi.json', 'utf8'));
  const at = (ref: string): any => components.schemas[ref.split('/').at(-1)!];
  const told = Object.values<any>(webhooks).map(({ post }) => {
    const event = at(post.requestBody.content['application/json'].schema.$ref);
    return JSON.stringify(event)
      .match(/"\$ref":"([^"]+)"/g)!
      .map((found) => at(found.slice(8, -1)));
  });
  const objects = new Set(told.flat().filter(({ properties }) => properties.object && properties.id));
  const without = [...objects].filter(({ properties }) => properties.version === undefined);
  expect(objects.size).toBeGreaterThan(15);
  const changing = without.filter(({ properties: { status } }) => status !== undefined && status.enum.length > 1);
  expect(changing.map(({ properties }) => properties.object.enum)).toEqual([]);
});

it('the version grows by one with each change', async () => {
  const { api, wallet } = await Payer.of(duka);
  const versions: number[] = [];
  for (const label of ['a', 'b', 'c']) {
    await api.patch(`/v4/wallets/${wallet}`, { label });
    versions.push((await api.get(`/v4/wallets/${wallet}`)).body.version);
  }
  await api.credit(wallet, 1_000);
  versions.push((await api.get(`/v4/wallets/${wallet}`)).body.version);
  const events = (await api.all('/v4/events?limit=100'))
    .filter(({ data }) => data.object.id === wallet)
    .map(({ data }) => data.object.version as number);
  expect(versions).toEqual([2, 3, 4, 5]);
  expect(events.toReversed()).toEqual([1, 2, 3, 4, 5]);
  const customer = (await api.post('/v4/customers', cardholder())).body;
  expect(customer.version).toBe(1);
  expect((await api.patch(`/v4/customers/${customer.id}`, { metadata: { a: 'b' } })).body.version).toBe(2);
});

it('a version of a wallet is one state, also of one that is changed and credited at once', async () => {
  const { api, wallet } = await Payer.of(duka);
  const changes = Array.from({ length: 40 }, (_, i) => `${i}`);
  await Promise.all([
    ...changes.map((label) => api.patch(`/v4/wallets/${wallet}`, { label })),
    ...changes.map(() => api.credit(wallet, 1_000)),
  ]);
  const states = (await api.all('/v4/events?limit=100'))
    .filter(({ data }) => data.object.id === wallet)
    .map(({ data: { object } }) => ({
      version: object.version as number,
      label: object.label as string | null,
      balance: object.balance.ledger as number,
    }))
    .toSorted((a, b) => a.version - b.version);
  expect(states.map(({ version }) => version)).toEqual(Array.from({ length: 81 }, (_, i) => i + 1));
  // From each to the next it was either said something else of it, or there came money.
  let [label, balance] = [null as string | null, 0];
  for (const state of states.slice(1)) {
    if (state.label === label) expect(state.balance).toBe((balance += 1_000));
    else expect(state).toEqual({ ...state, balance });
    label = state.label;
  }
});

it('a version of a card is one state, also of one that is changed, frozen, loaded and used at once', async () => {
  const network = await CardNetwork.in(duka, 10_000, { warnAt: 2, terminateAt: 1_000 });
  const { api, card } = network;
  const times = Array.from({ length: 40 }, (_, i) => i);
  const answers = await Promise.all(
    times.flatMap((i) => [
      api.patch(`/v4/cards/${card}`, { label: `${i}` }),
      api.post(`/v4/cards/${card}/${i % 2 === 0 ? 'freeze' : 'unfreeze'}`, {}),
      api.post(`/v4/cards/${card}/${i % 2 === 0 ? 'fund' : 'withdraw'}`, { amount: 1, allow_duplicate: true }),
      network.simulate('authorization', { amount: i % 2 === 0 ? 10 : 1_000_000 }),
      api.get(`/v4/cards/${card}`),
    ]),
  );
  const told = (await api.all('/v4/events?limit=100')).map(({ data }) => data.object).filter(({ id }) => id === card);
  const shown = answers.map(({ body }) => body).filter(({ object }) => object === 'card');
  const states = new Map<number, object>();
  for (const {
    version,
    label,
    status,
    balance,
    decline_policy: { declines },
  } of [...told, ...shown]) {
    const state = { label, status, balance, declines };
    expect([version, states.get(version) ?? state]).toEqual([version, state]);
    states.set(version, state);
  }
  expect(told.length).toBeGreaterThan(20);
});
