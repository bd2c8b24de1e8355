import { randomUUID } from 'node:crypto';
import { decodeId } from '../src/core/http/ids';
import { DISPUTE_CHECKS } from '../src/modules/cards/card-checks';
import type { DisputeStanding } from '../src/modules/cards/card-issuer';
import { DisputeReviewService } from '../src/modules/cards/dispute-review.service';
import { IssuerMessages } from '../src/modules/cards/issuer-messages';
import { SANDBOX_DISPUTES } from '../src/modules/cards/sandbox/sandbox-disputes';
import { Registry } from '../src/providers/registry';
import { atOnce } from '../src/core/database/checks';
import { Client } from 'pg';
import { CardNetwork } from './support/card-network';
import { Duka } from './support/duka';

const DAY = 24 * 3_600;

let duka: Duka;
let network: CardNetwork;
/** Of 4.00, cleared. */
let paid: string;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  // 10.00 on the card, of which a merchant took 4.00; 9.00 in its wallet once the issue is paid.
  network = await CardNetwork.in(duka, 1_000);
  paid = (await network.done('authorization', { amount: 400 })).id;
  await network.step('clearing', paid);
});

const order = (text = 'It never came.', more: object = {}) => ({ reason: 'not_received', evidence: { text }, ...more });
const open = (text?: string, more?: object, options: { key?: string } = {}) =>
  network.api.post(`/v4/card-transactions/${paid}/disputes`, order(text, more), options);
const opened = async (text?: string, more?: object): Promise<any> => {
  const { status, body } = await open(text, more);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};
const get = async (id: string): Promise<any> => (await network.api.get(`/v4/disputes/${id}`)).body;
const withdraw = (id: string, key?: string) => network.api.post(`/v4/disputes/${id}/withdraw`, undefined, { key });
const card = async (): Promise<any> => (await network.api.get(`/v4/cards/${network.card}`)).body;
const moved = async (): Promise<[string, number][]> =>
  (await network.list()).filter((t) => t.dispute_id !== null).map((t) => [t.type, t.amount]);

/** Days of the test clock, until nobody is asked any more. */
async function settle(id: string): Promise<any> {
  for (let day = 0; day < 14; day++) {
    const dispute = await get(id);
    if (dispute.resolved_at !== null || dispute.needs_review) return dispute;
    await network.pass(DAY + 60);
  }
  return get(id);
}

describe('a dispute', () => {
  it('is taken up by the issuer, and won: the card has the money', async () => {
    const { status, body } = await open(undefined, { amount: 150, reference: 'case-1', metadata: { case: '7' } });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^dsp_/),
        object: 'dispute',
        card_id: network.card,
        card_transaction_id: paid,
        status: 'under_review',
        amount: 150,
        currency: 'USD',
        amount_display: 'USD 1.50',
        reason: 'not_received',
        evidence: { text: 'It never came.', links: [] },
        issuer_reference: `sbx_${decodeId('dsp', body.id)}`,
        provisional_credit: null,
        won_amount: null,
        withdrawal: null,
        failure: null,
        reference: 'case-1',
        needs_review: false,
        metadata: { case: '7' },
        livemode: false,
        version: expect.any(Number),
        created_at: expect.any(String),
        updated_at: expect.any(String),
        resolved_at: null,
      },
    ]);
    expect([await network.balance(), (await network.get(paid)).disputed_amount]).toEqual([[600, 0], 150]);
    const before = await network.issued();
    const won = await settle(body.id);
    expect(won).toMatchObject({
      status: 'won',
      provisional_credit: null,
      won_amount: 150,
      resolved_at: expect.any(String),
    });
    expect([await network.balance(), await network.issued()]).toEqual([[750, 0], before - 150]);
    expect(await moved()).toEqual([['dispute_credit', 150]]);
    expect((await network.list('&type=dispute_credit'))[0]).toMatchObject({ original_id: paid, dispute_id: body.id });
    expect(await network.eventsOf(body.id)).toEqual(['dispute.opened', 'dispute.under_review', 'dispute.won']);
    // What was won stays disputed: nobody has it twice.
    expect((await network.get(paid)).disputed_amount).toBe(150);
    expect((await open(undefined, { amount: 251 })).body.code).toBe('dispute_exceeds_transaction');
  });

  it.each(SANDBOX_DISPUTES)(
    'of the evidence "$evidence" ends as the scenarios say',
    async ({ evidence, ...scenario }) => {
      const { status, body } = await open(evidence.toLowerCase());
      expect([evidence, status]).toEqual([evidence, scenario.first ? 202 : 201]);
      if (scenario.failure) expect(body).toMatchObject({ status: 'lost', failure: scenario.failure });
      expect(body.provisional_credit).toBe(scenario.provisional ? 400 : null);
      expect((await network.balance())[0]).toBe(scenario.provisional ? 1_000 : 600);
      const { status: end, needs_review } = await settle(body.id);
      expect([end, needs_review]).toEqual([scenario.final.status, scenario.final.needs_review]);
      expect((await network.balance())[0]).toBe(end === 'won' ? 1_000 : 600);
      expect((await network.get(paid)).disputed_amount).toBe(end === 'lost' ? 0 : 400);
      const { disputes } = (await network.api.get('/v4/sandbox/scenarios')).body;
      expect(disputes.map((one: any) => one.evidence)).toContain(evidence);
      if (scenario.first === 'lost')
        expect(
          await network.query('SELECT asked FROM sandbox_disputes WHERE reference = $1', [decodeId('dsp', body.id)]),
        ).toEqual([{ asked: 2 }]);
    },
  );

  it('takes a provisional credit back from the wallet, and else leaves a debt', async () => {
    const { id } = await opened('PROVISIONAL LOSE');
    expect(await moved()).toEqual([['dispute_credit', 400]]);
    const wallet = await network.wallet();
    const { id: spent } = await network.done('authorization', { amount: 1_000 });
    await network.step('clearing', spent);
    const spare = await network.api.wallet(1, 'USD');
    const { funding_wallet_id: from } = await card();
    await network.api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: spare, amount: wallet - 100 });
    expect((await settle(id)).status).toBe('lost');
    expect(await network.list('&type=dispute_reversal')).toMatchObject([
      { amount: 400, wallet_amount: 100, debt_amount: 300, dispute_id: id, original_id: paid },
    ]);
    expect(await card()).toMatchObject({ status: 'frozen', status_reason: 'overdrawn', debt: 300 });
    // The next one pays the debt first.
    const again = await opened('PROVISIONAL WIN');
    expect(await network.list('&type=dispute_credit')).toMatchObject([{ debt_paid_amount: 300 }, {}]);
    expect(await card()).toMatchObject({ debt: 0, balance: { available: 100 } });
    expect((await settle(again.id)).status).toBe('won');
    expect(await network.balance()).toEqual([100, 0]);
  });

  it('of a card that was put away pays its wallet', async () => {
    const { id } = await opened();
    await network.api.post(`/v4/cards/${network.card}/terminate`);
    await network.pass(3_700);
    const wallet = await network.wallet();
    expect((await settle(id)).status).toBe('won');
    await network.pass(3_700);
    expect([await network.wallet(), await network.balance()]).toEqual([wallet + 400, [0, 0]]);
  });

  it('is shown by a dry run that writes nothing', async () => {
    const { status, body } = await open(undefined, { dry_run: true });
    expect([status, body.id, body.status, body.amount]).toEqual([200, null, 'open', 400]);
    expect((await network.api.get('/v4/disputes')).body.data).toEqual([]);
    expect((await network.get(paid)).disputed_amount).toBe(0);
    expect((await open(undefined, { dry_run: true, amount: 401 })).body.code).toBe('dispute_exceeds_transaction');
  });

  it('is opened once for a key, and for a reference', async () => {
    const [key, reference] = [randomUUID(), randomUUID()];
    const [first, second] = await Promise.all([
      open(undefined, { amount: 100, reference }, { key }),
      open(undefined, { amount: 100, reference }, { key }),
    ]);
    expect(second.body.id).toBe(first.body.id);
    const again = await open(undefined, { amount: 100, reference });
    expect([again.status, again.headers.get('idempotent-replayed'), again.body.id]).toEqual([
      200,
      'true',
      first.body.id,
    ]);
    expect((await open(undefined, { amount: 99, reference })).body.code).toBe('duplicate_reference');
    expect((await open(undefined, { amount: 99 }, { key })).body.code).toBe('idempotency_key_reused');
    expect((await network.get(paid)).disputed_amount).toBe(100);
  });
});

describe('the sum of disputes', () => {
  it('never exceeds what was cleared, less what was refunded', async () => {
    await network.step('refund', paid, 100);
    expect((await open(undefined, { amount: 301 })).status).toBe(422);
    const { id } = await opened('LOSE', { amount: 200 });
    expect((await open(undefined, { amount: 101 })).body).toMatchObject({
      code: 'dispute_exceeds_transaction',
      param: '/amount',
    });
    expect((await opened()).amount).toBe(100);
    expect((await open()).status).toBe(422);
    await settle(id);
    expect((await opened(undefined, { amount: 200 })).status).toBe('under_review');
  });

  it('holds for many at once, with refunds between them', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 12 }, () => open(undefined, { amount: 90 })),
      network.step('refund', paid, 40),
    ]);
    const made = answers.slice(0, 12).filter(({ status }) => status === 201).length;
    const { disputed_amount: disputed, settled_amount, refunded_amount } = await network.get(paid);
    expect([disputed, made]).toEqual([made * 90, expect.any(Number)]);
    expect(made).toBeGreaterThanOrEqual(4);
    expect(refunded_amount).toBe(40);
    expect(disputed).toBeLessThanOrEqual(settled_amount);
    expect(answers.slice(0, 12).every(({ status }) => [201, 422].includes(status))).toBe(true);
  });

  it('is nothing of what was not cleared, of refunds, fees and what other disputes moved', async () => {
    const held = await network.done('authorization', { amount: 50 });
    const refund = (await network.step('refund', paid, 10), (await network.list('&type=refund'))[0]);
    const fee = await network.done('fee', { amount: 5 });
    await opened('PROVISIONAL WIN');
    const [credit] = await network.list('&type=dispute_credit');
    for (const { id } of [held, refund, fee, credit]) {
      const { status, body } = await network.api.post(`/v4/card-transactions/${id}/disputes`, order());
      expect([id, status, body.code]).toEqual([id, 422, 'dispute_exceeds_transaction']);
    }
  });
});

describe('a withdrawal', () => {
  it('ends a dispute, gives what was credited back, and is made once', async () => {
    const { id } = await opened('PROVISIONAL WIN');
    const key = randomUUID();
    const { status, body } = await withdraw(id, key);
    expect([status, body.status, body.provisional_credit]).toEqual([200, 'withdrawn', 400]);
    const replay = await withdraw(id, key);
    expect([replay.status, replay.headers.get('idempotent-replayed'), replay.body.status]).toEqual([
      200,
      'true',
      'withdrawn',
    ]);
    expect((await withdraw(id)).body.code).toBe('invalid_state_transition');
    expect([await network.balance(), (await network.get(paid)).disputed_amount]).toEqual([[600, 0], 0]);
    expect(await network.eventsOf(id)).toEqual(['dispute.opened', 'dispute.under_review', 'dispute.withdrawn']);
  });

  it('may be refused: the dispute goes on', async () => {
    const { id } = await opened('STUBBORN');
    const { status, body } = await withdraw(id);
    expect([status, body.status, body.withdrawal]).toEqual([200, 'under_review', 'refused']);
    expect(await settle(id)).toMatchObject({ status: 'won', withdrawal: 'refused' });
  });

  it('of what the issuer perhaps has not is made when that is known', async () => {
    for (const text of ['UNKNOWN', 'LOST ORDER']) {
      const { body } = await open(text, { amount: 10 });
      const asked = await withdraw(body.id);
      expect([text, asked.status, asked.body.status, asked.body.withdrawal]).toEqual([text, 202, 'open', 'requested']);
      await network.pass(60);
      expect([text, (await get(body.id)).status]).toEqual([text, 'withdrawn']);
    }
  });
});

describe('an issuer', () => {
  const tell = (id: string, standing: DisputeStanding) =>
    duka
      .get<IssuerMessages>(IssuerMessages)
      .takeDispute({ issuer: 'sandbox', cardId: network.cardId, disputeId: decodeId('dsp', id)!, standing });

  it('tells how a dispute stands, and is heard once', async () => {
    const { id } = await opened();
    const at = { issuerReference: 'theirs' };
    const credited = { outcome: 'under_review', provisionalCredit: 300n, ...at } as const;
    await Promise.all([tell(id, credited), tell(id, credited)]);
    expect([await get(id), await network.balance()]).toMatchObject([{ provisional_credit: 300 }, [900, 0]]);
    const won = { outcome: 'won', amount: 400n, ...at } as const;
    await Promise.all([tell(id, won), tell(id, won), tell(id, { outcome: 'lost', ...at })]).catch(() => undefined);
    const { status } = await get(id);
    expect(['won', 'lost']).toContain(status);
    expect((await network.balance())[0]).toBe(status === 'won' ? 1_000 : 600);
    await tell(id, { outcome: status === 'won' ? 'lost' : 'won', amount: 400n, ...at } as DisputeStanding);
    expect((await get(id)).status).toBe(status);
  });

  it('is not heard about the dispute of another card', async () => {
    const { id } = await opened();
    const mine = network;
    network = await CardNetwork.in(duka, 100);
    await expect(tell(id, { outcome: 'lost', issuerReference: 'x' })).rejects.toThrow('no such');
    network = mine;
    expect((await get(id)).status).toBe('under_review');
  });

  it('that contradicts itself is left to people, whose word counts', async () => {
    const { id } = await opened('PROVISIONAL WIN');
    await tell(id, { outcome: 'under_review', provisionalCredit: 399n, issuerReference: 'theirs' });
    expect(await get(id)).toMatchObject({ status: 'under_review', needs_review: true });
    expect(await network.eventsOf(id)).toContain('dispute.needs_review');
    await tell(id, { outcome: 'lost', issuerReference: 'theirs' });
    expect((await settle(id)).needs_review).toBe(true);
    const reviews = duka.get<DisputeReviewService>(DisputeReviewService);
    const [waiting] = (await reviews.list(100)).filter((one) => one.id === decodeId('dsp', id));
    expect(waiting).toMatchObject({ amount: '400', decisions: [] });
    const key = { ...network.owner, id: decodeId('dsp', id)! };
    const says = (email: string) =>
      reviews.resolve(key, { outcome: 'lost', person: { userId: randomUUID(), email }, note: 'statement' });
    let resolution = await says('ada@example.com');
    if (!resolution.isSettled) resolution = await says('obi@example.com');
    expect([resolution.isSettled, (await get(id)).status, await network.balance()]).toEqual([true, 'lost', [600, 0]]);
    await expect(says('eve@example.com')).rejects.toThrow('cannot be lost');
  });

  it.each([
    ['PARTLY', 600, 200],
    ['PROVISIONAL WIN', 1_000, 250],
  ])('that lets a cardholder of "%s" have a part is heard by people, who say which', async (text, before, part) => {
    const { id } = await opened(text);
    if (text === 'PARTLY') await settle(id);
    else await tell(id, { outcome: 'won', amount: BigInt(part), issuerReference: 'theirs' });
    expect([await get(id), await network.balance()]).toMatchObject([{ needs_review: true }, [before, 0]]);
    const reviews = duka.get<DisputeReviewService>(DisputeReviewService);
    const key = { ...network.owner, id: decodeId('dsp', id)! };
    const says = (email: string, amount: number, outcome: 'won' | 'lost' = 'won') =>
      reviews.resolve(key, {
        outcome,
        amount: BigInt(amount),
        person: { userId: randomUUID(), email },
        note: 'statement',
      });
    for (const amount of [0, 401]) await expect(says('ada@example.com', amount)).rejects.toThrow('from 1 to 400');
    await expect(says('ada@example.com', part, 'lost')).rejects.toThrow('is lost');
    const issued = await network.issued();
    let resolution = await says('ada@example.com', part);
    if (!resolution.isSettled) {
      expect((await says('eve@example.com', part + 1)).isSettled).toBe(false);
      resolution = await says('obi@example.com', part);
    }
    expect([resolution.isSettled, await get(id)]).toMatchObject([true, { status: 'won', won_amount: part }]);
    expect([await network.balance(), await network.issued()]).toEqual([[600 + part, 0], issued + before - 600 - part]);
    expect((await network.get(paid)).disputed_amount).toBe(part);
    // The rest is in nobody's hands.
    expect((await open(undefined, { amount: 401 - part })).body.code).toBe('dispute_exceeds_transaction');
    const rest = await opened(undefined, { amount: 400 - part });
    expect(rest.won_amount).toBeNull();
    expect(await settle(rest.id)).toMatchObject({ status: 'won', won_amount: 400 - part });
    expect([await network.balance(), (await network.get(paid)).disputed_amount]).toEqual([[1_000, 0], 400]);
  });

  it('without disputes says so', async () => {
    const { adapter } = duka.get<Registry>(Registry).findOf<{ dispute?: unknown }>('cards', 'sandbox', false)!;
    const own = Object.getOwnPropertyDescriptor(adapter, 'dispute');
    Object.defineProperty(adapter, 'dispute', { value: undefined, configurable: true });
    try {
      const { status, body } = await open();
      expect([status, body.code]).toEqual([422, 'dispute_not_supported']);
    } finally {
      if (own) Object.defineProperty(adapter, 'dispute', own);
      else delete adapter.dispute;
    }
  });
});

it('is listed by what it is about', async () => {
  const first = await opened('LOSE', { amount: 10 });
  const second = await opened(undefined, { amount: 20 });
  const ids = async (query: string): Promise<string[]> =>
    (await network.api.get(`/v4/disputes?${query}`)).body.data.map(({ id }: any) => id);
  expect(await ids('')).toEqual([second.id, first.id]);
  expect(await ids(`card_id=${network.card}&card_transaction_id=${paid}&needs_review=false`)).toEqual([
    second.id,
    first.id,
  ]);
  await settle(first.id);
  expect([await ids('status=lost'), await ids('status=open,under_review')]).toEqual([[first.id], []]);
  const page = (await network.api.get('/v4/disputes?limit=1')).body;
  expect(await ids(`limit=1&cursor=${page.next_cursor}`)).toEqual([first.id]);
  expect(await ids(`created_lt=${encodeURIComponent(first.created_at)}`)).toEqual([]);
});

it('is refused without a reason, or with evidence that is too much', async () => {
  const refused = async (body: object) =>
    (await network.api.post(`/v4/card-transactions/${paid}/disputes`, body)).body.errors.map((one: any) => one.param);
  expect(await refused({ evidence: { text: 'x' } })).toEqual(['/reason']);
  expect(await refused({ reason: 'other' })).toEqual(['/evidence']);
  expect(await refused(order('x'.repeat(4_001)))).toEqual(['/evidence/text']);
  const links = ['http://example.com/', 'https://a b/', 'ftp://x', 'https://'];
  for (const link of links)
    expect(await refused({ reason: 'other', evidence: { text: 'x', links: [link] } })).toEqual(['/evidence/links']);
  const many = Array.from({ length: 11 }, () => 'https://example.com/1');
  expect(await refused({ reason: 'other', evidence: { text: 'x', links: many } })).toEqual(['/evidence/links']);
});

it("is nobody else's", async () => {
  const { id } = await opened();
  const stranger = (await duka.account()).api;
  for (const answer of [
    await stranger.get(`/v4/disputes/${id}`),
    await stranger.post(`/v4/disputes/${id}/withdraw`),
    await stranger.post(`/v4/card-transactions/${paid}/disputes`, order()),
  ])
    expect(answer.status).toBe(404);
  expect((await stranger.get('/v4/disputes')).body.data).toEqual([]);
});

/** What breaks each check. */
const BREAKS: Readonly<Record<string, string>> = {
  disputes_stay_within_their_card_transaction: `UPDATE card_transactions SET disputed = disputed - 1 WHERE disputed > 0`,
  disputes_credit_what_they_say: `UPDATE disputes SET amount = amount + 1 WHERE status = 'won'`,
  open_disputes_are_due: `UPDATE disputes SET next_check_at = NULL WHERE status = 'under_review'`,
  dispute_references_are_claimed_once: `DELETE FROM claims WHERE resource = 'dsp'`,
  disputes_are_announced: `DELETE FROM events WHERE type = 'dispute.won'`,
};

it.each(DISPUTE_CHECKS)('$name is quiet, and sees what it is for', async ({ name, violations }) => {
  await opened(undefined, { amount: 10, reference: randomUUID() });
  const { id } = await opened(undefined, { amount: 10 });
  if (name.includes('announced') || name.includes('credit')) await settle(id);
  const owner = new Client({ connectionString: duka.env.DATABASE_URL });
  await owner.connect();
  try {
    expect((await owner.query(atOnce(violations))).rows).toEqual([]);
    await owner.query(`BEGIN; ${BREAKS[name]!}`);
    expect((await owner.query(atOnce(violations))).rows.length).toBeGreaterThan(0);
    await owner.query('ROLLBACK');
  } finally {
    await owner.end();
  }
});
