import { expectBooksToBalance } from './support/books';
import { CommandLine } from './support/command-line';

const ABOVE = '5000001';

let line: CommandLine;
let account: { id: string; test_wallet: string; live_wallet: string };
let ada: string[];
let bola: string[];
let owner: string[];

beforeAll(async () => {
  line = await CommandLine.start();
  account = line.duka('account:create', '--name', 'Shop').json;
  [ada, bola] = [await line.person('ada@example.com', true), await line.person('bola@example.com', true)];
  owner = await line.person('owner@example.com', false);
}, 120_000);
afterAll(() => line.drop());

const deposit = (by: string[], reference: string, amount: string, wallet = account.live_wallet) =>
  line.duka('wallet:deposit', '--wallet', wallet, '--amount', amount, '--reference', reference, ...by);

describe('a deposit of live money', () => {
  it('is ordered by an operator, with a reason', () => {
    expect(deposit([], 'a-1', '5')).toMatchObject({ status: 1, json: { error: { code: 'validation_failed', param: '/reason' } } });
    expect(deposit(ada.slice(0, 2), 'a-1', '5')).toMatchObject({ status: 1, json: { error: { code: 'validation_failed', param: '/reason' } } });
    for (const by of [owner, ['--person', 'nobody', '--reason', 'x']]) {
      expect(deposit(by, 'a-1', '5')).toMatchObject({ status: 1, json: { error: { code: 'not_found', param: '/person' } } });
    }
  });

  it('up to the threshold takes one person; repeated it writes no second entry', async () => {
    expect(deposit(['--person', ' ADA@example.com', '--reason', 'statement'], 'a-2', '5000000')).toMatchObject({ status: 0, json: { settled: true, replayed: false } });
    const before = await line.audited();
    expect(before.at(-1)).toMatchObject({ action: 'wallet.deposited', actor: 'operator ada@example.com', userId: expect.any(String), detail: { reason: 'statement', reference: 'a-2' } });
    expect(deposit(bola, 'a-2', '5000000')).toMatchObject({ status: 0, json: { settled: true, replayed: true } });
    expect(await line.audited()).toEqual(before);
  });

  it('above it takes two log-ins that order the same', async () => {
    const { available } = deposit(ada, 'a-2', '5000000').json;
    expect(deposit(ada, 'big', ABOVE)).toMatchObject({ status: 3, json: { settled: false, transaction_id: null, available } });
    expect(deposit(ada, 'big', ABOVE)).toMatchObject({ status: 1, json: { error: { code: 'invalid_state_transition', detail: expect.stringContaining('ada@example.com') } } });
    // Another amount or reference is another deposit, and its order leaves this one as it is.
    expect(deposit(bola, 'big', '5000002')).toMatchObject({ status: 3 });
    expect(deposit(ada, 'other', ABOVE)).toMatchObject({ status: 3 });
    const done = deposit(bola, 'big', ABOVE);
    expect(done).toMatchObject({ status: 0, json: { settled: true, replayed: false, available: available + 5_000_001 } });
    const entries = (await line.audited()).filter(({ detail }) => detail.reference === 'big' && detail.amount === 5_000_001);
    expect(entries.map(({ action, actor, target }) => [action, actor, target])).toEqual([
      ['wallet.deposit_ordered', 'operator ada@example.com', account.live_wallet], ['wallet.deposited', 'operator bola@example.com', done.json.transaction_id],
    ]);
    for (const by of [ada, bola]) expect(deposit(by, 'big', ABOVE)).toMatchObject({ status: 0, json: { replayed: true, transaction_id: done.json.transaction_id } });
    expect(deposit(ada, 'big', '5000002')).toMatchObject({ status: 1, json: { error: { code: 'duplicate_reference' } } });
    expect(await line.query(`SELECT person, resource FROM review_verdicts v WHERE resource_id = (SELECT resource_id FROM review_verdicts WHERE note LIKE 'big:%' ORDER BY id LIMIT 1) ORDER BY id`)).toEqual([
      { person: 'ada@example.com', resource: 'wal' }, { person: 'bola@example.com', resource: 'wal' },
    ]);
    await expectBooksToBalance(line.url);
  });

  it('of test money needs neither', () => {
    expect(deposit([], 'big', ABOVE, account.test_wallet)).toMatchObject({ status: 0, json: { settled: true } });
  });
});
