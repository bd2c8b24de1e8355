import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { decodeId } from '../src/core/http/ids';
import { CardReviewService } from '../src/modules/cards/card-review.service';
import { SandboxIssuer } from '../src/modules/cards/sandbox/sandbox.provider';
import { CardOwner } from './support/cardholder';
import { CommandLine } from './support/command-line';
import { type Browser, newOwner } from './support/dashboard';
import { Duka } from './support/duka';
import { reviewer } from './support/reviewers';

const { MONEY, FEE } = CardOwner;
const LOAD = 5_000;
const HELD = { wallet: [MONEY - LOAD - FEE, LOAD + FEE], card: [0, 0] };
const ISSUED = { wallet: [MONEY - LOAD - FEE, 0], card: [LOAD, 0] };
const BACK = { wallet: [MONEY, 0], card: [0, 0] };
const DAY = 24 * 3_600;
/** After so many days, looked at once in each, a person is called. */
const QUESTIONS = 12;
const MADE = { issuerReference: 'card 7f3a', last4: '4242', expiry: '11/2099' };

let duka: Duka;
let owner: CardOwner;

beforeAll(async () => {
  duka = await Duka.start({ REVIEW_TWO_PEOPLE_ABOVE: `USD:${LOAD}` });
});
afterAll(() => duka.stop());
beforeEach(async () => {
  owner = await CardOwner.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const issuer = () => duka.get<SandboxIssuer>(SandboxIssuer);
const days = async (count: number) => {
  for (let day = 0; day < count; day++) await owner.advance(DAY);
};
const transactionOf = async (cardId: string) =>
  (await owner.api.all('/v4/transactions?type=card_issue')).find(({ details }) => details.card_id === cardId);

/** A card about which its issuer never decides, after all questions. */
async function inReview(amount = LOAD): Promise<string> {
  const { body } = await owner.issue({ lastName: 'REVIEW', amount });
  await days(QUESTIONS);
  return body.id;
}

const verdict = (outcome: 'active' | 'failed', name: string, made: Partial<typeof MADE> = {}) => ({
  outcome,
  person: reviewer(name),
  note: 'As their dashboard says.',
  ...made,
});
const resolve = (cardId: string, ...said: Parameters<typeof verdict>) =>
  duka
    .get<CardReviewService>(CardReviewService)
    .resolve(
      { accountId: decodeId('acct', owner.accountId)!, livemode: false, id: decodeId('crd', cardId)! },
      verdict(...said),
    );

it('calls a person once about a card that nobody settles, and holds its money', async () => {
  const log = jest.spyOn(Logger.prototype, 'error');
  const id = await inReview();
  await days(3);
  expect(await owner.get(id)).toMatchObject({ status: 'pending', needs_review: true });
  const listed = async (asked: boolean) =>
    (await owner.api.all(`/v4/cards?needs_review=${asked}`)).map((one: any) => one.id);
  expect([await listed(true), await listed(false)]).toEqual([[id], []]);
  expect([await owner.money(id), await owner.events(id)]).toEqual([HELD, ['card.needs_review']]);
  const transaction = await transactionOf(id);
  expect([transaction.status, transaction.needs_review]).toEqual(['processing', true]);
  expect(await owner.events(transaction.id)).toEqual(['transaction.needs_review']);
  const called = log.mock.calls.flat().filter((one: any) => one.message === 'a card needs a person');
  expect(called).toEqual([expect.objectContaining({ card: decodeId('crd', id), issuer: 'sandbox' })]);
});

it('is ended by its issuer as long as no person has decided', async () => {
  const id = await inReview();
  const answer = { outcome: 'done', issuerReference: 'late', last4: '0042', expMonth: 12, expYear: 2099 } as const;
  jest.spyOn(issuer(), 'find').mockResolvedValue(answer);
  await days(2);
  expect(await owner.get(id)).toMatchObject({ status: 'active', needs_review: false, last4: '0042' });
  expect([await owner.money(id), await owner.events(id)]).toEqual([ISSUED, ['card.needs_review', 'card.issued']]);
  expect((await transactionOf(id)).needs_review).toBe(false);
  await expect(resolve(id, 'failed', 'ada')).rejects.toThrow('not in review');
});

it('is not ordered again while a person decides', async () => {
  const id = await inReview();
  jest.spyOn(issuer(), 'find').mockResolvedValue({ outcome: 'not_known' });
  const orders = jest.spyOn(issuer(), 'issue');
  await days(3);
  expect([orders.mock.calls.length, (await owner.get(id)).status, await owner.money(id)]).toEqual([0, 'pending', HELD]);
});

describe('a person', () => {
  it.each([
    ['active', ISSUED, ['--issuer-reference', MADE.issuerReference, '--last4', MADE.last4, '--expiry', MADE.expiry]],
    ['failed', BACK, []],
  ] as const)('settles it as %s, once', async (outcome, money, made) => {
    const line = CommandLine.on(duka.env.DATABASE_URL!);
    const [, person] = await line.person(`${outcome}@example.com`, true);
    const { body } = await owner.issue({ lastName: 'REVIEW' });
    const card = ['--account', owner.accountId, '--card', body.id, '--mode', 'test'];
    const decision = ['--outcome', outcome, '--person', person!, '--note', 'As their dashboard says.', ...made];
    const decide = () => line.duka('card:resolve', ...card, ...decision);
    const refused = { status: 1, json: { error: { code: 'invalid_state_transition' } } };
    expect(await decide()).toMatchObject(refused);
    await days(QUESTIONS);
    expect((await line.duka('card:review')).json.cards).toContainEqual(
      expect.objectContaining({
        card_id: body.id,
        amount: String(LOAD),
        issuer: 'sandbox',
        reference: decodeId('crd', body.id),
        decisions: [],
      }),
    );
    expect(await decide()).toMatchObject({ status: 0, json: { card_id: body.id, settled: true, status: outcome } });
    expect(await owner.get(body.id)).toMatchObject({
      status: outcome,
      needs_review: false,
      status_reason: outcome === 'failed' ? 'resolved_by_review' : null,
      ...(outcome === 'active' && { last4: '4242', exp_month: 11, exp_year: 2099 }),
    });
    const event = outcome === 'active' ? 'card.issued' : 'card.issue_failed';
    expect([await owner.money(body.id), await owner.events(body.id)]).toEqual([money, ['card.needs_review', event]]);
    const { status, needs_review: review, failure } = await transactionOf(body.id);
    expect([status, review, failure?.code]).toEqual(
      outcome === 'active' ? ['successful', false, undefined] : ['failed', false, 'resolved_by_review'],
    );
    const [last] = await owner.api.all(`/v4/cards/${body.id}/transitions`);
    expect(last).toMatchObject({ actor: 'operator', actor_id: person });
    expect((await line.audited()).at(-1)).toMatchObject({ action: 'card.reviewed', target: body.id });
    expect(await decide()).toMatchObject(refused);
  });

  it('tells of a card that was made what its issuer shows of it', async () => {
    const id = await inReview();
    const param = (made: Partial<typeof MADE>) =>
      resolve(id, 'active', 'ada', made).catch((error: any) => error.details.param);
    expect([
      await param({}),
      await param({ ...MADE, last4: '424' }),
      await param({ ...MADE, expiry: '13/2099' }),
      await param({ ...MADE, expiry: '01/2020' }),
      await resolve(id, 'failed', 'ada', MADE).catch((error: any) => error.details.param),
    ]).toEqual(['/issuer_reference', '/last4', '/expiry', '/expiry', '/outcome']);
    await owner.issue();
    const [{ reference }] = (await duka.asOwner(
      `SELECT issuer_reference AS reference FROM cards WHERE account_id = $1 AND status = 'active'`,
      [decodeId('acct', owner.accountId)],
    )) as [{ reference: string }];
    expect(await param({ ...MADE, issuerReference: reference })).toBe('/issuer_reference');
    expect((await owner.get(id)).status).toBe('pending');
  });

  it('above the threshold has a second one, who tells of the same card', async () => {
    const id = await inReview(LOAD + 1);
    const says = async (name: string, last4 = '4242') =>
      (await resolve(id, 'active', name, { ...MADE, last4 })).isSettled;
    expect([await says('ada'), await says('obi', '2424')]).toEqual([false, false]);
    await expect(says('ada')).rejects.toThrow('somebody else must confirm');
    expect((await owner.get(id)).status).toBe('pending');
    expect([await says('obi'), (await owner.get(id)).status]).toEqual([true, 'active']);
  });

  it('is heard once, whatever the issuer says at the same moment', async () => {
    const id = await inReview();
    const refusal = { outcome: 'refused', about: 'order', code: 'no', message: 'No.', recovery: 'none' } as const;
    jest.spyOn(issuer(), 'find').mockResolvedValue(refusal);
    await Promise.allSettled([resolve(id, 'active', 'ada', MADE), days(2)]);
    const { status } = await owner.get(id);
    expect(await owner.events(id)).toEqual([
      'card.needs_review',
      status === 'active' ? 'card.issued' : 'card.issue_failed',
    ]);
    expect(await owner.money(id)).toEqual(status === 'active' ? ISSUED : BACK);
  });
});

describe('at the dashboard', () => {
  let operator: Browser;
  beforeAll(async () => {
    operator = await newOwner(duka);
    await duka.setOperator(operator.email, true);
    await operator.stepUp();
  });

  it('it stands among the reviews, with what its issuer answered, and is settled there', async () => {
    const id = await inReview();
    const { body: list } = await operator.get(`/operators/open-reviews?kind=card&account_id=${owner.accountId}`);
    expect(list.data).toMatchObject([
      {
        kind: 'card',
        id,
        amount: LOAD,
        currency: 'USD',
        party: 'sandbox',
        outcomes: ['active', 'failed'],
        people_needed: 1,
      },
    ]);
    expect(list.counts).toContainEqual({ kind: 'card', count: 1 });
    const { body: found } = await operator.get(
      `/operators/open-reviews/${id}?account_id=${owner.accountId}&livemode=false`,
    );
    expect(found.timeline.map(({ kind }: any) => kind)).toEqual(
      expect.arrayContaining(['card.created', 'provider.issue', 'provider.find', 'event']),
    );
    const decision = { account_id: owner.accountId, livemode: false, note: 'page 4', outcome: 'active' };
    expect((await operator.post(`/operators/reviews/cards/${id}`, decision)).status).toBe(400);
    const made = { issuer_reference: MADE.issuerReference, last4: MADE.last4, expiry: MADE.expiry };
    const { body } = await operator.post(`/operators/reviews/cards/${id}`, { ...decision, ...made });
    expect(body).toEqual({ card_id: id, settled: true, status: 'active' });
    expect(await owner.money(id)).toEqual(ISSUED);
  });
});
