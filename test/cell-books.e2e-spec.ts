import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeId, newIdOf } from '../src/core/http/ids';
import { SealService } from '../src/modules/ledger/seal.service';
import { CellTransfersService } from '../src/modules/wallets/cell-transfers.service';
import { type CellName, ThreeCells } from './support/cells';
import { answerOf, command } from './support/command-line';
import type { Duka } from './support/duka';
import { CELL_SECRET } from './support/other-cell';

let cells: ThreeCells;
let folder: string;
let file: string;
let from: string;
let to: string;

const urlOf = (name: CellName): string => cells.of[name].env.DATABASE_URL!;
/** `verify:ledger` at the cell a. */
const verify = async (urls = [urlOf('b'), urlOf('c')]) => {
  writeFileSync(file, `# the others\n${urls.join('\n')}\n`);
  const settings = { DATABASE_URL: urlOf('a'), CELL_SECRET };
  return answerOf(await command(['verify:ledger', '--cells', file, '--json'], settings));
};
/** Names of the checks of all cells together that fail, each with what it found. */
const broken = async (): Promise<Record<string, any>> => {
  const { status, json } = await verify();
  expect(status).toBe(json.ok ? 0 : 1);
  return Object.fromEntries(json.checks.filter(({ ok }: any) => !ok).map(({ check, sample }: any) => [check, sample]));
};
/** A statement that is taken back when the work is done. */
async function planted(duka: Duka, statement: string, back: string, values: unknown[], work: () => Promise<void>) {
  const { length } = await duka.asOwner(`${statement} RETURNING 1`, values);
  expect(length).toBe(1);
  try {
    await work();
  } finally {
    await duka.asOwner(back, values);
  }
}

beforeAll(async () => {
  cells = await ThreeCells.start();
  folder = mkdtempSync(join(tmpdir(), 'duka-cells-'));
  file = join(folder, 'cells');
  const [a, b] = [await cells.of.a.account(), await cells.of.b.account()];
  from = await a.api.wallet(10_000);
  to = await b.api.wallet();
  expect((await a.api.transfer(from, to, 2_500)).status).toBe(201);
  // One that arrived, and is still held where it came from.
  jest.spyOn(cells.of.a.get<any>(CellTransfersService), 'end').mockRejectedValue(new Error('it died here'));
  const held = await a.api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount: 700 });
  expect([held.status, (await b.api.balance(to)).available]).toEqual([202, 3_200]);
  await cells.of.a.get<SealService>(SealService).seal();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await cells.stop();
});

it('proves each cell and all of them, and names the heads of their chains', async () => {
  const { status, json } = await verify();
  expect([status, json.ok]).toEqual([0, true]);
  expect(json.cells.map(({ cell, checks }: any) => [cell, checks.length > 40])).toEqual([
    ['a', true],
    ['b', true],
    ['c', true],
  ]);
  const [{ head }] = (await cells.of.a.asOwner(
    `SELECT position || ':' || encode(chain, 'hex') AS head FROM ledger_batches ORDER BY position DESC NULLS LAST`,
  )) as [{ head: string }];
  expect([json.cells[0].head, json.cells[2].head]).toEqual([head, null]);
  writeFileSync(file, `${urlOf('b')}\n${urlOf('c')}`);
  const { stdout } = await command(['verify:ledger', '--cells', file], { DATABASE_URL: urlOf('a'), CELL_SECRET });
  expect(stdout).toMatch(/^cell a\nok {4}[^]+\nall cells\nok {4}cells_know_the_same_slots\n/);
  expect(stdout).toContain(`head of a: ${head}\nhead of b: nothing is sealed yet\n`);
});

it('counts what is credited and still held as it should be, also when it is old', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  expect(await broken()).toEqual({});
  jest.mocked(Date.now).mockRestore();
});

it('finds an account in a cell that does not keep it, and one in two cells', async () => {
  const { id } = await cells.of.a.account();
  const account = decodeId('acct', id)!;
  const [row] = await cells.of.a.asOwner('SELECT to_jsonb(a) AS row FROM accounts a WHERE id = $1', [account]);
  await cells.of.c.asOwner('INSERT INTO accounts SELECT * FROM jsonb_populate_record(NULL::accounts, $1)', [row!.row]);
  expect(await broken()).toEqual({
    accounts_are_in_their_cell: [{ account_id: account, cell: 'c' }],
    accounts_are_in_one_cell: [{ account_id: account, cells: ['a', 'c'] }],
  });
  await cells.of.c.asOwner('DELETE FROM accounts WHERE id = $1', [account]);
});

it('finds a credit without its transfer, and a transfer without its credit', async () => {
  const { b } = cells.of;
  const [{ id }] = (await b.asOwner('SELECT transfer_id AS id FROM cell_credits WHERE amount = 2500')) as [
    { id: string },
  ];
  const other = newIdOf(id);
  const rename = (to: string) => `UPDATE cell_credits SET transfer_id = $${to}`;
  await planted(
    b,
    `${rename('2')} WHERE transfer_id = $1`,
    `${rename('1')} WHERE transfer_id = $2`,
    [id, other],
    async () => {
      const { transfers_between_cells_match: found, ...more } = await broken();
      expect(more).toEqual({});
      expect(found).toMatchObject([
        { transfer_id: id, sides: [{ cell: 'a', kind: 'transfer', state: 'successful' }] },
        { transfer_id: other, sides: [{ cell: 'b', kind: 'credit', state: 'credited' }] },
      ]);
    },
  );
});

it('finds a credit of another amount than was sent', async () => {
  const set = (sum: string) => `UPDATE cell_credits SET amount = amount ${sum} 1`;
  await planted(cells.of.b, `${set('+')} WHERE amount = $1`, `${set('-')} WHERE amount = $1 + 1`, [700], async () =>
    expect(Object.keys(await broken())).toEqual(['transfers_between_cells_match', 'money_in_transit_sums_to_zero']),
  );
});

it('finds money in transit that nobody sent', async () => {
  const set = (sum: string) =>
    `UPDATE ledger_accounts SET available = available ${sum} $1 WHERE name = 'in_transit' AND currency = 'NGN'`;
  await planted(cells.of.a, set('+'), set('-'), [5], async () =>
    expect(await broken()).toMatchObject({
      money_in_transit_sums_to_zero: [{ currency: 'NGN', livemode: false, sum: '5' }],
    }),
  );
});

it('finds a cell that has an old table of slots', async () => {
  const set = (sum: string) => `UPDATE cells SET epoch = epoch ${sum} $1 WHERE name = 'b'`;
  await planted(cells.of.c, set('+'), set('-'), [1], async () =>
    expect(Object.keys(await broken())).toEqual(['cells_know_the_same_slots']),
  );
});

it('is not content with some of the cells, with one twice, or with another database', async () => {
  const errorOf = async (...urls: string[]) => (await verify(urls)).json.error?.detail;
  expect(await errorOf(urlOf('b'))).toBe('No database was given of the cells: c.');
  expect(await errorOf(urlOf('b'), urlOf('b'), urlOf('c'))).toMatch('The cell b was given twice');
  const none = new URL(urlOf('b'));
  none.pathname = '/duka';
  expect(await errorOf(none.href)).toBe('The database duka is no cell.');
  const both = await command(['verify:ledger', '--cells', file, '--head', `1:${'0'.repeat(64)}`], {});
  expect([both.status, both.stderr]).toEqual([2, expect.stringContaining('cannot be used with')]);
});
