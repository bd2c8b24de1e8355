import { Hops } from '../src/core/cells/hop';
import { ThreeCells } from './support/cells';
import { type Browser, newOwner } from './support/dashboard';
import { CELL_SECRET } from './support/other-cell';

let cells: ThreeCells;
/** With a log-in in the cell a. */
let operator: Browser;

beforeAll(async () => {
  cells = await ThreeCells.start();
  operator = await newOwner(cells.of.a);
  await cells.of.a.setOperator(operator.email, true);
}, 120_000);
afterAll(() => cells.stop());

const OF_B = { 'duka-cell': 'b' };

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
