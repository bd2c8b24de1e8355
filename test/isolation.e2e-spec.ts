import { encodeId, newId } from '../src/core/http/ids';
import type { Api } from './support/api';
import { acquire, type Belongings } from './support/belongings';
import { expectDocumented } from './support/contract';
import { Duka } from './support/duka';
import { type RawAnswer, type RawRequest, sendRequest } from './support/raw-http';
import { addressOf, bodyOf, isShared, kindOf, type Route, servedRoutes } from './support/routes';

/** One account in one mode, with one of each thing. */
interface World {
  readonly api: Api;
  readonly own: Belongings;
}

let duka: Duka;
let routes: Route[];
let [mine, myLive, theirs, theirLive]: World[] = [];

beforeAll(async () => {
  duka = await Duka.start();
  routes = servedRoutes(duka.app).filter(({ operation }) => operation !== undefined);
  const [me, they] = [await duka.account(), await duka.account()];
  const live = async (accountId: string) => duka.api(await duka.key({ accountId, livemode: true }));
  const worldOf = async (api: Api): Promise<World> => ({ api, own: await acquire(duka, api) });
  [mine, myLive, theirs, theirLive] = [
    await worldOf(me.api),
    await worldOf(await live(me.id)),
    await worldOf(they.api),
    await worldOf(await live(they.id)),
  ];
});
afterAll(() => duka.stop());

async function send(api: Api, request: Omit<RawRequest, 'headers'>): Promise<RawAnswer> {
  const headers = [
    ['Authorization', `Bearer ${api.secret}`],
    ...(request.body ? [['Content-Type', 'application/json']] : []),
  ] as const;
  const answer = await sendRequest(Number(new URL(duka.url).port), {
    ...request,
    headers: headers as RawRequest['headers'],
  });
  expectDocumented(request.method, request.path, answer);
  return answer;
}

/** Everything of an answer that could tell one case from another. */
function traceOf({ status, headers, text }: RawAnswer): unknown {
  const told = [...headers].filter(([name]) => !['date', 'request-id'].includes(name));
  return { status, headers: Object.fromEntries(told), text: text.replace(/req_[0-9a-z]{26}/, 'req_…') };
}

const unknownOf = (kind: keyof Belongings): string =>
  ['key', 'reference'].includes(kind) ? 'never-used' : encodeId(kind as 'wal', newId());

/** A malformed key or reference could exist for others; a malformed id of ours cannot. */
function malformedOf(kind: keyof Belongings, { wal, trf, ...own }: Belongings): string[] {
  if (kind === 'key' || kind === 'reference') return [];
  const id = { wal, trf, ...own }[kind];
  const otherKind = kind === 'wal' ? trf : wal;
  return [
    'x',
    `${kind}_`,
    `${kind}_1`,
    id.toUpperCase(),
    id.slice(0, -1),
    `${id}0`,
    id.slice(4),
    otherKind,
    ` ${id}`,
    `${id}\0`,
    `${kind}_8${id.slice(5)}`,
    "' OR 1=1 --",
    '..',
    '../wallets',
  ];
}

/** What deletes comes last. */
const withId = () =>
  routes
    .filter(({ path }) => kindOf(path) !== null && !isShared(path))
    .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

describe('a thing of another account or mode', () => {
  const strangers = (): [string, World][] => [
    ['another account', theirs!],
    ['my other mode', myLive!],
    ["another account's other mode", theirLive!],
  ];

  it('cannot be told from one that does not exist, on any route', async () => {
    for (const route of withId()) {
      const kind = kindOf(route.path)!;
      const ask = (id: string) =>
        send(mine!.api, {
          method: route.method,
          path: addressOf(route, id),
          body: JSON.stringify(bodyOf(route, mine!.own.wal)),
        });
      const unknown = traceOf(await ask(unknownOf(kind)));
      for (const [whose, { own }] of strangers())
        expect([route.name, whose, traceOf(await ask(own[kind]))]).toEqual([route.name, whose, unknown]);
      for (const id of malformedOf(kind, mine!.own))
        expect([route.name, id, traceOf(await ask(id))]).toEqual([route.name, id, unknown]);
    }
  });

  it('is not what its owner sees: the comparison above could fail', async () => {
    for (const route of withId()) {
      const kind = kindOf(route.path)!;
      const ask = (id: string) =>
        send(theirs!.api, {
          method: route.method,
          path: addressOf(route, id),
          body: JSON.stringify(bodyOf(route, theirs!.own.wal)),
        });
      const own = await ask(theirs!.own[kind]);
      expect([route.name, own.status === 404]).toEqual([route.name, false]);
      if (route.method !== 'HEAD')
        expect([route.name, traceOf(own)]).not.toEqual([route.name, traceOf(await ask(unknownOf(kind)))]);
    }
  });

  it('cannot be paid from, and is paid to in the same mode only', async () => {
    const transfer = async (from: string, to: string, dryRun: boolean) => {
      const body = JSON.stringify({ from_wallet: from, to_wallet: to, amount: 1, dry_run: dryRun });
      return traceOf(await send(mine!.api, { method: 'POST', path: '/v4/wallets/transfer', body }));
    };
    // A body with U+0000 is refused before anything in it is looked up.
    const malformed = malformedOf('wal', mine!.own).filter((id) => !id.includes('\0'));
    for (const dryRun of [true, false]) {
      const { wal } = mine!.own;
      const [fromUnknown, toUnknown] = [
        await transfer(unknownOf('wal'), wal, dryRun),
        await transfer(wal, unknownOf('wal'), dryRun),
      ];
      for (const [, { own }] of strangers()) expect(await transfer(own.wal, wal, dryRun)).toEqual(fromUnknown);
      for (const { own } of [myLive!, theirLive!]) expect(await transfer(wal, own.wal, dryRun)).toEqual(toUnknown);
      for (const id of malformed) {
        expect([id, await transfer(id, wal, dryRun)]).toEqual([id, fromUnknown]);
        expect([id, await transfer(wal, id, dryRun)]).toEqual([id, toUnknown]);
      }
    }
  });

  it('cannot be told from one that does not exist in a body either', async () => {
    const issue = { customer_id: mine!.own.cus, currency: 'USD', amount: 1, funding_wallet_id: mine!.own.usd };
    const named: [path: string, field: string, kind: keyof Belongings, body: object][] = [
      ['/v4/cards/issue', 'customer_id', 'cus', issue],
      ['/v4/cards/issue', 'funding_wallet_id', 'usd', issue],
      [`/v4/cards/${mine!.own.crd}/fund`, 'wallet_id', 'usd', { amount: 1 }],
      [`/v4/cards/${mine!.own.crd}/withdraw`, 'wallet_id', 'usd', { amount: 1 }],
      ['/api/v1/payments', 'wallet_id', 'wal', { amount: 1_000, currency: 'NGN' }],
      ['/v4/virtual-accounts', 'wallet_id', 'wal', { kind: 'permanent' }],
      ['/v4/virtual-accounts', 'customer_id', 'cus', { kind: 'permanent', wallet_id: mine!.own.wal }],
      ['/v4/payouts', 'beneficiary_id', 'ben', { amount: 1, dry_run: true }],
      ['/v4/airtime/purchase', 'beneficiary_id', 'ben', { amount: 10_000 }],
      ['/v4/data/purchase', 'beneficiary_id', 'ben', { plan_code: 'mtn-sme-1gb-1m' }],
      ['/v4/bills/pay', 'beneficiary_id', 'ben', { amount: 500_000 }],
      ['/v4/wallets/transfer', 'beneficiary_id', 'ben', { amount: 1, from_wallet: mine!.own.wal }],
      ...['clearing', 'void', 'refund'].map((kind): [string, string, keyof Belongings, object] => [
        `/v4/sandbox/cards/${mine!.own.crd}/simulate`,
        'card_transaction_id',
        'ctx',
        { kind, amount: 1 },
      ]),
    ];
    for (const [path, field, kind, body] of named) {
      const ask = async (id: string) =>
        traceOf(await send(mine!.api, { method: 'POST', path, body: JSON.stringify({ ...body, [field]: id }) }));
      const unknown = await ask(encodeId(kind === 'usd' ? 'wal' : (kind as 'cus'), newId()));
      for (const [whose, { own }] of strangers())
        expect([path, field, whose, await ask(own[kind])]).toEqual([path, field, whose, unknown]);
      expect([path, field, await ask(mine!.own[kind])]).not.toEqual([path, field, unknown]);
    }
  });

  it('is no part of the card of mine that is named beside it', async () => {
    const [other] = (await mine!.api.all('/v4/cards?limit=100')).filter(({ id }) => id !== mine!.own.crd);
    const ask = async (id: string) =>
      traceOf(
        await send(mine!.api, {
          method: 'POST',
          path: `/v4/sandbox/cards/${other.id}/simulate`,
          body: JSON.stringify({ kind: 'void', amount: 1, card_transaction_id: id }),
        }),
      );
    expect(await ask(mine!.own.ctx)).toEqual(await ask(unknownOf('ctx')));
  });

  it('finds nothing as a filter', async () => {
    for (const [path, kind] of [
      ['/v4/cards?customer_id=', 'cus'],
      ['/api/v1/payments?wallet_id=', 'wal'],
      ['/v4/deposits?virtual_account_id=', 'vac'],
    ] as const) {
      for (const id of [...strangers().map(([, { own }]) => own[kind]), unknownOf(kind), 'x'])
        expect([path, id, (await mine!.api.get(path + id)).body.data]).toEqual([path, id, []]);
      expect((await mine!.api.get(path + mine!.own[kind])).body.data).not.toEqual([]);
    }
    for (const path of ['/v4/transactions', '/api/v1/transactions']) {
      for (const id of [...strangers().map(([, { own }]) => own.wal), unknownOf('wal'), 'x']) {
        expect((await mine!.api.get(`${path}?wallet_id=${id}`)).body.data).toEqual([]);
      }
      for (const [, { own }] of strangers())
        expect((await mine!.api.get(`${path}?reference=${own.reference}`)).body.data).toEqual([]);
    }
  });

  it('can be had by its key or reference again, by whoever has not used it', async () => {
    const { key, reference } = theirs!.own;
    const body = { from_wallet: mine!.own.wal, to_wallet: theirs!.own.wal, amount: 1, reference };
    const answer = await mine!.api.post('/v4/wallets/transfer', body, { key });
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });
});

describe('lists', () => {
  const lists = () =>
    routes.filter(
      ({ method, operation, path }) =>
        method === 'GET' &&
        kindOf(path) === null &&
        !isShared(path) &&
        operation!.parameters?.some(({ name }) => name === 'cursor'),
    );
  const idsOf = async ({ api }: World, path: string) =>
    (await api.all(`${path}?limit=100`)).map(({ id }) => id as string);

  it('show each thing to one account in one mode', async () => {
    expect(lists().length).toBeGreaterThan(0);
    for (const { path } of lists()) {
      const ids = await Promise.all([mine!, myLive!, theirs!, theirLive!].map((world) => idsOf(world, path)));
      expect([path, ids.every((one) => one.length > 0), new Set(ids.flat()).size]).toEqual([
        path,
        true,
        ids.flat().length,
      ]);
    }
  });

  it('say of each thing the mode of the key', async () => {
    for (const { path } of lists()) {
      for (const [{ api }, livemode] of [
        [mine!, false],
        [myLive!, true],
      ] as const) {
        expect(new Set((await api.all(`${path}?limit=100`)).map((one) => one.livemode))).toEqual(new Set([livemode]));
      }
    }
  });

  it('take no cursor of another account or mode', async () => {
    for (const { path } of lists()) {
      const { body } = await theirs!.api.get(`${path}?limit=1`);
      expect([path, typeof body.next_cursor]).toEqual([path, 'string']);
      for (const { api } of [mine!, theirLive!])
        expect((await api.get(`${path}?limit=1&cursor=${body.next_cursor}`)).body.code).toBe('invalid_cursor');
    }
  });

  it('export as CSV only what they show', async () => {
    for (const { path, operation } of lists()) {
      if (!operation!.parameters!.some(({ name }) => name === 'format')) continue;
      const { body } = await mine!.api.get(`${path}?format=csv`);
      const ids = (body as string)
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0]);
      expect(ids).toEqual(await idsOf(mine!, path));
    }
  });
});

it('the account of a key names the wallets of its mode only', async () => {
  for (const world of [mine!, myLive!, theirs!, theirLive!]) {
    const { body } = await world.api.get('/v4/account');
    const shown = new Set(body.wallets.map(({ id }: { id: string }) => id));
    expect(shown).toEqual(new Set((await world.api.all('/v4/wallets?limit=100')).map(({ id }) => id)));
    expect(shown).toContain(world.own.wal);
  }
});
