import { CHECK_DELAYS_MS } from '../src/providers/client';
import { SandboxVirtualAccounts } from '../src/modules/virtual-accounts/sandbox/sandbox.provider';
import { depositDecisionsAt, DepositReviewService } from '../src/modules/virtual-accounts/deposit-review.service';
import { DepositRun } from '../src/modules/virtual-accounts/deposit-run';
import { Duka } from './support/duka';
import { Funder } from './support/funder';
import { until } from './support/recurring-probe';
import { reviewer } from './support/reviewers';

let duka: Duka;
let twin: Duka;
let funder: Funder;
let id: string;

beforeAll(async () => {
  duka = await Duka.start();
  twin = await duka.twin();
});
afterAll(async () => {
  await twin.stop();
  await duka.stop();
});
beforeEach(async () => {
  funder = await Funder.of(duka);
  ({ id } = await funder.opened());
});
afterEach(() => jest.restoreAllMocks());

const CALLS = 40;

/** What the bank has, whatever it is asked. */
const having = (more: object = {}) => ({
  outcome: 'received',
  ...funder.arrival(id),
  payer: { name: 'ADA OBI', bank: 'GTB', accountNumber: '0123456789' },
  sessionId: '000013',
  arrivedAt: new Date(),
  ...more,
});
const states = async () => (await funder.deposits()).map(({ status, needs_review }) => [status, needs_review] as const);

describe('callbacks', () => {
  it('that repeat each other, at two processes at once, credit once', async () => {
    funder.answering(() => having());
    const asked = jest
      .spyOn(twin.get<any>(funder.bank.constructor as any), 'confirm')
      .mockResolvedValue(having() as never);
    const request = funder.bank.callback(funder.arrival(id));
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, i) => funder.call(request, 'sandbox', i % 2 === 0 ? duka.url : twin.url)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(CALLS).fill(200));
    expect(asked).toHaveBeenCalled();
    expect([await states(), await funder.balance()]).toEqual([[['credited', false]], 50_000]);
    const [deposit] = await funder.deposits();
    expect(await funder.events(deposit.id)).toEqual(['deposit.received']);
  });

  it('that are forged change nothing, and nobody is asked, although the money is there', async () => {
    const asked = funder.answering(() => having());
    const right = funder.bank.callback(funder.arrival(id));
    for (const forged of [
      { ...right, headers: { 'content-type': 'application/json' } },
      { ...right, headers: { ...right.headers, 'x-sandbox-signature': '0'.repeat(64) } },
      { ...right, headers: { ...right.headers, 'x-sandbox-signature': 'zz' } },
      { ...right, body: Buffer.concat([right.body, Buffer.from(' ')]) },
    ])
      expect((await funder.call(forged)).status).toBe(401);
    expect((await funder.call(right, 'nobody')).status).toBe(404);
    expect(asked).not.toHaveBeenCalled();
    expect(await states()).toEqual([]);
  });

  it('however many while the bank is not done put off no question, and call nobody', async () => {
    funder.answering(() => ({ outcome: 'awaiting' }));
    const request = funder.bank.callback(funder.arrival(id));
    for (let call = 0; call < CALLS; call++) expect((await funder.call(request)).status).toBe(200);
    expect(await states()).toEqual([['received', false]]);
    funder.answering(() => having());
    await funder.advance((CHECK_DELAYS_MS[0]! / 1_000) * 1.2);
    expect([await states(), await funder.balance()]).toEqual([[['credited', false]], 50_000]);
  });

  it('alone credit nothing: a bank that does not know the transfer is asked again, until a person must decide', async () => {
    await funder.tell(funder.arrival(id));
    expect([await states(), await funder.balance()]).toEqual([[['received', false]], 0]);
    for (const delay of CHECK_DELAYS_MS) await funder.advance((delay / 1_000) * 1.2);
    expect([await states(), await funder.balance()]).toEqual([[['received', true]], 0]);
    // What the bank says later still counts.
    funder.answering(() => having());
    await funder.advance(2 * 86_400);
    expect([await states(), await funder.balance()]).toEqual([[['credited', false]], 50_000]);
  });

  it('about no account of ours are acknowledged, and kept by nobody', async () => {
    const strange = { ...funder.arrival(id), account: 'vac_1_2' };
    expect((await funder.tell(strange)).status).toBe(200);
    const foreign = await (await Funder.of(duka)).opened();
    expect((await funder.tell({ ...funder.arrival(id), account: foreign.id })).status).toBe(200);
    expect(await states()).toEqual([]);
  });

  it('are not lost when the process ends before the bank was asked', async () => {
    const { promise: silence, reject: end } = Promise.withResolvers<never>();
    const asked = funder.answering(() => silence);
    const called = funder.tell(funder.arrival(id));
    await until(() => asked.mock.calls.length > 0);
    asked.mockRestore();
    expect(await states()).toEqual([['received', false]]);
    funder.answering(() => having());
    await funder.advance(1);
    expect([await states(), await funder.balance()]).toEqual([[['credited', false]], 50_000]);
    end(new Error('the process ended'));
    expect((await called).status).toBe(200);
    expect(await funder.balance()).toBe(50_000);
  });
});

describe('a bank that answers', () => {
  it.each<[string, object]>([
    ['another amount than was told', { amount: 49_999n }],
    ['another currency', { currency: 'USD' }],
    ['another account', { account: 'vac_other' }],
  ])('%s leaves it to a person, once', async (_, more) => {
    funder.answering(() => having(more));
    for (let i = 0; i < 3; i++) await funder.tell(funder.arrival(id));
    const [deposit] = await funder.deposits();
    expect([await states(), await funder.balance()]).toEqual([[['received', true]], 0]);
    expect(await funder.events(deposit.id)).toEqual(['deposit.needs_review']);
  });

  it.each<[string, unknown]>([
    ['an amount that is no bigint', { amount: 50_000 }],
    ['nothing', { amount: 0n }],
    ['no time', { arrivedAt: 'today' }],
    ['of another transfer', { providerReference: 'ref-2' }],
    ['a fourth word', { outcome: 'credited' }],
  ])('%s is asked again', async (_, more) => {
    funder.answering(() => having(more as object));
    await funder.tell(funder.arrival(id));
    expect([await states(), await funder.balance()]).toEqual([[['received', false]], 0]);
    funder.answering(() => having());
    await funder.advance(60);
    expect(await funder.balance()).toBe(50_000);
  });

  it.each<[string, object]>([
    ['another amount', { amount: 50_001n }],
    ['that it went back', { outcome: 'returned' }],
    ['that it knows nothing', { outcome: 'not_known' }],
  ])('%s after the credit leaves the credit, and calls a person', async (_, more) => {
    funder.answering(() => having());
    await funder.tell(funder.arrival(id));
    funder.answering(() => having(more));
    await funder.tell(funder.arrival(id));
    expect([await states(), await funder.balance()]).toEqual([[['credited', true]], 50_000]);
    // What was confirmed is not overwritten.
    expect((await funder.deposits())[0]).toMatchObject({ amount: 50_000 });
  });

  it('that it gave it back before anybody asked, credits nothing', async () => {
    funder.answering(() => having({ outcome: 'returned' }));
    await funder.tell(funder.arrival(id));
    expect([await states(), await funder.balance()]).toEqual([[['returned', false]], 0]);
  });
});

it('two transfers at once to a one-time account: one is credited, one is held', async () => {
  const { id: once } = await funder.once(50_000);
  const arrivals = ['a', 'b'].map((providerReference) => funder.arrival(once, { providerReference }));
  const answer = ({ providerReference }: { providerReference: string }) =>
    having({ providerReference, account: arrivals[0]!.account });
  funder.answering(answer);
  jest
    .spyOn(twin.get<any>(funder.bank.constructor as any), 'confirm')
    .mockImplementation(async (q: any) => answer(q) as never);
  await Promise.all(
    arrivals.map((arrival, i) => funder.call(funder.bank.callback(arrival), 'sandbox', [duka.url, twin.url][i])),
  );
  expect((await states()).sort((a, b) => a[0].localeCompare(b[0]))).toEqual([
    ['credited', false],
    ['received', true],
  ]);
  expect(await funder.balance()).toBe(50_000);
});

describe('the daily sweep', () => {
  const sweep = () => duka.get<DepositRun>(DepositRun).sweep();
  const listing = (pages: (cursor: string | null) => object) =>
    jest
      .spyOn(duka.get<SandboxVirtualAccounts>(SandboxVirtualAccounts), 'list')
      .mockImplementation(async ({ cursor }) => pages(cursor) as never);

  it('finds what no callback told of, on every page, and nothing twice', async () => {
    funder.answering(({ providerReference }) => having({ providerReference }));
    const arrivals = ['x', 'y', 'z'].map((providerReference) => funder.arrival(id, { providerReference }));
    await funder.tell(arrivals[0]!);
    const list = listing((cursor) =>
      cursor === null
        ? { outcome: 'listed', arrivals: arrivals.slice(0, 2), next: '2' }
        : { outcome: 'listed', arrivals: arrivals.slice(2), next: null },
    );
    for (let i = 0; i < 2; i++) await sweep();
    expect([(await states()).length, await funder.balance()]).toEqual([3, 150_000]);
    // The second begins where the first ended, and looks a week back.
    const [first, , second] = list.mock.calls.map(([{ since }]) => since.getTime());
    expect(second).toBeGreaterThanOrEqual(first!);
  });

  it('of a bank that does not answer, or not readably, begins where it began', async () => {
    const swept = async () => (await duka.asOwner(`SELECT swept_until FROM deposit_sweeps`))[0]?.swept_until;
    listing(() => ({ outcome: 'listed', arrivals: [], next: null }));
    await sweep();
    const before = await swept();
    listing(() => ({ outcome: 'listed', arrivals: [{ ...funder.arrival(id), amount: 'much' }], next: null }));
    await sweep();
    expect(await swept()).toEqual(before);
    listing(() => ({ outcome: 'unknown', code: 'timeout' }));
    await sweep();
    expect(await swept()).toEqual(before);
  });
});

const resolve = (deposit: string, outcome: any, person = 'ada', walletId?: string) =>
  duka
    .get<DepositReviewService>(DepositReviewService)
    .resolve(funder.keyOf(deposit), { outcome, walletId, person: reviewer(person), note: 'statement of today' });

describe('a bank that does not give a transfer back', () => {
  let deposit: string;
  let asked: jest.SpyInstance;

  const askedToTheEnd = async () => {
    for (const delay of CHECK_DELAYS_MS) await funder.advance((delay / 1_000) * 1.2);
  };

  beforeEach(async () => {
    asked = jest
      .spyOn(duka.get<SandboxVirtualAccounts>(SandboxVirtualAccounts), 'giveBack')
      .mockResolvedValue({ outcome: 'unknown', code: 'refund_refused' } as never);
    const { id: once } = await funder.once(50_000, { on_underpaid: 'refund' });
    deposit = (await funder.pay(once, 700)).id;
    await askedToTheEnd();
  });

  it('is asked by the schedule, and then a person is', async () => {
    expect(await states()).toEqual([['to_be_returned', true]]);
    const [one] = (await duka.get<DepositReviewService>(DepositReviewService).list(100)).filter(
      ({ id: each }) => each === funder.keyOf(deposit).id,
    );
    expect(one).toMatchObject({ reason: 'the bank does not give it back', status: 'to_be_returned', amount: '700' });
    expect(depositDecisionsAt('to_be_returned')).toEqual(['accept_received', 'returned', 'unchanged']);
    expect(await funder.events(deposit)).toEqual(['deposit.needs_review']);
    // Who decides may have it credited: nobody asks for it meanwhile.
    expect(asked).toHaveBeenCalledTimes(CHECK_DELAYS_MS.length - 1);
    await funder.advance(2 * 86_400);
    expect(asked).toHaveBeenCalledTimes(CHECK_DELAYS_MS.length - 1);
    for (const wrong of ['refund_payer', 'failed'])
      await expect(resolve(deposit, wrong)).rejects.toThrow(`cannot be ${wrong}`);
  });

  it('gave it back after all: that still counts', async () => {
    await funder.bank.giveBack({ ...funder.arrival(id), ...(await questionOf()) });
    await funder.advance(2 * 86_400);
    expect([await states(), await funder.balance()]).toEqual([[['returned', false]], 0]);
    expect(await funder.events(deposit)).toEqual(['deposit.needs_review', 'deposit.returned']);
  });

  it('has it credited, where a person says so', async () => {
    expect(await resolve(deposit, 'accept_received')).toMatchObject({ isSettled: true });
    expect(await funder.deposit(deposit)).toMatchObject({
      status: 'credited',
      resolution: 'accept_received',
      needs_review: false,
    });
    expect(await funder.balance()).toBe(700);
  });

  it('has it no more to give back, where a person says that it went back by other means', async () => {
    expect(await resolve(deposit, 'returned')).toMatchObject({ isSettled: true });
    expect(await funder.deposit(deposit)).toMatchObject({
      status: 'returned',
      resolution: 'refund_payer',
      needs_review: false,
    });
    expect(await funder.events(deposit)).toEqual(['deposit.needs_review', 'deposit.returned']);
    expect(await funder.balance()).toBe(0);
    await expect(resolve(deposit, 'accept_received')).rejects.toThrow('not in review');
  });

  it('is asked from the start again, where a person leaves it so', async () => {
    asked.mockClear();
    await resolve(deposit, 'unchanged');
    expect(await states()).toEqual([['to_be_returned', false]]);
    await funder.advance(1);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(await states()).toEqual([['to_be_returned', false]]);
    asked.mockRestore();
    for (let i = 0; i < 2; i++) await funder.advance(60);
    expect(await states()).toEqual([['returned', false]]);
  });

  it('says nothing of it either: a person is asked', async () => {
    await resolve(deposit, 'unchanged');
    funder.answering(() => ({ outcome: 'unknown', code: 'timeout' }));
    await askedToTheEnd();
    expect(await states()).toEqual([['to_be_returned', true]]);
  });

  it('has its whole schedule when it was not sure of the transfer before', async () => {
    asked.mockClear();
    await funder.tell(funder.arrival(id));
    await askedToTheEnd();
    const [{ id: other }] = (await funder.deposits('&status=received')) as [{ id: string }];
    await resolve(other, 'refund_payer');
    funder.answering(() => having());
    await funder.advance(1);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(await funder.deposit(other)).toMatchObject({ status: 'to_be_returned', needs_review: false });
  });

  async function questionOf() {
    const { provider_reference: providerReference } = await funder.deposit(deposit);
    return { providerReference, accountId: funder.keyOf(deposit).accountId, livemode: false };
  }
});

describe('a person', () => {
  async function held(amount = 50_000): Promise<any> {
    await funder.api.post(`/v4/virtual-accounts/${id}/close`);
    return funder.pay(id, amount);
  }

  it('has what arrived credited, once', async () => {
    const { id: deposit } = await held();
    const listed = await duka.get<DepositReviewService>(DepositReviewService).list(100);
    expect(listed).toContainEqual(expect.objectContaining({ id: funder.keyOf(deposit).id, amount: '50000' }));
    expect(await resolve(deposit, 'accept_received')).toMatchObject({ isSettled: true });
    expect(await funder.deposit(deposit)).toMatchObject({
      status: 'credited',
      resolution: 'accept_received',
      needs_review: false,
    });
    expect([await funder.balance(), await funder.events(deposit)]).toEqual([
      50_000,
      ['deposit.needs_review', 'deposit.received'],
    ]);
    await expect(resolve(deposit, 'accept_received')).rejects.toThrow('not in review');
  });

  it('has it credited to another wallet of the account, of its currency only', async () => {
    const { id: deposit } = await held();
    const [ngn, usd] = [await funder.api.wallet(), await funder.api.wallet(0, 'USD')];
    const foreign = (await Funder.of(duka)).wallet;
    await expect(resolve(deposit, 'accept_received', 'ada', usd)).rejects.toMatchObject({
      details: { code: 'currency_mismatch' },
    });
    await expect(resolve(deposit, 'accept_received', 'ada', foreign)).rejects.toMatchObject({
      details: { code: 'not_found' },
    });
    await resolve(deposit, 'accept_received', 'ada', ngn);
    expect([await funder.balance(), (await funder.api.balance(ngn)).available]).toEqual([0, 50_000]);
  });

  it('sends it back', async () => {
    const { id: deposit } = await held();
    await resolve(deposit, 'refund_payer');
    const due = await duka.get<DepositReviewService>(DepositReviewService).listReturnsDue(100);
    expect(due).toContainEqual(expect.objectContaining({ id: funder.keyOf(deposit).id }));
    for (let i = 0; i < 2; i++) await funder.advance(60);
    expect(await funder.deposit(deposit)).toMatchObject({ status: 'returned', resolution: 'refund_payer' });
  });

  it('says of what the bank does not confirm that it went back by other means', async () => {
    funder.answering(() => ({ outcome: 'unknown', code: 'refunded_elsewhere' }));
    await funder.tell(funder.arrival(id));
    for (const delay of CHECK_DELAYS_MS) await funder.advance((delay / 1_000) * 1.2);
    expect([await states(), await funder.balance()]).toEqual([[['received', true]], 0]);
    const [{ id: deposit }] = (await funder.deposits()) as [{ id: string }];
    await resolve(deposit, 'returned');
    expect(await funder.deposit(deposit)).toMatchObject({
      status: 'returned',
      resolution: 'refund_payer',
      amount: 50_000,
      needs_review: false,
    });
    expect([await funder.balance(), await funder.events(deposit)]).toEqual([
      0,
      ['deposit.needs_review', 'deposit.returned'],
    ]);
  });

  it('says that it never came, and may be wrong', async () => {
    const { id: deposit } = await held();
    await resolve(deposit, 'failed');
    expect(await funder.deposit(deposit)).toMatchObject({ status: 'failed', needs_review: false });
    await funder.tell({ ...funder.arrival(id), providerReference: (await funder.deposit(deposit)).provider_reference });
    expect(await funder.deposit(deposit)).toMatchObject({ status: 'failed', needs_review: true });
    await resolve(deposit, 'accept_received');
    expect(await funder.balance()).toBe(50_000);
  });

  it('of a credit can only leave it as it is', async () => {
    funder.answering(() => having());
    await funder.tell(funder.arrival(id));
    funder.answering(() => having({ outcome: 'returned' }));
    await funder.tell(funder.arrival(id));
    const [{ id: deposit }] = (await funder.deposits()) as [{ id: string }];
    await expect(resolve(deposit, 'refund_payer')).rejects.toThrow('cannot be refund_payer');
    await resolve(deposit, 'unchanged');
    expect([await states(), await funder.balance()]).toEqual([[['credited', false]], 50_000]);
  });

  it('needs a second one for a large amount', async () => {
    const { id: deposit } = await held(6_000_000);
    expect(await resolve(deposit, 'accept_received')).toMatchObject({ isSettled: false });
    await expect(resolve(deposit, 'accept_received')).rejects.toThrow('has decided');
    expect(await funder.balance()).toBe(0);
    expect(await resolve(deposit, 'accept_received', 'bola')).toMatchObject({ isSettled: true });
    expect(await funder.balance()).toBe(6_000_000);
  });
});
