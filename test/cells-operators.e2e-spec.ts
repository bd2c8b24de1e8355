import { Hops } from '../src/core/cells/hop';
import { decodeId, encodeId } from '../src/core/http/ids';
import { OperatorAccounts } from '../src/modules/platform/operator-accounts.service';
import { ThreeCells } from './support/cells';
import { command } from './support/command-line';
import { type Browser, newOwner } from './support/dashboard';
import { CELL_SECRET } from './support/other-cell';
import { Payer } from './support/payer';
import { setRate } from './support/rates';

let cells: ThreeCells;
/** With a log-in in the cell a. */
let operator: Browser;

beforeAll(async () => {
  cells = await ThreeCells.start();
  operator = await newOwner(cells.of.a);
  await cells.of.a.setOperator(operator.email, true);
});
afterAll(() => cells.stop());

const OF_B = { 'duka-cell': 'b' };

const noted = async (who: Browser): Promise<[action: string, target: string][]> =>
  (await who.get('/audit-log')).body.data.map(({ action, target }: any) => [action, target]);

describe('an operator of one cell', () => {
  it('asks another by its name, and sees and changes what is there', async () => {
    const { id } = await cells.of.b.account('Shop of b');
    const names = async (headers: Record<string, string>) =>
      (await operator.get('/operators/accounts', headers)).body.data.map(({ id: one }: any) => one);
    expect([await names({}), await names(OF_B)]).toEqual([expect.not.arrayContaining([id]), [id]]);
    const verify = () => operator.call('POST', '/operators/books/verifications', {}, OF_B);
    await operator.stepUp();
    const began = await verify();
    expect(began.status).toBeLessThan(300);
    const verifications = (name: 'a' | 'b') =>
      cells.of[name].asOwner('SELECT count(*)::int AS count FROM ledger_verifications');
    expect([await verifications('a'), await verifications('b')]).toEqual([[{ count: 0 }], [{ count: 1 }]]);
    expect(await noted(operator)).toContainEqual(['books.verification_ordered', expect.any(String)]);
  });

  it('sees what conversions left in another, though no account of theirs is there', async () => {
    await setRate(cells.of.a, { from: 'USD', to: 'NGN', rate: '1500' });
    await cells.replicate();
    const { api } = await cells.of.b.account();
    const [naira, dollars] = [await api.wallet(300_000), await api.wallet(0, 'USD')];
    const wanted = { from_currency: 'NGN', to_currency: 'USD', amount: 150_000 };
    const { body: quote } = await api.post('/v4/quotes', wanted);
    const order = { quote_id: quote.id, from_wallet: naira, to_wallet: dollars };
    expect((await api.post('/v4/conversions', order)).status).toBe(201);
    const positions = async (headers: Record<string, string>) =>
      (await operator.get('/operators/books/positions?livemode=false&in=NGN', headers)).body.data;
    expect(await positions({})).toEqual([]);
    expect((await positions(OF_B)).map(({ currency }: any) => currency)).toEqual(['NGN', 'USD']);
  });

  it('has what they decide in another in the audit log of their own account, and it is kept nowhere else', async () => {
    const payer = await Payer.of(cells.of.b);
    const refund = await payer.contradicted();
    const [difference] = await cells.of.b.asOwner(
      `INSERT INTO provider_differences (id, provider, currency, kind, reference, transaction, ours, theirs)
       VALUES (gen_random_uuid(), 'acme', 'NGN', 'amount', 'their-7', NULL, 10000, 9000) RETURNING id`,
    );
    const ask = (path: string, body: object) => operator.post(`/operators/${path}`, body, OF_B);
    const explain = () => ask(`live/differences/${difference!.id as string}`, { reason: 'theirs' });
    const decision = { account_id: payer.account.id, livemode: false, outcome: 'successful', note: 'seen' };
    await operator.stepUp();
    expect((await ask(`reviews/refunds/${refund}`, decision)).status).toBe(200);
    expect((await explain()).status).toBeLessThan(300);
    expect((await explain()).status).toBe(404);
    const entries = await noted(operator);
    expect(entries.filter(([action]) => action === 'refund.reviewed')).toEqual([['refund.reviewed', refund]]);
    expect(entries.filter(([action]) => action === 'difference.explained')).toEqual([
      ['difference.explained', difference!.id],
    ]);
    const strays = `SELECT action FROM audit_log WHERE account_id = $1`;
    const { body } = await operator.get('/me');
    expect(await cells.of.b.asOwner(strays, [decodeId('acct', body.account.id)])).toEqual([]);
  });

  it('whose account is in another orders in the control cell, and finds it in the audit log of their own', async () => {
    const bola = await newOwner(cells.of.b);
    const made = [
      'user:operator',
      '--email',
      bola.email,
      '--person',
      operator.email,
      '--reason',
      'asked for',
      '--json',
    ];
    const { status } = await command(made, { DATABASE_URL: cells.of.a.env.DATABASE_URL!, CELL_SECRET });
    expect(status).toBe(0);
    const [person] = await cells.of.a.asOwner('SELECT id FROM users WHERE email = $1', [bola.email]);
    const reviewer = { userId: person!.id as string, email: bola.email };
    const order = { operator: reviewer, name: bola.email, reason: 'asked for', ip: null };
    const [{ code }] = (await cells.of.a.asOwner('SELECT code FROM billers WHERE enabled LIMIT 1')) as [
      { code: string },
    ];
    const { changed } = (await cells.of.a.get<OperatorAccounts>(OperatorAccounts).switchBiller(order, code, false)) as {
      changed: boolean;
    };
    expect(changed).toBe(true);
    await cells.replicate();
    expect(await noted(bola)).toEqual(
      expect.arrayContaining([
        ['biller.disabled', code],
        ['operator.made', encodeId('usr', reviewer.userId)],
      ]),
    );
  });

  it('is told which cells there are, what they keep and who of them is away', async () => {
    const list = async () => (await operator.get('/operators/cells')).body.data;
    const cell = (name: string, slots: number, more: object = {}) => ({
      name,
      slots,
      own: false,
      control: false,
      answers: true,
      ...more,
    });
    const own = cell('a', 0x500, { own: true, control: true });
    expect(await list()).toEqual([own, cell('b', 0x600), cell('c', 0x500)]);
    await cells.of.c.app.close();
    expect(await list()).toEqual([own, cell('b', 0x600), cell('c', 0x500, { answers: false })]);
    await cells.restart('c');
    expect((await operator.get('/me')).body.user.several_cells).toBe(true);
  });

  it('is told which cells there are not, and which do not answer', async () => {
    const accounts = (cell: string) => operator.get('/operators/accounts', { 'duka-cell': cell });
    expect((await accounts('z')).status).toBe(404);
    await cells.of.c.app.close();
    expect((await accounts('c')).body.code).toBe('service_unavailable');
    await cells.restart('c');
    expect((await accounts('c')).status).toBe(200);
  });
});

it('whoever is no operator asks no other cell, and nobody is one by a seal of their own', async () => {
  const owner = await newOwner(cells.of.a);
  expect((await owner.get('/me')).body.user.several_cells).toBe(false);
  expect((await owner.get('/operators/accounts', OF_B)).body.code).toBe('insufficient_role');
  const path = '/dashboard/api/operators/accounts';
  const person = {
    userId: '01890a5d-ac96-774b-bcce-b302099a8057',
    isOperator: true,
    startedAt: 0,
    steppedUpUntil: null,
  };
  const forged = new Hops(`${CELL_SECRET}, nearly`).headerOf(
    { kind: 'forward', from: 'a', epoch: 1, requestId: person.userId, ip: '127.0.0.1', slot: 'cell:b', person },
    'GET',
    path,
  );
  expect((await fetch(cells.of.b.url + path, { headers: { 'duka-hop': forged } })).status).toBe(403);
});
