import { decodeId } from '../src/core/http/ids';
import { expectBooksToBalance } from './support/books';
import { CardOwner } from './support/cardholder';
import { CommandLine } from './support/command-line';
import { Duka } from './support/duka';
import { Payer } from './support/payer';
import { Shopper } from './support/shopper';

const ABOVE = '5000001';

let line: CommandLine;
let account: { id: string; test_wallet: string; live_wallet: string };
let ada: string[];
let bola: string[];
let owner: string[];

beforeAll(async () => {
  line = await CommandLine.start();
  account = (await line.duka('account:create', '--name', 'Shop')).json;
  [ada, bola] = [await line.person('ada@example.com', true), await line.person('bola@example.com', true)];
  owner = await line.person('owner@example.com', false);
});
afterAll(() => line.drop());

const deposit = (by: string[], reference: string, amount: string, wallet = account.live_wallet) =>
  line.duka('wallet:deposit', '--wallet', wallet, '--amount', amount, '--reference', reference, ...by);

describe('a deposit of live money', () => {
  it('is ordered by an operator, with a reason', async () => {
    expect(await deposit([], 'a-1', '5')).toMatchObject({
      status: 1,
      json: { error: { code: 'validation_failed', param: '/reason' } },
    });
    expect(await deposit(ada.slice(0, 2), 'a-1', '5')).toMatchObject({
      status: 1,
      json: { error: { code: 'validation_failed', param: '/reason' } },
    });
    for (const by of [owner, ['--person', 'nobody', '--reason', 'x']]) {
      expect(await deposit(by, 'a-1', '5')).toMatchObject({
        status: 1,
        json: { error: { code: 'not_found', param: '/person' } },
      });
    }
  });

  it('up to the threshold takes one person; repeated it writes no second entry', async () => {
    expect(await deposit(['--person', ' ADA@example.com', '--reason', 'statement'], 'a-2', '5000000')).toMatchObject({
      status: 0,
      json: { settled: true, replayed: false },
    });
    const before = await line.audited();
    expect(before.at(-1)).toMatchObject({
      action: 'wallet.deposited',
      actor: 'operator ada@example.com',
      userId: expect.any(String),
      detail: { reason: 'statement', reference: 'a-2' },
    });
    expect(await deposit(bola, 'a-2', '5000000')).toMatchObject({ status: 0, json: { settled: true, replayed: true } });
    expect(await line.audited()).toEqual(before);
  });

  it('above it takes two log-ins that order the same', async () => {
    const { available } = (await deposit(ada, 'a-2', '5000000')).json;
    expect(await deposit(ada, 'big', ABOVE)).toMatchObject({
      status: 3,
      json: { settled: false, transaction_id: null, available },
    });
    expect(await deposit(ada, 'big', ABOVE)).toMatchObject({
      status: 1,
      json: { error: { code: 'invalid_state_transition', detail: expect.stringContaining('ada@example.com') } },
    });
    // Another amount or reference is another deposit, and its order leaves this one as it is.
    expect(await deposit(bola, 'big', '5000002')).toMatchObject({ status: 3 });
    expect(await deposit(ada, 'other', ABOVE)).toMatchObject({ status: 3 });
    const done = await deposit(bola, 'big', ABOVE);
    expect(done).toMatchObject({
      status: 0,
      json: { settled: true, replayed: false, available: available + 5_000_001 },
    });
    const entries = (await line.audited()).filter(
      ({ detail }) => detail.reference === 'big' && detail.amount === 5_000_001,
    );
    expect(entries.map(({ action, actor, target }) => [action, actor, target])).toEqual([
      ['wallet.deposit_ordered', 'operator ada@example.com', account.live_wallet],
      ['wallet.deposited', 'operator bola@example.com', done.json.transaction_id],
    ]);
    for (const by of [ada, bola])
      expect(await deposit(by, 'big', ABOVE)).toMatchObject({
        status: 0,
        json: { replayed: true, transaction_id: done.json.transaction_id },
      });
    expect(await deposit(ada, 'big', '5000002')).toMatchObject({
      status: 1,
      json: { error: { code: 'duplicate_reference' } },
    });
    expect(
      await line.query(
        `SELECT person, resource FROM review_verdicts v WHERE resource_id = (SELECT resource_id FROM review_verdicts WHERE note LIKE 'big:%' ORDER BY id LIMIT 1) ORDER BY id`,
      ),
    ).toEqual([
      { person: 'ada@example.com', resource: 'wal' },
      { person: 'bola@example.com', resource: 'wal' },
    ]);
    await expectBooksToBalance(line.url);
  });

  it('of test money needs neither', async () => {
    expect(await deposit([], 'big', ABOVE, account.test_wallet)).toMatchObject({ status: 0, json: { settled: true } });
  });
});

describe('operators', () => {
  it('are made by operators, but for the first', async () => {
    const other = await CommandLine.start();
    const [first] = await Promise.all([
      other.person('first@example.com', false),
      other.person('second@example.com', false),
    ]);
    const { duka } = other;
    expect(await duka('user:operator', '--email', 'first@example.com')).toMatchObject({
      status: 0,
      json: { operator: true },
    });
    const second = ['user:operator', '--email', 'second@example.com'];
    expect(await duka(...second)).toMatchObject({
      status: 1,
      json: { error: { code: 'validation_failed', param: '/reason' } },
    });
    expect(await duka(...second, '--person', 'second@example.com', '--reason', 'me')).toMatchObject({
      status: 1,
      json: { error: { code: 'not_found', param: '/person' } },
    });
    expect(await duka(...second, ...first)).toMatchObject({ status: 0, json: { operator: true } });
    await other.drop();
  });

  it.each([
    ['account:enable-live', 'account.live_enabled', {}],
    ['account:require-key', 'account.key_required', { require_idempotency_key: true }],
  ])('%s is ordered by one of them', async (command, action, detail) => {
    const order = [command, '--account', account.id, ...(command === 'account:enable-live' ? ['--force'] : [])];
    expect(await line.duka(...order)).toMatchObject({ status: 1, json: { error: { param: '/reason' } } });
    expect(await line.duka(...order, ...owner)).toMatchObject({ status: 1, json: { error: { param: '/person' } } });
    expect(
      await line.query('SELECT 1 FROM accounts WHERE live_enabled AND $1 = 1 OR require_idempotency_key AND $1 = 2', [
        command === 'account:enable-live' ? 1 : 2,
      ]),
    ).toEqual([]);
    expect(await line.duka(...order, ...bola)).toMatchObject({ status: 0 });
    expect((await line.audited()).at(-1)).toMatchObject({
      action,
      actor: 'operator bola@example.com',
      target: account.id,
      detail: { reason: 'bank statement 7', ...detail },
    });
  });
});

describe('keys', () => {
  const make = (mode: string, ...by: string[]) =>
    line.duka('key:create', '--account', account.id, '--mode', mode, ...by);
  const keys = () => line.query('SELECT id, revoked_at IS NULL AS lives FROM api_keys ORDER BY id');

  beforeAll(() => line.duka('account:enable-live', '--account', account.id, '--force', ...ada));

  it('for live money are made and stopped by operators, with a reason', async () => {
    const before = await keys();
    expect(await make('live')).toMatchObject({ status: 1, json: { error: { param: '/reason' } } });
    expect(await make('live', ...owner)).toMatchObject({ status: 1, json: { error: { param: '/person' } } });
    expect(await keys()).toEqual(before);
    const made = await make('live', '--person', ' Ada@example.com', '--reason', 'first key');
    expect(made).toMatchObject({ status: 0, json: { livemode: true } });
    expect((await line.audited()).at(-1)).toMatchObject({
      action: 'key.created',
      actor: 'operator ada@example.com',
      userId: expect.any(String),
      target: made.json.id,
      detail: { reason: 'first key', livemode: true },
    });

    const stop = ['key:revoke', '--key', made.json.id];
    expect(await line.duka(...stop)).toMatchObject({ status: 1, json: { error: { param: '/reason' } } });
    expect(await line.duka(...stop, ...owner)).toMatchObject({ status: 1, json: { error: { param: '/person' } } });
    expect((await keys()).at(-1)).toMatchObject({ lives: true });
    expect(await line.duka(...stop, ...bola)).toMatchObject({ status: 0, json: { revoked_at: expect.any(String) } });
    const entries = await line.audited();
    expect(entries.at(-1)).toMatchObject({
      action: 'key.revoked',
      actor: 'operator bola@example.com',
      target: made.json.id,
    });
    expect(await line.duka(...stop, ...bola)).toMatchObject({ status: 0 });
    expect(await line.audited()).toEqual(entries);
  });

  it('are neither made nor stopped without their entry', async () => {
    const { json } = await make('test');
    expect((await line.audited()).at(-1)).toMatchObject({ action: 'key.created', userId: null, target: json.id });
    const before = await keys();
    await line.query(
      `ALTER TABLE audit_log ADD CONSTRAINT audit_log_no_keys CHECK (action NOT LIKE 'key.%') NOT VALID`,
    );
    try {
      expect((await make('test')).status).toBe(1);
      expect((await line.duka('key:revoke', '--key', json.id)).status).toBe(1);
      expect(await keys()).toEqual(before);
    } finally {
      await line.query('ALTER TABLE audit_log DROP CONSTRAINT audit_log_no_keys');
    }
  });
});

describe('what operators decide in an account', () => {
  let duka: Duka;
  let there: CommandLine;
  beforeAll(async () => {
    duka = await Duka.start({ REVIEW_TWO_PEOPLE_ABOVE: '1000000' });
    there = CommandLine.on(duka.env.DATABASE_URL!);
    await there.person('ada@example.com', true);
    await there.person('owner@example.com', false);
  });
  afterAll(() => duka.stop());

  const entryOf = async (target: string) => (await there.audited()).filter((one) => one.target === target);

  it('about a refund is in its audit log', async () => {
    const payer = await Payer.of(duka);
    const id = await payer.contradicted();
    const { json } = await there.duka('refund:review');
    expect(json.refunds).toMatchObject([{ refund_id: id, account_id: payer.account.id, amount: '40000' }]);
    const of = ['--account', payer.account.id, '--refund', id, '--mode', 'test', '--outcome', 'failed'];
    const resolved = await there.duka('refund:resolve', ...of, '--person', 'ada@example.com', '--note', 'statement');
    expect(resolved).toMatchObject({ status: 0, json: { refund_id: id, settled: true, status: 'failed' } });
    expect(await entryOf(id)).toMatchObject([
      { action: 'refund.reviewed', actor: 'operator ada@example.com', detail: { outcome: 'failed', settled: true } },
    ]);
    expect((await there.duka('refund:review')).json).toMatchObject({ refunds: [] });
  });

  it('about a payment and a purchase is in its audit log', async () => {
    const payer = await Payer.of(duka);
    const { id } = await payer.asked();
    await payer.complete(id, 'underpaid');
    const resolved = await there.duka(
      'payment:resolve',
      '--account',
      payer.account.id,
      '--payment',
      id,
      '--mode',
      'test',
      '--outcome',
      'accept_received',
      '--person',
      'ada@example.com',
      '--note',
      'statement',
    );
    expect(resolved).toMatchObject({ status: 0, json: { settled: true } });
    expect(await entryOf(id)).toMatchObject([
      {
        action: 'payment.reviewed',
        actor: 'operator ada@example.com',
        detail: { reason: 'statement', outcome: 'accept_received', settled: true },
      },
    ]);

    const shopper = await Shopper.in(duka);
    const { body } = await shopper.steer('outcome=timeout; then=never');
    const purchase = [
      'purchase:resolve',
      '--account',
      shopper.account.id,
      '--transaction',
      body.id,
      '--mode',
      'test',
      '--outcome',
      'not_delivered',
      '--note',
      'ticket 7',
    ];
    expect(await there.duka(...purchase, '--person', 'owner@example.com')).toMatchObject({
      status: 1,
      json: { error: { code: 'not_found' } },
    });
    expect(await there.duka(...purchase, '--person', 'ada@example.com')).toMatchObject({
      status: 0,
      json: { settled: true },
    });
    expect(await entryOf(body.id)).toMatchObject([
      { action: 'purchase.reviewed', actor: 'operator ada@example.com', detail: { reason: 'ticket 7', settled: true } },
    ]);
    const asked = [
      'purchase:resolve',
      '--account',
      shopper.account.id,
      '--transaction',
      body.id,
      '--mode',
      'test',
      '--outcome',
      'unchanged',
      '--note',
      'ticket 8',
      '--person',
      'ada@example.com',
    ];
    expect(await there.duka(...asked)).toMatchObject({
      status: 1,
      json: { error: { code: 'invalid_state_transition' } },
    });
    await there.query(
      `WITH p AS (UPDATE purchases SET review = 'x' WHERE id = $1) UPDATE transactions SET needs_review = true WHERE id = $1`,
      [decodeId('txn', body.id)],
    );
    expect(await there.duka(...asked)).toMatchObject({ status: 0, json: { settled: true, status: 'failed' } });
    expect((await entryOf(body.id)).at(-1)).toMatchObject({
      action: 'purchase.reviewed',
      detail: { reason: 'ticket 8', outcome: 'unchanged', settled: true },
    });
  });

  it('about a card, too', async () => {
    const owns = await CardOwner.of(duka);
    const { id } = await owns.card();
    const block = ['card:block', '--card', id, '--reason', 'fraud', '--person'];
    expect(await there.duka(...block, 'owner@example.com')).toMatchObject({
      status: 1,
      json: { error: { code: 'not_found' } },
    });
    expect(await there.duka(...block, 'Ada@example.com')).toMatchObject({ status: 0, json: { status: 'blocked' } });
    expect((await there.duka(...block, 'ada@example.com')).status).toBe(1);
    expect(await entryOf(id)).toMatchObject([
      { action: 'card.blocked', actor: 'operator ada@example.com', detail: { reason: 'fraud' } },
    ]);
  });
});

describe('from where on refunds need a second person', () => {
  const limit = (...more: string[]) => line.duka('refund:limits', '--account', account.id, ...more);

  it('is said by an operator of live money, by anybody at the keyboard of test money', async () => {
    expect(await limit('--approval-above', '5000')).toMatchObject({ status: 1, json: { error: { param: '/reason' } } });
    const set = { account_id: account.id, livemode: true, currency: 'NGN', approval_above: '5000' };
    expect(await limit('--approval-above', '5000', ...ada)).toMatchObject({ status: 0, json: set });
    expect((await line.audited()).at(-1)).toMatchObject({
      action: 'account.refund_limits_set',
      actor: 'operator ada@example.com',
      detail: { before: { approval_above: null }, after: { approval_above: '5000' } },
    });
    expect(await limit(...ada)).toMatchObject({ status: 0, json: { ...set, approval_above: null } });
    expect(await limit('--test', '--approval-above', '1')).toMatchObject({ status: 0, json: { livemode: false } });
    expect((await limit('--approval-above', '-1', ...ada)).status).not.toBe(0);
  });
});
