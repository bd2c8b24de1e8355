import table from '../src/modules/purchases/sandbox/scenarios.json';
import { CALLINGS } from '../src/modules/purchases/sandbox/scenarios';
import { Buyer, type End } from './support/buyer';
import { Duka } from './support/duka';

const PHONE = '+2348031234567';

let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());

const end = (status: End['status'], more: Partial<End> = {}): End => ({
  status,
  failure_code: null,
  error_code: null,
  attempts: 1,
  needs_review: false,
  ...more,
});

/** What `then` leads to. */
const ENDS: Record<string, End> = {
  delivered: end('successful'),
  failed: end('failed', { failure_code: 'declined' }),
  // The first requery finds that it was taken back: to the account it was never delivered.
  reversed: end('failed', { failure_code: 'reversed_by_operator' }),
  never: end('processing', { needs_review: true }),
};

/** What an outcome leads to by itself. */
const ALONE: Record<string, End> = {
  delivered: end('successful'),
  failed: end('failed', { failure_code: 'declined' }),
  timeout: end('successful'),
  error: end('failed', { failure_code: 'declined' }),
  garbage: end('successful'),
  processing: end('processing'),
  refused_once: end('successful', { attempts: 2 }),
};

/** However the operator tells, or does not: what it answers when it is asked counts. */
const TOLD = CALLINGS.map(
  (callback) => [`outcome=processing; then=delivered; delay=20s; callback=${callback}`, end('successful')] as const,
);

const WALK = table.header.outcomes
  .flatMap(({ outcome, then }) => [
    [`outcome=${outcome}`, ALONE[outcome]!] as const,
    ...then.map(
      (word) => [`outcome=${outcome}; then=${word}`, outcome === 'delivered' ? end('reversed') : ENDS[word]!] as const,
    ),
  ])
  .concat(TOLD);

it('is served with its grammar', async () => {
  const { header } = (await (await duka.account()).api.get('/v4/sandbox/scenarios')).body;
  expect(header.name).toBe('X-Sandbox-Scenario');
  expect(header.outcomes.map(({ outcome, then_values: then }: any) => [outcome, then])).toEqual(
    table.header.outcomes.map(({ outcome, then }) => [outcome, then]),
  );
  expect(header.fields.map(({ name }: { name: string }) => name)).toEqual([
    'outcome',
    'then',
    'delay',
    'code',
    'callback',
  ]);
  for (const part of header.example.split('; ')) {
    const [name, value] = part.split('=');
    expect(value).toMatch(new RegExp(header.fields.find((field: { name: string }) => field.name === name).pattern));
  }
});

it.each(WALK)('%s', async (scenario, final) => {
  const buyer = await Buyer.of(duka);
  const { status, body } = await buyer.airtime(PHONE, scenario);
  expect(status).toBe(body.completed_at === null ? 202 : 201);
  await buyer.reach(body.id, final);
  await buyer.expectEnd(body.id, final);
});

it('names the reason of a refusal and when it comes', async () => {
  const buyer = await Buyer.of(duka);
  const { body } = await buyer.airtime(PHONE, 'outcome=timeout; then=failed; code=recipient_barred; delay=1m');
  await buyer.advance(30);
  expect((await buyer.transaction(body.id)).status).toBe('processing');
  await buyer.reach(body.id, ENDS.failed!);
  await buyer.expectEnd(body.id, end('failed', { failure_code: 'recipient_barred' }));
  expect((await buyer.transaction(body.id)).failure).toEqual({
    code: 'recipient_barred',
    stage: 'provider',
    recovery: 'recipient_must_act',
    message: 'The operator has barred this number.',
  });
});

it('finds a delivery until it is taken back', async () => {
  const buyer = await Buyer.of(duka);
  const { body } = await buyer.airtime(PHONE, 'outcome=timeout; then=reversed; delay=10m');
  await buyer.reach(body.id, end('successful'));
  await buyer.expectEnd(body.id, end('successful'));
  await buyer.reach(body.id, end('reversed'));
  await buyer.expectEnd(body.id, end('reversed'));
});

it('lets every provider refuse with the code that says so', async () => {
  const buyer = await Buyer.of(duka);
  const { body } = await buyer.airtime(PHONE, 'outcome=failed; code=operator_unavailable');
  await buyer.expectEnd(body.id, end('failed', { failure_code: 'operator_unavailable', attempts: 2 }));
});

it('overrides the number', async () => {
  const buyer = await Buyer.of(duka);
  const { body } = await buyer.airtime('+2348000001102', 'outcome=delivered');
  await buyer.expectEnd(body.id, end('successful'));
});

it.each([
  ['outcome=lost', 'outcome must be one of delivered, failed, timeout, error, garbage, processing, refused_once'],
  ['then=delivered', 'outcome must be one of'],
  ['outcome=failed; then=delivered', 'after outcome=failed, then may be nothing'],
  ['outcome=timeout; then=lost', 'after outcome=timeout, then may be delivered, failed, reversed, never'],
  ['outcome=delivered; delay=soon', 'delay must be a time'],
  ['outcome=failed; code=Not a code', 'each part is name=value'],
])('"%s" is refused, and nothing is recorded', async (scenario, says) => {
  const buyer = await Buyer.of(duka);
  const { status, body } = await buyer.airtime(PHONE, scenario);
  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(body.detail).toContain(says);
  await buyer.expectNothing();
});
