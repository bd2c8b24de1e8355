import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { decodeId } from '../src/core/http/ids';
import type { CardIssuer, Issued, IssueResult } from '../src/modules/cards/card-issuer';
import { Registry } from '../src/providers/registry';
import { SandboxIssuer } from '../src/modules/cards/sandbox/sandbox.provider';
import { LedgerService } from '../src/modules/ledger/ledger.service';
import { PostingRefused } from '../src/modules/ledger/posting';
import { CardOwner } from './support/cardholder';
import { Duka } from './support/duka';
import { until } from './support/recurring-probe';

const { MONEY, FEE } = CardOwner;
const LOAD = 5_000;
const HELD = { wallet: [MONEY - LOAD - FEE, LOAD + FEE], card: [0, 0] };
const ISSUED = { wallet: [MONEY - LOAD - FEE, 0], card: [LOAD, 0] };
const BACK = { wallet: [MONEY, 0], card: [0, 0] };

let duka: Duka;
let owner: CardOwner;
/** What `GET /v4/sandbox/scenarios` says of cardholders. */
let scenarios: {
  last_name: string;
  status: 'active' | 'failed' | 'pending';
  failure_code: string | null;
  seconds: number;
}[];

beforeAll(async () => {
  duka = await Duka.start();
  scenarios = (await (await duka.account()).api.get('/v4/sandbox/scenarios')).body.cardholders;
});
afterAll(() => duka.stop());
beforeEach(async () => {
  owner = await CardOwner.of(duka);
});
afterEach(() => jest.restoreAllMocks());

const issuer = () => duka.get<SandboxIssuer>(SandboxIssuer);
const transactionOf = async (cardId: string) =>
  (await owner.api.all('/v4/transactions?type=card_issue')).find(({ details }) => details.card_id === cardId);
const kindsOf = async (cardId: string) => {
  const { data } = (await owner.api.get(`/v4/transactions/${(await transactionOf(cardId)).id}/timeline`)).body;
  return data.map(({ kind, data: { outcome } }: { kind: string; data: { outcome?: string } }) =>
    outcome ? `${kind} ${outcome}` : kind,
  );
};

/** What a card that ends so has done. */
const ENDS = {
  active: { money: ISSUED, events: ['card.issued'], transaction: 'successful' },
  failed: { money: BACK, events: ['card.issue_failed'], transaction: 'failed' },
  pending: { money: HELD, events: [], transaction: 'processing' },
};

it('plays every cardholder as the list says', async () => {
  expect(scenarios.map(({ last_name: name }) => name)).toEqual([
    'DECLINE',
    'Unknown',
    'REVIEW',
    'SLOW',
    'Denied',
    'Lost',
    'Stubborn',
  ]);
  for (const { last_name: lastName, status, failure_code: code, seconds } of scenarios) {
    owner = await CardOwner.of(duka);
    const answer = await owner.issue({ lastName });
    const isRunning = answer.status === 202;
    expect(isRunning ? [answer.body.status, await owner.money(answer.body.id)] : ['pending', HELD]).toEqual([
      'pending',
      HELD,
    ]);
    if (isRunning) {
      await owner.advance(Math.max(seconds, 1) + 400);
      await owner.advance(400);
    }
    const card = await owner.get(answer.body.id);
    expect([lastName, card.status, card.status_reason]).toEqual([lastName, status, code]);
    const end = ENDS[status];
    expect([await owner.money(card.id), await owner.events(card.id)]).toEqual([end.money, end.events]);
    const transaction = await transactionOf(card.id);
    expect([transaction.status, transaction.failure?.code ?? null]).toEqual([end.transaction, code]);
  }
});

it('gives the money back when the issuer refuses, and says so with 201', async () => {
  const { status, body } = await owner.issue({ lastName: 'DECLINE' });
  expect([status, body.status, body.last4]).toEqual([201, 'failed', null]);
  expect((await transactionOf(body.id)).failure).toEqual({
    code: 'identity_not_verified',
    stage: 'provider',
    recovery: 'caller_must_fix',
    message: "The issuer could not verify the cardholder's identity.",
  });
  expect(await kindsOf(body.id)).toEqual(
    expect.arrayContaining(['provider.attempt', 'provider.answer refused', 'transaction.completed', 'event']),
  );
});

it('holds the money as long as the issuer does not say, and never calls that a failure', async () => {
  const { status, body } = await owner.issue({ lastName: 'SLOW', key: 'slow' });
  expect([status, body.status]).toEqual([202, 'pending']);
  for (let i = 0; i < 3; i++) {
    await owner.advance(6);
    expect([(await owner.get(body.id)).status, await owner.money(body.id)]).toEqual(['pending', HELD]);
  }
  const again = await owner.issue({ lastName: 'SLOW', key: 'slow' });
  expect([again.status, again.headers.get('idempotent-replayed'), again.body.id]).toEqual([202, 'true', body.id]);
  await owner.advance(400);
  expect([(await owner.get(body.id)).status, await owner.money(body.id)]).toEqual(['active', ISSUED]);
  expect(await kindsOf(body.id)).toEqual(
    expect.arrayContaining([
      'provider.attempt',
      'provider.answer unknown',
      'provider.requery unknown',
      'provider.requery done',
    ]),
  );
});

it('is loud about a card that was made and that the books refuse', async () => {
  const { body } = await owner.issue({ lastName: 'SLOW' });
  const log = jest.spyOn(Logger.prototype, 'error');
  await duka.asOwner(`UPDATE ledger_accounts SET status = 'closed' WHERE id = $1`, [decodeId('crd', body.id)]);
  await owner.advance(400);
  expect((await owner.get(body.id)).status).toBe('pending');
  expect(log.mock.calls.flat()).toContainEqual(
    expect.objectContaining({ id: decodeId('crd', body.id), err: expect.any(PostingRefused) }),
  );
  await duka.asOwner(`UPDATE ledger_accounts SET status = 'active' WHERE id = $1`, [decodeId('crd', body.id)]);
  await owner.advance(400);
  expect([(await owner.get(body.id)).status, await owner.money(body.id)]).toEqual(['active', ISSUED]);
});

it('orders a card again that the issuer never heard of, under the same reference', async () => {
  const orders = jest.spyOn(issuer(), 'issue');
  const { body } = await owner.issue({ lastName: 'Lost' });
  await owner.advance(10);
  expect((await owner.get(body.id)).status).toBe('active');
  expect(orders.mock.calls.map(([{ reference }]) => reference)).toEqual([
    decodeId('crd', body.id),
    decodeId('crd', body.id),
  ]);
});

it('tells the issuer who holds the card, with the number of the document', async () => {
  const orders = jest.spyOn(issuer(), 'issue');
  await owner.card();
  expect(orders.mock.calls[0]![0].cardholder).toMatchObject({
    lastName: 'Obi',
    identity: { type: 'passport', number: 'A01234567' },
  });
});

it.each<[string, unknown]>([
  ['throws', new Error('socket hang up')],
  ['answers nothing', undefined],
  ['answers nonsense', { outcome: 'done', last4: '12345' }],
  [
    'answers with a whole number',
    { outcome: 'done', issuerReference: 'x', last4: '4000001234567899', expMonth: 1, expYear: 2030 },
  ],
])('takes it for unknown when the issuer %s', async (_, answer) => {
  jest.spyOn(issuer(), 'issue').mockImplementation(async () => {
    if (answer instanceof Error) throw answer;
    return answer as IssueResult;
  });
  const { status, body } = await owner.issue();
  expect([status, body.status, await owner.money(body.id)]).toEqual([202, 'pending', HELD]);
  jest.restoreAllMocks();
  await owner.advance(10);
  expect((await owner.get(body.id)).status).toBe('active');
});

it('answers when the caller does not want to wait longer, and goes on', async () => {
  const answer = Promise.withResolvers<Issued>();
  jest.spyOn(issuer(), 'issue').mockReturnValue(answer.promise);
  const { status, body } = await owner.issue({ headers: { prefer: 'wait=0' } });
  expect([status, body.status]).toEqual([202, 'pending']);
  answer.resolve({ outcome: 'done', issuerReference: 'late', last4: '0042', expMonth: 12, expYear: 2031 });
  while ((await owner.get(body.id)).status === 'pending');
  expect(await owner.get(body.id)).toMatchObject({ status: 'active', last4: '0042', exp_month: 12, exp_year: 2031 });
});

describe('a process that dies', () => {
  it('before it asks the issuer leaves the card to the next one', async () => {
    const { promise: silence, reject: end } = Promise.withResolvers<never>();
    const asked = jest.spyOn(issuer(), 'issue').mockReturnValue(silence);
    const { body } = await owner.issue({ headers: { prefer: 'wait=0' } });
    await until(() => asked.mock.calls.length > 0);
    expect([asked.mock.calls.length, await owner.money(body.id)]).toEqual([1, HELD]);
    jest.restoreAllMocks();
    await owner.advance(29);
    expect((await owner.get(body.id)).status).toBe('pending');
    await owner.advance(10);
    expect([(await owner.get(body.id)).status, await owner.money(body.id)]).toEqual(['active', ISSUED]);
    end(new Error('killed'));
  });

  it.each(['Obi', 'DECLINE'])(
    'after the issuer answered (%s) and before that is booked finds the answer again',
    async (lastName) => {
      const ledger = duka.get<LedgerService>(LedgerService);
      const post = ledger.post.bind(ledger);
      jest
        .spyOn(ledger, 'post')
        .mockImplementation((posting) =>
          posting.holds?.some(({ kind }) => kind !== 'open') ? Promise.reject(new Error('killed')) : post(posting),
        );
      const { body } = await owner.issue({ lastName });
      expect([body.status, await owner.money(body.id)]).toEqual(['pending', HELD]);
      jest.restoreAllMocks();
      await owner.advance(40);
      const isRefused = lastName === 'DECLINE';
      expect([(await owner.get(body.id)).status, await owner.money(body.id)]).toEqual(
        isRefused ? ['failed', BACK] : ['active', ISSUED],
      );
      expect(await owner.events(body.id)).toEqual([isRefused ? 'card.issue_failed' : 'card.issued']);
    },
  );

  it('while two look at once books one answer', async () => {
    const { body } = await owner.issue({ lastName: 'Unknown' });
    const twin = await duka.twin();
    await owner.advance(20);
    await Promise.all([owner.advance(1), twin.api(owner.api.secret).post('/v4/sandbox/clock/advance', { seconds: 1 })]);
    await twin.stop();
    expect([(await owner.get(body.id)).status, await owner.money(body.id)]).toEqual(['active', ISSUED]);
  });
});

it('is asked for at the issuer that the routes name first, of this mode', async () => {
  const other: CardIssuer = {
    issue: async () => ({
      outcome: 'refused',
      code: 'not_today',
      message: 'Card 4000001234567899 at https://10.0.0.1/x',
      recovery: 'none',
    }),
    find: async () => ({ outcome: 'not_known' }),
    setState: async () => ({ outcome: 'done' }),
    reveal: async () => ({ url: 'https://issuer.example/x' }),
  };
  duka.get<Registry>(Registry).add({ product: 'cards', name: 'second', mode: 'test' }, other);
  await duka.app
    .get(DataSource)
    .query(
      `INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('cards', 'mastercard', false, 'second', 1)`,
    );
  expect((await owner.issue()).body.status).toBe('active');
  const { body } = await owner.issue({ brand: 'mastercard' });
  expect([body.status, body.status_reason]).toEqual(['failed', 'not_today']);
  expect((await transactionOf(body.id)).failure.message).toBe('Card [number] at [address]');
});
