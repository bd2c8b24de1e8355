import { decodeId } from '../src/core/http/ids';
import { QueuedPurchases } from '../src/modules/purchases/queued-purchases';
import { Routes } from '../src/providers/routes';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { type Browser, newMember, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const FEE = 5_000;
const FUNDS = 1_000_000;
const BANK = { code: '058', account_number: '0123456789' };
const DAY = 86_400;

let duka: Duka;
let ada: Browser;
let bola: Browser;
let developer: Browser;
let api: Api;
let wallet: string;

beforeAll(async () => {
  duka = await Duka.start();
  ada = await newOwner(duka);
  [bola, developer] = [await newMember(duka, ada, 'admin'), await newMember(duka, ada, 'developer')];
  for (const person of [ada, bola, developer]) await person.stepUp();
  const account = (await ada.get('/me')).body.account.id as string;
  api = duka.api(await duka.key({ accountId: account }));
  await duka.asOwner(
    `INSERT INTO payout_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 100000)`,
    [decodeId('acct', account)],
  );
});
beforeEach(async () => {
  wallet = await api.wallet(FUNDS);
});
afterAll(() => duka.stop());

const order = (more: object = {}): object => ({
  wallet_id: wallet,
  amount: 200_000,
  bank: BANK,
  allow_duplicate: true,
  ...more,
});
const pay = (more?: object): Promise<Answer> => api.post('/v4/payouts', order(more));
const payout = async (id: string): Promise<any> => (await api.get(`/v4/payouts/${id}`)).body;
const decide = (person: Browser, id: string, decision: string): Promise<Answer> =>
  person.post(`/approvals/${id}/decide`, { decision });
const eventsOf = async (id: string): Promise<string[]> =>
  (await api.all('/v4/events?limit=100'))
    .filter(({ data }) => data.object.id === id)
    .map(({ type }) => type as string)
    .reverse();

it('above the threshold it waits at once, with its money held', async () => {
  const { status, body } = await pay();
  expect([status, body]).toMatchObject([
    202,
    {
      status: 'pending',
      provider: null,
      details: { approval: { status: 'awaiting', expires_at: expect.any(String) } },
    },
  ]);
  expect(Date.parse(body.details.approval.expires_at) - Date.parse(body.created_at)).toBeCloseTo(DAY * 1_000, -4);
  expect(await api.balance(wallet)).toEqual({ available: FUNDS - 200_000 - FEE, held: 200_000 + FEE, ledger: FUNDS });
  expect((await api.get(`/v4/wallets/${wallet}/holds`)).body.data).toMatchObject([{ transaction_id: body.id }]);
  expect(await eventsOf(body.id)).toEqual(['transaction.awaiting_approval']);
  expect((await api.get('/v4/payouts?status=pending')).body.data[0].id).toBe(body.id);
  expect((await api.post(`/v4/transactions/${body.id}/requery`)).status).toBe(409);
});

it('up to it nobody is asked', async () => {
  expect((await pay({ amount: 100_000 })).body).toMatchObject({ status: 'successful', details: {} });
  expect((await pay({ amount: 100_001, dry_run: true })).body.details.approval.status).toBe('awaiting');
});

it('approved by somebody else, it goes out once', async () => {
  const { body: made } = await ada.post('/test/v4/payouts', order());
  expect(await decide(ada, made.id, 'approved')).toMatchObject({ status: 403, body: { code: 'second_person_needed' } });
  expect(await decide(developer, made.id, 'approved')).toMatchObject({
    status: 403,
    body: { code: 'insufficient_role' },
  });
  const answers = await Promise.all([1, 2, 3].map(() => decide(bola, made.id, 'approved')));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
  await until(async () => (await payout(made.id)).status === 'successful', 30);
  expect(await payout(made.id)).toMatchObject({
    status: 'successful',
    provider: { attempts: 1 },
    details: { approval: { status: 'approved' }, session_id: expect.any(String) },
  });
  expect(await eventsOf(made.id)).toEqual([
    'transaction.awaiting_approval',
    'transaction.processing',
    'transaction.successful',
  ]);
  expect(await api.balance(wallet)).toEqual({
    available: FUNDS - 200_000 - FEE,
    held: 0,
    ledger: FUNDS - 200_000 - FEE,
  });
  const { body: log } = await ada.get('/audit-log');
  expect(log.data[0]).toMatchObject({ action: 'payout.approved', target: made.id, actor: bola.email });
});

it('of a key may be approved by any owner or admin', async () => {
  const { body: made } = await pay();
  expect((await decide(ada, made.id, 'approved')).body.status).toBe('processing');
  await until(async () => (await payout(made.id)).status === 'successful', 30);
});

it('declined, also by whoever made it, it gives the money back', async () => {
  const { body: made } = await ada.post('/test/v4/payouts', order());
  expect((await decide(ada, made.id, 'declined')).body).toMatchObject({
    status: 'cancelled',
    details: { approval: { status: 'declined' } },
  });
  expect(await api.balance(wallet)).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
  expect(await eventsOf(made.id)).toEqual(['transaction.awaiting_approval', 'transaction.cancelled']);
  for (const decision of ['approved', 'declined'])
    expect(await decide(bola, made.id, decision)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state_transition' },
    });
});

it('undecided for a day it expires, and no decision comes too late', async () => {
  const { body: made } = await pay();
  await api.post('/v4/sandbox/clock/advance', { seconds: DAY });
  expect(await payout(made.id)).toMatchObject({ status: 'cancelled', details: { approval: { status: 'expired' } } });
  expect(await api.balance(wallet)).toEqual({ available: FUNDS, held: 0, ledger: FUNDS });
  expect((await decide(bola, made.id, 'approved')).status).toBe(409);
  await api.post('/v4/sandbox/reset');
});

it('is cancelled by its account as long as it waits, against a decision of the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const { body: made } = await pay({ amount: 100_001 });
    const [cancelled, approved] = await Promise.all([
      api.post(`/v4/transactions/${made.id}/cancel`),
      decide(bola, made.id, 'approved'),
    ]);
    expect([cancelled.status, approved.status].sort((a, b) => a - b)).toEqual([200, 409]);
    await until(async () => (await payout(made.id)).completed_at !== null, 30);
    expect((await payout(made.id)).status).toBe(cancelled.status === 200 ? 'cancelled' : 'successful');
  }
});

it.each([
  [
    'its owner froze the wallet',
    `freeze_direction = 'debit', status = 'frozen'`,
    `freeze_direction = NULL, status = 'active'`,
  ],
  ['an operator froze the account', `account_freeze = 'both'`, 'account_freeze = NULL'],
])('is let go by nobody while %s', async (_, freeze, free) => {
  const set = (what: string) =>
    duka.asOwner(`UPDATE ledger_accounts SET ${what} WHERE id = $1`, [decodeId('wal', wallet)]);
  const [{ body: made }, { body: other }] = [await pay(), await pay()];
  await set(freeze);
  expect(await decide(bola, made.id, 'approved')).toMatchObject({
    status: 409,
    body: { code: 'wallet_frozen', detail: `${wallet} is frozen: it does not pay.` },
  });
  expect(await payout(made.id)).toMatchObject({ status: 'pending', details: { approval: { status: 'awaiting' } } });
  expect((await decide(bola, other.id, 'declined')).body.status).toBe('cancelled');
  await set(free);
  expect((await decide(bola, made.id, 'approved')).body.status).toBe('processing');
  await until(async () => (await payout(made.id)).status === 'successful', 30);
});

it('waits on while nobody may be asked to pay it out', async () => {
  const { body: made } = await pay();
  const routes = duka.get<Routes>(Routes);
  const livemode = false;
  const set = async (enabled: boolean) => {
    for (const provider of ['sandbox', 'sandbox_backup'])
      await routes.enable({ product: 'payout', network: '*', livemode, provider }, enabled);
    const accountId = decodeId('acct', (await ada.get('/me')).body.account.id)!;
    const wanted = { product: 'payout', network: BANK.code, livemode, accountId } as const;
    await until(async () => (await routes.isAvailable(wanted)) === enabled, 30);
  };
  await set(false);
  expect(await decide(bola, made.id, 'approved')).toMatchObject({
    status: 503,
    body: { code: 'provider_unavailable' },
  });
  expect(await payout(made.id)).toMatchObject({ status: 'pending', details: { approval: { status: 'awaiting' } } });
  await set(true);
  expect((await decide(bola, made.id, 'approved')).body.status).toBe('processing');
  await until(async () => (await payout(made.id)).status === 'successful', 30);
});

it('is let go within the limits of that moment only', async () => {
  const pass = (seconds: number) => api.post('/v4/sandbox/clock/advance', { seconds });
  const account = decodeId('acct', (await ada.get('/me')).body.account.id);
  const set = (rule: string) => duka.asOwner(`UPDATE payout_rules SET ${rule} WHERE account_id = $1`, [account]);
  // What was paid out before is out of sight, by a clock that was there and back, too.
  await pass(3 * DAY);
  const { body: made } = await pay();
  await pass(DAY - 3_600);
  expect((await pay({ amount: 100_000 })).status).toBe(201);
  await set('daily_limit = 250000');
  expect(await decide(bola, made.id, 'approved')).toMatchObject({
    status: 402,
    body: { code: 'limit_exceeded', max: 150_000 },
  });
  await set('daily_limit = NULL, single_limit = 199999');
  expect(await decide(bola, made.id, 'approved')).toMatchObject({
    status: 402,
    body: { code: 'limit_exceeded', max: 199_999 },
  });
  expect(await payout(made.id)).toMatchObject({ status: 'pending', details: { approval: { status: 'awaiting' } } });
  await set('daily_limit = 300000, single_limit = NULL');
  expect((await decide(bola, made.id, 'approved')).body.status).toBe('processing');
  await until(async () => (await payout(made.id)).status === 'successful', 30);
  expect((await pay({ amount: 1 })).body.code).toBe('limit_exceeded');
  await set('daily_limit = NULL');
  await api.post('/v4/sandbox/reset');
});

it('without the money it is refused, and waits for none', async () => {
  expect((await pay({ amount: FUNDS })).body.code).toBe('insufficient_funds');
  const queued = { amount: FUNDS, on_insufficient_funds: 'queue', deliver_by: '2099-01-01T00:00:00Z' };
  expect((await pay(queued)).body.code).toBe('insufficient_funds');
  const { body: made } = await pay();
  await duka.get<QueuedPurchases>(QueuedPurchases).payAll();
  expect((await payout(made.id)).status).toBe('pending');
});

it('waits no longer than its deliver_by', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const { body: made } = await pay({ deliver_by: soon });
  expect(made.details.approval.expires_at).toBe(soon);
});

it('is nobody else’s to decide', async () => {
  const stranger = await newOwner(duka);
  await stranger.stepUp();
  const { body: made } = await pay();
  expect(await decide(stranger, made.id, 'approved')).toMatchObject({ status: 404 });
  expect(await bola.post(`/approvals/${made.id}/decide?livemode=true`, { decision: 'approved' })).toMatchObject({
    status: 403,
  });
  expect(await decide(bola, made.id, 'later')).toMatchObject({ status: 400 });
});

it('tells who waits for whom, who decided and why', async () => {
  const { body: made } = await ada.post('/test/v4/payouts', order());
  const waiting = async (person: Browser) => (await person.get('/approvals')).body.data;
  const of = async (person: Browser) => (await person.get(`/approvals/${made.id}`)).body;
  const waits = {
    transaction: { id: made.id, details: { approval: { status: 'awaiting' } } },
    made_by: { name: 'Ada', email: ada.email },
    decided_by: null,
    reason: null,
  };
  expect(await waiting(ada)).toContainEqual(expect.objectContaining({ is_mine: true }));
  expect((await waiting(developer)).find(({ transaction }: any) => transaction.id === made.id)).toMatchObject(waits);
  expect(await of(bola)).toMatchObject({ ...waits, is_mine: false });
  const why = { decision: 'declined', reason: 'Not on the list of May' };
  expect((await bola.post(`/approvals/${made.id}/decide`, why)).status).toBe(200);
  expect(await of(ada)).toMatchObject({
    transaction: { status: 'cancelled' },
    decided_by: { email: bola.email },
    decided_at: expect.any(String),
    reason: 'Not on the list of May',
  });
  expect((await waiting(ada)).map(({ transaction }: any) => transaction.id)).not.toContain(made.id);
  expect((await ada.get('/audit-log')).body.data[0]).toMatchObject({
    action: 'payout.declined',
    target: made.id,
    detail: { reason: 'Not on the list of May' },
  });
});

it('of one that needed nobody there is no approval, nor of somebody else’s', async () => {
  const { body: small } = await pay({ amount: 1_000 });
  const { body: large } = await pay();
  const stranger = await newOwner(duka);
  expect((await ada.get(`/approvals/${small.id}`)).status).toBe(404);
  expect((await stranger.get(`/approvals/${large.id}`)).status).toBe(404);
  expect((await stranger.get('/approvals')).body.data).toEqual([]);
});
