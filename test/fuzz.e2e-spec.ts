import fc from 'fast-check';
import { acquire, type Belongings } from './support/belongings';
import { expectDocumented } from './support/contract';
import { Duka } from './support/duka';
import { anyRequest, type Pool, subjects } from './support/fuzz-requests';
import {
  HOSTILE_BODIES,
  HOSTILE_HEADERS,
  HOSTILE_JSON,
  HOSTILE_METHODS,
  HOSTILE_PATHS,
  HOSTILE_QUERIES,
  HOSTILE_SEGMENTS,
} from './support/hostile';
import { type RawRequest, sendRequest } from './support/raw-http';
import { kindOf } from './support/routes';
import { relayNow } from './support/webhooks';

/** Generated requests, beside the hand list. Raise it to search for longer. */
const GENERATED = Number(process.env.FUZZ_REQUESTS ?? 400);
/** Another one for each run; set it to what a failed run printed. */
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const AT_ONCE = 16;
/** Requests about the same few wallets. After these come new ones: the old ones are closed, frozen or empty by then. */
const LOT = 500;
/** For each request, on a busy machine: only what hangs takes longer. */
const HANGS_MS = 60;
const ALL_HANG_MS = Math.max(600_000, GENERATED * HANGS_MS);

let duka: Duka;
let port: number;
/** For what must be refused: nothing of it is used up. */
let pool: Pool;
const statuses: Record<string, number> = {};
const succeeded = new Set<string>();
let sent = 0;

beforeAll(async () => {
  duka = await Duka.start();
  port = Number(new URL(duka.url).port);
  pool = await newPool();
});
afterAll(async () => {
  console.log(`${sent} requests, seed ${SEED}, answers by status ${JSON.stringify(statuses)}`);
  // No relay was at work, and of a long run the books would say that events are owed.
  await relayNow(duka);
  await duka.stop();
}, ALL_HANG_MS);

/** Sends all of them, several at once; throws with every answer that should not be. */
async function flood(requests: readonly RawRequest[]): Promise<void> {
  const failures: string[] = [];
  const queue = requests.values();
  const sendNext = async (): Promise<void> => {
    for (const request of queue)
      await send(request).catch((error: Error) =>
        failures.push(`${error.message.slice(0, 600)}\n${describeRequest(request)}`),
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  if (failures.length > 0)
    throw new Error(`seed ${SEED}: ${failures.length} wrong answers, such as\n${failures.slice(0, 10).join('\n\n')}`);
}

async function send(request: RawRequest): Promise<void> {
  sent++;
  const answer = await sendRequest(port, request);
  statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  // Not ready is an answer of its own: under this flood the queue may take longer than a probe waits.
  const isProbe = request.path.startsWith('/readyz') && answer.status === 503;
  if (answer.status >= 500 && !isProbe) throw new Error(`${answer.status} ${answer.text}`);
  // Documented, but nothing here is slow: worth a look.
  if (answer.status === 408) console.warn(`408: ${describeRequest(request)}`);
  expectDocumented(request.method, request.path, answer);
  if (answer.status < 300)
    succeeded.add(
      `${request.method} ${request.path.split('?')[0]!.replace(/\/(?:\w+_[0-9a-z]{26}|key-[-\w]+|ref-[-\w]+)/, '/{}')}`,
    );
}

const describeRequest = ({ method, path, headers, body }: RawRequest): string =>
  JSON.stringify({ method, path, headers, body: body?.toString() }).slice(0, 600);

/** A new account with wallets of its own, beside another one that it may only pay. */
async function newPool(): Promise<Pool> {
  const [mine, theirs] = [await duka.account(), await duka.account()];
  const own = [await acquire(duka, mine.api), await acquire(duka, mine.api)];
  const empty: Belongings = { ...own[0]!, wal: await mine.api.wallet() };
  const lists = [
    '/v4/cards',
    `/v4/cards/${own[0]!.crd}/transitions`,
    '/v4/customers',
    '/api/v1/payments',
    '/v4/wallets',
    '/v4/wallets/transfers',
    '/v4/transactions',
    '/v4/events',
    `/v4/wallets/${own[0]!.wal}/entries`,
  ];
  const cursors = await Promise.all(
    lists.map(async (path) => (await mine.api.get(`${path}?limit=1`)).body.next_cursor as string),
  );
  return { key: mine.key, belongings: [...own, empty, await acquire(duka, theirs.api)], cursors };
}

it.each([
  ['1e400', 'amount_out_of_range'],
  ['-1e400', 'amount_out_of_range'],
  ['9007199254740992', 'amount_out_of_range'],
  ['9007199254740993', 'amount_out_of_range'],
  ['-0', 'amount_out_of_range'],
  ['0', 'amount_out_of_range'],
  ['-1', 'amount_out_of_range'],
  ['1.5', 'amount_not_integer'],
  ['1e-7', 'amount_not_integer'],
  ['"100"', 'amount_not_integer'],
  ['true', 'amount_not_integer'],
  ['[1]', 'amount_not_integer'],
  ['{"valueOf":1}', 'amount_not_integer'],
  ['null', 'validation_failed'],
  ['NaN', 'invalid_json'],
  ['Infinity', 'invalid_json'],
  ['01', 'invalid_json'],
  ['0x10', 'invalid_json'],
  ['1_000', 'invalid_json'],
  ['1,"amount":1', 'invalid_json'],
  ['1,"\\u0061mount":2', 'invalid_json'],
  ['1,"__proto__":{"amount":2}', 'validation_failed'],
  ['1,"Amount":2', 'unknown_field'],
])('the amount %s is refused as %s and moves nothing', async (amount, code) => {
  const {
    key,
    belongings: [own],
  } = pool;
  const before = await duka.totals();
  const about = `"from_wallet":"${own!.wal}","to_wallet":"${own!.wal}",`;
  for (const [path, fields] of [
    [`/v4/sandbox/wallets/${own!.wal}/credit`, ''],
    ['/v4/wallets/transfer', about],
  ] as const) {
    const headers = [
      ['Authorization', `Bearer ${key}`],
      ['Content-Type', 'application/json'],
    ] as const;
    const { status, body } = await sendRequest(port, {
      method: 'POST',
      path,
      headers,
      body: `{${fields}"amount":${amount}}`,
    });
    expect([status, body.code]).toEqual([400, code]);
  }
  expect(await duka.totals()).toEqual(before);
});

describe('whatever is sent', () => {
  it('from the list of what has broken other services, is answered as documented', async () => {
    const {
      key,
      belongings: [own],
    } = await newPool();
    await flood(handList(key, own!));
  });

  it(
    'from generated requests, is answered as documented',
    async () => {
      for (let lot = 0; lot * LOT < GENERATED; lot++) {
        await flood(
          fc.sample(anyRequest(await newPool()), { numRuns: Math.min(LOT, GENERATED - lot * LOT), seed: SEED + lot }),
        );
      }
      expect(succeeded.size).toBeGreaterThan(subjects.length / 2);
    },
    ALL_HANG_MS,
  );
});

/** Each hostile thing at each place of each operation. */
function handList(key: string, own: Belongings): RawRequest[] {
  const authorization = ['Authorization', `Bearer ${key}`] as const;
  const json = [authorization, ['Content-Type', 'application/json']] as const;
  const addressed = subjects.map(({ method, template, operation }) => {
    const kind = kindOf(template);
    return { method, template, operation, path: template.replace(/\{\w+\}/, () => (kind === null ? '' : own[kind])) };
  });
  const fields = addressed.flatMap(({ method, path, operation }) => {
    const example = operation.requestBody?.content['application/json']?.example as Record<string, unknown> | undefined;
    return Object.keys(example ?? {}).map((field) => ({
      method,
      path,
      example: { ...withOwn(example!, own), reference: undefined },
      field,
    }));
  });
  return [
    ...HOSTILE_PATHS.map((path) => ({ method: 'GET', path, headers: [authorization] })),
    ...addressed.flatMap(({ path }) => HOSTILE_METHODS.map((method) => ({ method, path, headers: json }))),
    ...addressed.flatMap(({ method, path }) =>
      HOSTILE_HEADERS.map((headers) => ({
        method,
        path,
        headers: [authorization, ...headers],
        body: method === 'GET' ? undefined : '{}',
      })),
    ),
    ...addressed
      .filter(({ method }) => method === 'GET')
      .flatMap(({ method, path }) =>
        HOSTILE_QUERIES.map((query) => ({ method, path: `${path}?${query}`, headers: json })),
      ),
    ...addressed
      .filter(({ method }) => method !== 'GET')
      .flatMap(({ method, path }) => HOSTILE_BODIES.map((body) => ({ method, path, headers: json, body }))),
    ...addressed
      .filter(({ template }) => template.includes('{'))
      .flatMap(({ method, template }) =>
        HOSTILE_SEGMENTS.map((segment) => ({
          method,
          path: template.replace(/\{\w+\}/, () => segment),
          headers: json,
        })),
      ),
    ...fields.flatMap(({ method, path, example, field }) => {
      const rest = Object.entries(example)
        .filter(([name, value]) => name !== field && value !== undefined)
        .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      return HOSTILE_JSON.map((text) => ({
        method,
        path,
        headers: json,
        body: `{${[...rest, `${JSON.stringify(field)}:${text}`].join()}}`,
      }));
    }),
  ];
}

/** An example body about what exists. */
function withOwn(example: Record<string, unknown>, own: Belongings): Record<string, unknown> {
  const named = (value: unknown): unknown =>
    own[/^([a-z]{3})_[0-9a-z]{26}$/.exec(String(value))?.[1] as keyof Belongings] ?? value;
  const cards = 'funding_wallet_id' in example ? { funding_wallet_id: own.usd } : {};
  return { ...Object.fromEntries(Object.entries(example).map(([name, value]) => [name, named(value)])), ...cards };
}
