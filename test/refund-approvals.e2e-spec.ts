import type { QueryRunner } from 'typeorm';
import { UnitOfWork } from '../src/core/database/unit-of-work';
import { decodeId } from '../src/core/http/ids';
import { RefundApprovals1763000000097 } from '../src/migrations/0097-refund-approvals';
import { gatewayReferenceOf } from '../src/modules/payments/gateway-client';
import { RefundApprovals } from '../src/modules/payments/refund-approvals';
import { SandboxBank } from '../src/modules/payments/sandbox/sandbox.provider';
import type { Api } from './support/api';
import type { Answer } from './support/contract';
import { type Browser, newMember, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const PAID = 500_000;
const NET = 492_500;
const AMOUNT = 200_000;
const DAY = 86_400;

let duka: Duka;
let ada: Browser;
let bola: Browser;
let developer: Browser;
let finance: Browser;
let account: string;
let api: Api;
let wallet: string;
let payment: string;
let asked: jest.SpyInstance;

beforeAll(async () => {
  duka = await Duka.start();
  ada = await newOwner(duka);
  [bola, developer, finance] = [
    await newMember(duka, ada, 'admin'),
    await newMember(duka, ada, 'developer'),
    await newMember(duka, ada, 'finance'),
  ];
  for (const person of [ada, bola, developer, finance]) await person.stepUp();
  account = decodeId('acct', (await ada.get('/me')).body.account.id)!;
  api = duka.api(await duka.key({ accountId: account }));
  await duka.asOwner(
    `INSERT INTO refund_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 100000)`,
    [account],
  );
});
beforeEach(async () => {
  wallet = (await api.post('/v4/wallets', { currency: 'NGN' })).body.id;
  payment = (await api.post('/api/v1/payments', { amount: PAID, currency: 'NGN', wallet_id: wallet })).body.id;
  await api.post(`/v4/sandbox/payments/${payment}/complete`, { status: 'successful' });
  await api.post(`/v4/sandbox/wallets/${wallet}/credit`, { amount: PAID - NET });
  asked = jest.spyOn(duka.get<SandboxBank>(SandboxBank), 'refund');
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => duka.stop());

const order = (more: object = {}): object => ({ amount: AMOUNT, allow_duplicate: true, ...more });
const refund = (more?: object, key?: string): Promise<Answer> =>
  api.post(`/api/v1/payments/${payment}/refunds`, order(more), { key });
const byPerson = async (person: Browser, more?: object): Promise<any> =>
  (await person.post(`/test/api/v1/payments/${payment}/refunds`, order(more))).body;
const read = async (id: string): Promise<any> => (await api.get(`/api/v1/refunds/${id}`)).body;
const paid = async (): Promise<any> => (await api.get(`/api/v1/payments/${payment}`)).body;
const decide = (person: Browser, id: string, decision: string, reason?: string): Promise<Answer> =>
  person.post(`/approvals/${id}/decide`, { decision, reason });
const ended = (id: string) => until(async () => (await read(id)).completed_at !== null);
const eventsOf = async (id: string): Promise<string[]> =>
  (await api.all('/v4/events?limit=100'))
    .filter(({ data }) => data.object.id === id)
    .map(({ type }) => type as string)
    .reverse();

it('above the threshold it waits at once: its money is held, and the gateway was not asked', async () => {
  const { status, body } = await refund();
  expect([status, body]).toMatchObject([
    202,
    { status: 'pending', approval: { status: 'awaiting', expires_at: expect.any(String) }, gateway_reference: null },
  ]);
  expect(Date.parse(body.approval.expires_at) - Date.parse(body.created_at)).toBeCloseTo(DAY * 1_000, -4);
  expect((await api.get(`/v4/transactions/${body.transaction_id}`)).body).toMatchObject({
    type: 'payment_refund',
    status: 'pending',
    details: { refund_id: body.id, approval: body.approval },
  });
  expect(await api.balance(wallet)).toEqual({ available: PAID - AMOUNT, held: AMOUNT, ledger: PAID });
  expect(await paid()).toMatchObject({ amount_refunded: 0, refundable: PAID - AMOUNT });
  expect(await eventsOf(body.id)).toEqual(['refund.awaiting_approval']);
  expect(await eventsOf(body.transaction_id)).toEqual(['transaction.awaiting_approval']);
  expect(asked).not.toHaveBeenCalled();
});

it('up to it nobody is asked; a dry run says what would be; sent again it is the same one', async () => {
  expect(await refund({ amount: 100_000 })).toMatchObject({
    status: 201,
    body: { status: 'successful', approval: null },
  });
  expect(asked).toHaveBeenCalledTimes(1);
  expect((await refund({ amount: 100_001, dry_run: true })).body).toMatchObject({
    id: null,
    approval: { status: 'awaiting' },
  });
  expect((await ada.get('/approvals')).body.data).toHaveLength(1);
  const again = { reference: 'again' };
  const first = await refund(again, 'again-1');
  for (const key of ['again-1', undefined]) expect((await refund(again, key)).body).toEqual(first.body);
  expect(await paid()).toMatchObject({ refundable: PAID - 100_000 - AMOUNT });
});

it('is let go by nobody while its wallet is frozen, and may be declined', async () => {
  const [made, other] = [(await refund()).body, (await refund()).body];
  await api.post(`/v4/wallets/${wallet}/freeze`, { direction: 'debit' });
  expect(await decide(bola, made.transaction_id, 'approved')).toMatchObject({
    status: 409,
    body: { code: 'wallet_frozen' },
  });
  expect(await read(made.id)).toMatchObject({ status: 'pending', approval: { status: 'awaiting' } });
  expect(asked).not.toHaveBeenCalled();
  expect((await decide(bola, other.transaction_id, 'declined')).status).toBe(200);
  await api.post(`/v4/wallets/${wallet}/unfreeze`);
  expect((await decide(bola, made.transaction_id, 'approved')).status).toBe(200);
  await ended(made.id);
  expect(asked).toHaveBeenCalledTimes(1);
});

it('approved by somebody else, the gateway is asked once, whoever else decides at the same moment', async () => {
  const made = await byPerson(ada);
  const id = made.transaction_id;
  expect(await decide(ada, id, 'approved')).toMatchObject({ status: 403, body: { code: 'second_person_needed' } });
  for (const person of [developer, finance])
    expect(await decide(person, id, 'approved')).toMatchObject({ status: 403, body: { code: 'insufficient_role' } });
  expect(asked).not.toHaveBeenCalled();
  const answers = await Promise.all([1, 2, 3].map(() => decide(bola, id, 'approved', 'Agreed')));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
  await ended(made.id);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(await read(made.id)).toMatchObject({ status: 'successful', approval: { status: 'approved' } });
  expect(await eventsOf(made.id)).toEqual(['refund.awaiting_approval', 'refund.processing', 'refund.successful']);
  expect((await api.get(`/v4/transactions/${id}`)).body).toMatchObject({
    status: 'successful',
    provider: { attempts: 1 },
    details: { approval: { status: 'approved' } },
  });
  expect(await api.balance(wallet)).toEqual({ available: PAID - AMOUNT, held: 0, ledger: PAID - AMOUNT });
  expect(await paid()).toMatchObject({ amount_refunded: AMOUNT, refundable: PAID - AMOUNT });
  const { body: log } = await ada.get(`/audit-log?action=refund.approved&target=${id}`);
  expect(log.data).toMatchObject([{ target: id, actor: bola.email, detail: { reason: 'Agreed' } }]);
  const { data } = (await api.get(`/v4/transactions/${id}/timeline`)).body;
  expect(data).toContainEqual(expect.objectContaining({ kind: 'review.decision', data: { outcome: 'approved' } }));
});

it('of a key it may be approved by any owner or admin; one that the gateway refuses gives the money back', async () => {
  const { body: made } = await refund({ amount: 200_902 });
  expect((await decide(ada, made.transaction_id, 'approved')).status).toBe(200);
  await ended(made.id);
  expect(await read(made.id)).toMatchObject({ status: 'failed', approval: { status: 'approved' } });
  expect(await api.balance(wallet)).toEqual({ available: PAID, held: 0, ledger: PAID });
  expect(await paid()).toMatchObject({ amount_refunded: 0, refundable: PAID });
});

it('declined, also by whoever made it, it gives everything back once', async () => {
  const made = await byPerson(ada);
  const answers = await Promise.all([ada, bola].map((person) => decide(person, made.transaction_id, 'declined')));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  expect(await read(made.id)).toMatchObject({ status: 'cancelled', failure: null, approval: { status: 'declined' } });
  expect(await api.balance(wallet)).toEqual({ available: PAID, held: 0, ledger: PAID });
  expect(await paid()).toMatchObject({ amount_refunded: 0, refundable: PAID });
  expect(await eventsOf(made.id)).toEqual(['refund.awaiting_approval', 'refund.cancelled']);
  expect(await eventsOf(made.transaction_id)).toEqual(['transaction.awaiting_approval', 'transaction.cancelled']);
  for (const decision of ['approved', 'declined'])
    expect(await decide(bola, made.transaction_id, decision)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state_transition' },
    });
  expect(asked).not.toHaveBeenCalled();
  expect((await refund({ amount: PAID })).body).toMatchObject({ status: 'pending' });
});

it('what waits and what was made is never more than the payment', async () => {
  await refund({ amount: 100_000 });
  const answers = await Promise.all([1, 2, 3, 4].map((n) => refund({ amount: 150_000 + n })));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 202, 422, 422]);
  expect(answers.filter(({ status }) => status === 422).map(({ body }) => body.code)).toEqual([
    'refund_exceeds_payment',
    'refund_exceeds_payment',
  ]);
  expect((await api.balance(wallet)).available).toBe((await paid()).refundable);
});

it('undecided for a day it expires, and no decision comes too late', async () => {
  const { body: made } = await refund();
  await api.post('/v4/sandbox/clock/advance', { seconds: DAY });
  expect(await read(made.id)).toMatchObject({ status: 'cancelled', approval: { status: 'expired' } });
  expect(await api.balance(wallet)).toEqual({ available: PAID, held: 0, ledger: PAID });
  expect(await paid()).toMatchObject({ refundable: PAID });
  expect((await decide(bola, made.transaction_id, 'approved')).status).toBe(409);
  expect(asked).not.toHaveBeenCalled();
  const { body: later } = await refund();
  await api.post('/v4/sandbox/reset');
  expect(Date.parse((await read(later.id)).approval.expires_at) - Date.now()).toBeLessThanOrEqual(DAY * 1_000);
});

it.each([
  ['its account', (id: string) => api.post(`/v4/transactions/${id}/cancel`)],
  ['the clock', () => api.post('/v4/sandbox/clock/advance', { seconds: DAY })],
] as const)('is cancelled by %s, or approved in the same moment, and never both', async (_, cancel) => {
  for (let round = 0; round < 4; round++) {
    const { body: made } = await refund({ amount: 100_001 });
    const [, approved] = await Promise.all([
      cancel(made.transaction_id),
      decide(bola, made.transaction_id, 'approved'),
    ]);
    await ended(made.id);
    const isOut = approved.status === 200;
    expect([200, 409]).toContain(approved.status);
    expect((await read(made.id)).status).toBe(isOut ? 'successful' : 'cancelled');
    expect(asked).toHaveBeenCalledTimes(isOut ? 1 : 0);
    asked.mockClear();
  }
});

it('is cancelled by whoever may write payments, as long as it waits', async () => {
  const { body: made } = await refund();
  const other = duka.api(await duka.key({ accountId: account, scopes: ['purchases:write'] }));
  expect((await other.post(`/v4/transactions/${made.transaction_id}/cancel`)).status).toBe(403);
  expect(await api.twice('POST', `/v4/transactions/${made.transaction_id}/cancel`)).toMatchObject({
    status: 200,
    body: { status: 'cancelled', details: { approval: { status: 'cancelled' } } },
  });
  expect(await read(made.id)).toMatchObject({ status: 'cancelled', approval: { status: 'cancelled' } });
  expect((await api.post(`/v4/transactions/${made.transaction_id}/cancel`)).status).toBe(409);
  const { body: kept } = await refund();
  const path = `/v4/transactions/${kept.transaction_id}/cancel`;
  const cancel = async (by: Api) => (await by.post(path, undefined, { key: 'refund-cancel' })).status;
  expect([await cancel(api), await cancel(other), await cancel(api)]).toEqual([200, 403, 200]);
  const { body: small } = await refund({ amount: 1_000 });
  expect((await api.post(`/v4/transactions/${small.transaction_id}/cancel`)).status).toBe(409);
});

it('is told beside payouts with who asked, and is nobody else’s to see or decide', async () => {
  const made = await byPerson(ada);
  const shown = { transaction: { id: made.transaction_id }, made_by: { email: ada.email }, decided_by: null };
  const found = async (person: Browser) =>
    (await person.get('/approvals')).body.data.find((one: any) => one.transaction.id === made.transaction_id);
  expect(await found(ada)).toMatchObject({ ...shown, is_mine: true });
  expect(await found(finance)).toMatchObject({ ...shown, is_mine: false });
  const noticesOf = async (person: Browser) =>
    (await person.get('/notices')).body.data.filter(({ object }: any) => object === made.transaction_id);
  expect(await noticesOf(bola)).toMatchObject([{ kind: 'refund_awaits_approval', name: payment }]);
  expect([await noticesOf(ada), await noticesOf(finance)]).toEqual([[], []]);
  const stranger = await newOwner(duka);
  await stranger.stepUp();
  expect((await stranger.get(`/approvals/${made.transaction_id}`)).status).toBe(404);
  expect((await decide(stranger, made.transaction_id, 'approved')).status).toBe(404);
  expect((await decide(bola, made.id, 'approved')).status).toBe(404);
  expect((await decide(bola, made.transaction_id, 'declined', 'Goods are not back')).status).toBe(200);
  expect((await ada.get(`/approvals/${made.transaction_id}`)).body).toMatchObject({
    decided_by: { email: bola.email },
    reason: 'Goods are not back',
  });
  expect(await noticesOf(bola)).toEqual([]);
});

it('is not let go while its payment waits for a person', async () => {
  const { body: made } = await refund();
  await duka.asOwner(`UPDATE payments SET review = 'planted' WHERE account_id = $1 AND id = $2`, [
    account,
    decodeId('pay', payment),
  ]);
  expect(await decide(bola, made.transaction_id, 'approved')).toMatchObject({ status: 409 });
  expect((await read(made.id)).approval.status).toBe('awaiting');
  await duka.asOwner(`UPDATE payments SET review = NULL WHERE account_id = $1 AND id = $2`, [
    account,
    decodeId('pay', payment),
  ]);
  expect((await decide(bola, made.transaction_id, 'declined')).status).toBe(200);
});

it('is asked for by nobody where no limit is set, and no process of the service sets one', async () => {
  const other = await duka.account();
  const { id } = (await other.api.post('/api/v1/payments', { amount: PAID, currency: 'NGN' })).body;
  await other.api.post(`/v4/sandbox/payments/${id}/complete`, { status: 'successful' });
  expect((await other.api.post(`/api/v1/payments/${id}/refunds`, { amount: 400_000 })).body).toMatchObject({
    status: 'successful',
    approval: null,
  });
  const rules = duka.get<RefundApprovals>(RefundApprovals);
  const key = { accountId: account, livemode: false, currency: 'NGN' } as const;
  const set = duka.get<UnitOfWork>(UnitOfWork).run((tx) => rules.setRule(tx, key, null));
  await expect(set).rejects.toThrow(/permission denied/);
});

it('was not asked for while it waits: what the gateway gives back meanwhile is a reversal', async () => {
  const { body: made } = await refund();
  const key = { accountId: account, livemode: false, id: decodeId('pay', payment)! };
  const bank = duka.get<SandboxBank>(SandboxBank);
  jest
    .spyOn(bank, 'query')
    .mockResolvedValue({
      outcome: 'reversed',
      code: 'chargeback',
      message: 'Back.',
      gatewayReference: `sbx_${payment.slice(4)}`,
      amount: BigInt(PAID),
      currency: 'NGN',
      reversals: [{ gatewayReference: 'back-1', amount: BigInt(AMOUNT) }],
    });
  const { body, headers } = bank.callback('sandbox_card', gatewayReferenceOf(key), 'reversed');
  await fetch(`${duka.url}/callbacks/sandbox_card`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: new Uint8Array(body),
  });
  expect(await paid()).toMatchObject({ amount_refunded: AMOUNT, refundable: PAID - 2 * AMOUNT, needs_review: false });
  expect((await decide(bola, made.transaction_id, 'declined')).status).toBe(200);
  expect(await paid()).toMatchObject({ amount_refunded: AMOUNT, refundable: PAID - AMOUNT });
});

it('is not forgotten by the way back of its migration, and processes of before find their table', async () => {
  const migration = new RefundApprovals1763000000097();
  const kindOf = async (table: string) =>
    (await duka.asOwner('SELECT relkind FROM pg_class WHERE relname = $1', [table])).map(({ relkind }) => relkind);
  const db = { query: (statement: string) => duka.asOwner(statement) } as unknown as QueryRunner;
  expect([await kindOf('approvals'), await kindOf('payout_approvals')]).toEqual([['r'], ['v']]);
  const { body: made } = await refund();
  await expect(migration.down(db)).rejects.toThrow('refunds wait for a second person');
  expect((await decide(bola, made.transaction_id, 'declined')).status).toBe(200);
  const [rights] = await duka.asOwner(`
    SELECT has_table_privilege('duka_app', 'payout_approvals', 'SELECT, INSERT') AS adds,
           has_column_privilege('duka_app', 'payout_approvals', 'decision', 'UPDATE') AS decides`);
  expect(rights).toEqual({ adds: true, decides: true });
});
