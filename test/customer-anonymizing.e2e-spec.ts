import { RequestLog } from '../src/core/request-log/request-log';
import { decodeId } from '../src/core/http/ids';
import { SecretBox } from '../src/core/secrets/secret-box';
import { CardOwner, cardholder } from './support/cardholder';
import { CommandLine } from './support/command-line';
import { Duka } from './support/duka';
import { Receiver } from './support/receiver';
import { until } from './support/recurring-probe';

const PERSON = {
  ...cardholder('Quibblethorpe'),
  first_name: 'Zebedee',
  email: 'zeb@quibble.example',
  phone: '+2348099911223',
  date_of_birth: '1971-03-09',
  metadata: { crm: 'zebedee-7' },
  address: { line1: '9 Wobbleton Close', city: 'Ibadan', state: 'Oyo', postal_code: 'QXW 281', country: 'NG' },
  identity: { type: 'passport', number: 'ZQ77QZWX' },
};
const EARLIER = 'zebedee.before@quibble.example';
/** What tells who somebody is, in lower case; nothing that a time or an id could say too. */
const TELLING = ['zebedee', 'quibble', '8099911223', '1971-03-09', 'zq77qzwx', 'qzwx', 'wobbleton', 'qxw 281'];

let duka: Duka;
let line: CommandLine;
let owner: CardOwner;
let receiver: Receiver;
let operator: string[];
let id: string;
let card: string;

beforeAll(async () => {
  duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  line = CommandLine.on(duka.env.DATABASE_URL!);
  operator = await line.person('ada@example.com', true);
  owner = await CardOwner.of(duka);
  receiver = await Receiver.of(duka, { id: owner.accountId, api: owner.api, key: '' });
  // A receiver that says back what it was told.
  receiver.reply = ({ text }) => ({ status: 200, body: text });
});
afterAll(async () => {
  await receiver.close();
  await duka.stop();
});

/** Tables with a row that says one of the words, in any column. */
async function tablesSaying(words: readonly string[]): Promise<string[]> {
  const tables: { name: string }[] = await line.query(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  );
  const said: string[] = [];
  for (const { name } of tables) {
    const [row] = await line.query(`SELECT count(*)::int AS rows FROM ${name} t WHERE lower(t::text) LIKE ANY ($1)`, [
      words.map((word) => `%${word}%`),
    ]);
    if (row.rows > 0) said.push(name.replace(/^public\.|_p?\d{4}_?\d{2}$/g, ''));
  }
  return [...new Set(said)].sort();
}

const anonymize = (...options: string[]) => line.duka('customer:anonymize', '--customer', id, ...options);
const customer = async () => (await owner.api.get(`/v4/customers/${id}`)).body;
const audited = async () => (await line.audited()).filter(({ action }) => action === 'customer.anonymized');
const requestsOfPerson = async () => {
  await duka.get<RequestLog>(RequestLog).flush();
  return line.query(
    `SELECT route, request_body AS body FROM request_log WHERE lower(request_body) LIKE '%quibble%' ORDER BY id`,
  );
};

/** Of requests about cardholders that failed. */
const answersKept = async (): Promise<number> =>
  (
    await line.query(
      `SELECT 1 FROM request_exchanges x JOIN request_log r USING (id) WHERE r.path LIKE '/v4/customers%'`,
    )
  ).length;

it('somebody holds a card, and is named in many places', async () => {
  id = (await owner.api.post('/v4/customers', { ...PERSON, email: EARLIER })).body.id;
  expect((await owner.api.patch(`/v4/customers/${id}`, { email: PERSON.email })).status).toBe(200);
  expect((await owner.api.post('/v4/customers', { ...PERSON, nickname: 'Zeb' })).status).toBe(400);
  expect((await owner.api.post(`/v4/customers/${id}/verify`)).body.kyc_status).toBe('verified');
  const { status, body } = await owner.api.post('/v4/cards/issue', {
    customer_id: id,
    currency: 'USD',
    amount: 5_000,
    funding_wallet_id: owner.wallet,
    label: "Zebedee's",
  });
  expect([status, body.status, body.name_on_card]).toEqual([201, 'active', 'ZEBEDEE QUIBBLETHORPE']);
  card = body.id;
  await until(async () => receiver.received.some(({ body: event }) => event.type === 'card.issued'));
  await until(
    async () => (await line.query(`SELECT 1 FROM webhook_attempts WHERE response_body LIKE '%QUIBBLE%'`)).length > 0,
  );
  expect((await requestsOfPerson()).map(({ route }) => route)).toEqual([
    '/v4/customers',
    '/v4/customers/:id',
    '/v4/customers',
  ]);
  expect(await tablesSaying(TELLING)).toEqual(['cards', 'customers', 'events', 'request_log', 'webhook_attempts']);
});

it('is refused while a card works, to whoever is no operator, and without a reason', async () => {
  expect(await anonymize(...operator)).toMatchObject({
    status: 1,
    json: { error: { code: 'invalid_state_transition', detail: expect.stringContaining(`${card} is active`) } },
  });
  expect((await owner.act(card, 'terminate')).body.status).toBe('terminated');
  expect(await anonymize(...operator.slice(0, 2))).toMatchObject({
    status: 1,
    json: { error: { code: 'validation_failed', param: '/reason' } },
  });
  expect(await anonymize('--person', 'nobody@example.com', '--reason', 'x')).toMatchObject({
    status: 1,
    json: { error: { code: 'not_found', param: '/person' } },
  });
  expect(await customer()).toMatchObject({ first_name: 'Zebedee', anonymized_at: null });
});

it('says what it would empty, and empties it: nothing is left in any table', async () => {
  await until(
    async () =>
      (await line.query(`SELECT 1 FROM webhook_deliveries WHERE status <> 'delivered'`)).length === 0 &&
      receiver.received.some(({ body: event }) => event.type === 'card.terminated'),
  );
  await requestsOfPerson();
  const other = (await owner.api.post('/v4/customers', cardholder('Other'))).body;
  const books = await line.query('SELECT * FROM ledger_entries ORDER BY created_at, ledger_account_id, seq');
  const counts = {
    cards: 1,
    events: expect.any(Number),
    webhook_attempts: expect.any(Number),
    issuer_calls: expect.any(Number),
    requests: expect.any(Number),
  };
  // The request that named a field which there is not, and one that found nothing.
  expect((await owner.api.get(`/v4/customers/${id}x`)).status).toBe(404);
  await requestsOfPerson();
  expect(await answersKept()).toBe(2);
  const planned = await anonymize('--dry-run', ...operator);
  expect(planned).toMatchObject({ status: 0, json: { customer_id: id, dry_run: true, done_before: false, ...counts } });
  expect([(await customer()).anonymized_at, await audited()]).toEqual([null, []]);
  const done = await anonymize(...operator);
  expect(done).toMatchObject({ status: 0, json: { ...planned.json, dry_run: false, database: expect.any(String) } });
  expect(done.json.events).toBeGreaterThan(1);
  expect(await tablesSaying(TELLING)).toEqual([]);
  expect(await answersKept()).toBe(0);
  const [{ identity_number: sealed }] = await line.query('SELECT identity_number FROM customers WHERE id = $1', [
    decodeId('cus', id),
  ]);
  expect(new SecretBox(duka.env).open(sealed, decodeId('cus', id)!)).toBe('');
  expect(await line.query('SELECT * FROM ledger_entries ORDER BY created_at, ledger_account_id, seq')).toEqual(books);
  expect(await audited()).toMatchObject([
    {
      actor: 'operator ada@example.com',
      target: id,
      detail: { reason: 'bank statement 7', livemode: false, cards: 1 },
    },
  ]);
  expect((await owner.api.get(`/v4/customers/${other.id}`)).body).toEqual(other);
});

it('and the interface goes on: shown as such, not changed, without new cards', async () => {
  const shown = await customer();
  expect(shown).toMatchObject({
    first_name: 'anonymized',
    email: '',
    phone: '',
    identity: { number: '' },
    metadata: {},
    anonymized_at: expect.any(String),
    version: 5,
  });
  for (const answer of [
    await owner.api.patch(`/v4/customers/${id}`, { first_name: 'Zebedee' }),
    await owner.api.post('/v4/cards/issue', {
      customer_id: id,
      currency: 'USD',
      amount: 5_000,
      funding_wallet_id: owner.wallet,
    }),
    await owner.api.post('/v4/cards/issue', {
      customer_id: id,
      currency: 'USD',
      amount: 5_000,
      funding_wallet_id: owner.wallet,
      dry_run: true,
    }),
  ])
    expect([answer.status, answer.body.code]).toEqual([409, 'customer_anonymized']);
  expect((await owner.api.get('/v4/customers')).body.data.map((one: { id: string }) => one.id)).toContain(id);
  expect(await owner.get(card)).toMatchObject({
    status: 'terminated',
    name_on_card: 'anonymized',
    label: null,
    metadata: {},
  });
  const events = (await owner.api.all('/v4/events?limit=100')).filter(({ data }) => data.object.id === card);
  expect(events.length).toBeGreaterThan(1);
  for (const { data } of events)
    expect(data.object).toMatchObject({ anonymized: true, name_on_card: 'anonymized', customer_id: id });
});

it('is done once: again it changes nothing', async () => {
  await duka.get<RequestLog>(RequestLog).flush();
  // The refused requests above named them again.
  expect(await anonymize(...operator)).toMatchObject({
    status: 0,
    json: { done_before: false, requests: 3, cards: 0, events: 0 },
  });
  const before = [await customer(), await audited()];
  for (const options of [[], ['--dry-run']])
    expect(await anonymize(...options, ...operator)).toMatchObject({
      status: 0,
      json: { done_before: true, cards: 0, events: 0, requests: 0 },
    });
  expect([await customer(), await audited()]).toEqual(before);
  expect(await line.duka('secrets:rotate')).toMatchObject({ status: 0, json: { ok: true } });
});
