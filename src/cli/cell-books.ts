import { DataSource, type EntityManager } from 'typeorm';
import type { Env } from '../core/config/env';
import type { CheckResult } from '../core/database/checks';
import { dataSourceOptions } from '../core/database/options';
import { CannotStart } from '../core/errors/cannot-start';
import { lowestIdAt } from '../core/http/ids';
import { PLATFORM_ACCOUNT_ID } from '../modules/ledger/posting';

/** The database of a cell, as its owner. */
export interface CellBooks {
  readonly name: string;
  readonly db: DataSource;
}

/** A transfer between cells, as one of them has it. */
interface Side {
  readonly id: string;
  readonly kind: 'transfer' | 'credit';
  readonly cell: string;
  /** Wallets, amount and all that both have. */
  readonly terms: string;
  readonly state: string;
}

const SAMPLE_ROWS = 5;
const PAGE_ROWS = 5_000;
/** Longer than anything takes from getting its id to being committed, and clocks differ. */
const UNDER_WAY_MS = 5 * 60_000;

const SELECT_SLOTS = 'SELECT json_agg(c ORDER BY name)::text AS table FROM (SELECT name, slots, epoch FROM cells) c';

const SELECT_STRAYS = `
  SELECT a.id FROM accounts a WHERE a.id <> '${PLATFORM_ACCOUNT_ID}'
     AND NOT EXISTS (SELECT 1 FROM cells c JOIN this_cell USING (name)
                      WHERE c.slots @> slot_of(a.id))`;

const termsOf = (t: string): string =>
  `concat_ws(' ', ${['livemode', 'from_wallet_id', 'to_wallet_id', 'credit_transaction_id', 'amount', 'currency']
    .map((column) => `${t}.${column}`)
    .join()})`;

const SELECT_TRANSFERS = `
  SELECT x.id, 'transfer' AS kind, ${termsOf('x')} AS terms, x.status AS state
    FROM cell_transfers JOIN transfers x USING (account_id, livemode, id)`;
const SELECT_CREDITS = `
  SELECT c.transfer_id AS id, 'credit' AS kind, ${termsOf('c')} AS terms, coalesce(c.refusal, 'credited') AS state
    FROM cell_credits c`;

const SELECT_PROCESSING = `
  SELECT x.id FROM cell_transfers JOIN transfers x USING (account_id, livemode, id) WHERE x.status = 'processing'`;

/**
 * Without transfers that may be at another point where another cell is read: of `$1` and later, or among `$2`. What
 * came with its account came without the other side.
 */
const SELECT_IN_TRANSIT = `
  SELECT currency, livemode, sum(amount)::text AS sum FROM (
    SELECT currency, livemode, available AS amount FROM ledger_accounts WHERE name = 'in_transit'
    UNION ALL
    SELECT x.currency, x.livemode, -x.amount FROM cell_transfers JOIN transfers x USING (account_id, livemode, id)
     WHERE x.status = 'successful' AND (x.id >= $1 OR x.id = ANY($2))
    UNION ALL
    SELECT currency, livemode, amount FROM cell_credits
     WHERE refusal IS NULL AND (transfer_id >= $1 OR transfer_id = ANY($2))
    UNION ALL
    SELECT a.currency, a.livemode, -v.balance FROM ledger_arrivals v
      JOIN slot_moves m ON m.id = v.move_id AND m.ended_at IS NOT NULL
      JOIN ledger_accounts a ON a.account_id = v.account_id AND a.id = v.ledger_account_id
  ) s GROUP BY currency, livemode`;

const SELECT_HEAD = `
  SELECT position || ':' || encode(chain, 'hex') AS head FROM ledger_batches
   WHERE position IS NOT NULL ORDER BY position DESC LIMIT 1`;

/**
 * Opens the databases of all cells, which `own` closes. Throws `CannotStart` unless they are all that there are, each
 * once.
 */
export async function openCells(
  env: Env,
  urls: readonly string[],
  own: (opened: Promise<DataSource>) => Promise<DataSource>,
): Promise<CellBooks[]> {
  const cells: CellBooks[] = [];
  const named = new Set<string>();
  for (const url of urls) {
    const of = Object.assign(Object.create(env) as Env, { DATABASE_URL: url });
    const db = await own(new DataSource(dataSourceOptions(of, 'owner')).initialize());
    const [cell]: { name: string }[] = await db.query('SELECT name FROM this_cell');
    if (cell === undefined) throw new CannotStart(`The database ${db.driver.database} is no cell.`);
    if (cells.some(({ name }) => name === cell.name))
      throw new CannotStart(`The cell ${cell.name} was given twice: the file has the databases of the other cells.`);
    for (const { name } of (await db.query('SELECT name FROM cells')) as { name: string }[]) named.add(name);
    cells.push({ name: cell.name, db });
  }
  const missing = [...named].filter((name) => !cells.some((cell) => cell.name === name));
  if (missing.length > 0) throw new CannotStart(`No database was given of the cells: ${missing.sort().join(', ')}.`);
  return cells.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The last link of a cell's chain, as `--head` takes it; null: nothing is sealed yet. */
export async function headOf({ db }: CellBooks): Promise<string | null> {
  const [row]: { head: string }[] = await db.query(SELECT_HEAD);
  return row?.head ?? null;
}

/** What no cell can prove alone. While the services run, too. Writes nothing. */
export async function verifyAcrossCells(cells: readonly CellBooks[]): Promise<CheckResult[]> {
  return [
    resultOf('cells_know_the_same_slots', await findOldTables(cells)),
    ...(await checkAccounts(cells)),
    resultOf('transfers_between_cells_match', await findUnmatched(cells)),
    resultOf('money_in_transit_sums_to_zero', await findLostInTransit(cells)),
  ];
}

function resultOf(check: string, violations: readonly object[]): CheckResult {
  return { check, ok: violations.length === 0, found: violations.length, sample: violations.slice(0, SAMPLE_ROWS) };
}

/** The same of each cell, one after the other. */
async function ofEach<T>(
  cells: readonly CellBooks[],
  statement: string,
  values: unknown[] = [],
): Promise<(T & { cell: string })[]> {
  const all: (T & { cell: string })[] = [];
  for (const { name: cell, db } of cells)
    for (const row of (await db.query(statement, values)) as T[]) all.push({ ...row, cell });
  return all;
}

/** Where the table differs, what follows here proves nothing. */
async function findOldTables(cells: readonly CellBooks[]): Promise<object[]> {
  const tables = await ofEach<{ table: string }>(cells, SELECT_SLOTS);
  return new Set(tables.map(({ table }) => table)).size === 1 ? [] : tables;
}

async function checkAccounts(cells: readonly CellBooks[]): Promise<CheckResult[]> {
  const strays = await ofEach<{ id: string }>(cells, SELECT_STRAYS);
  const copies = await ofEach<{ id: string }>(cells, 'SELECT id FROM accounts WHERE id = ANY($1)', [
    strays.map(({ id }) => id),
  ]);
  const twice = [...Map.groupBy(copies, ({ id }) => id)].filter(([, rows]) => rows.length > 1);
  return [
    resultOf(
      'accounts_are_in_their_cell',
      strays.map(({ id, cell }) => ({ account_id: id, cell })),
    ),
    // Each slot is kept by one cell: of two with the same account one is the wrong one.
    resultOf(
      'accounts_are_in_one_cell',
      twice.map(([id, rows]) => ({ account_id: id, cells: rows.map(({ cell }) => cell) })),
    ),
  ];
}

/** Of one transfer: the row of its payer, and that of its payee. */
const lacksTransfer = (credits: readonly Side[], transfers: readonly Side[]): boolean =>
  credits.length > 1 ||
  credits.some(
    ({ state, terms }) =>
      state === 'credited' &&
      !(transfers.length === 1 && transfers[0]!.terms === terms && transfers[0]!.state !== 'failed'),
  );
const lacksCredit = (transfers: readonly Side[], credits: readonly Side[]): boolean =>
  transfers.some(
    ({ state, terms }) =>
      state === 'successful' && !credits.some((credit) => credit.state === 'credited' && credit.terms === terms),
  );

/**
 * Transfers whose two sides do not fit. Cells are read one after the other, so those that went on meanwhile seem not to
 * fit, either: they are asked again in the order in which things happen.
 */
async function findUnmatched(cells: readonly CellBooks[]): Promise<object[]> {
  const ids = await unfitting(cells);
  if (ids.length === 0) return [];
  const ask = async (select: string, key: string) =>
    Map.groupBy(await ofEach<Side>(cells, `${select} WHERE ${key} = ANY($1)`, [ids]), ({ id }) => id);
  const credited = await ask(SELECT_CREDITS, 'c.transfer_id');
  const transfers = await ask(SELECT_TRANSFERS, 'x.id');
  const creditedSince = await ask(SELECT_CREDITS, 'c.transfer_id');
  const sidesOf = (id: string) =>
    [...(transfers.get(id) ?? []), ...(creditedSince.get(id) ?? [])].map(({ cell, kind, state, terms }) => ({
      cell,
      kind,
      state,
      terms,
    }));
  return ids
    .filter(
      (id) =>
        lacksTransfer(credited.get(id) ?? [], transfers.get(id) ?? []) ||
        lacksCredit(transfers.get(id) ?? [], creditedSince.get(id) ?? []),
    )
    .map((id) => ({ transfer_id: id, sides: sidesOf(id) }));
}

/** Ids of transfers whose sides do not fit as they were read, of all that there ever were. */
async function unfitting(cells: readonly CellBooks[]): Promise<string[]> {
  const walks: AsyncGenerator<Side>[] = [];
  const snapshots = cells.map(({ db }) => db.createQueryRunner());
  try {
    for (const [i, snapshot] of snapshots.entries()) {
      await snapshot.startTransaction('REPEATABLE READ');
      const { manager } = snapshot;
      for (const select of [SELECT_TRANSFERS, SELECT_CREDITS])
        walks.push(await inOrderOfIds(manager, select, `walk_${walks.length}`, cells[i]!.name));
    }
    const ids: string[] = [];
    for await (const sides of together(walks)) {
      const transfers = sides.filter(({ kind }) => kind === 'transfer');
      const credits = sides.filter(({ kind }) => kind === 'credit');
      if (lacksTransfer(credits, transfers) || lacksCredit(transfers, credits)) ids.push(sides[0]!.id);
    }
    return ids;
  } finally {
    for (const snapshot of snapshots) {
      if (snapshot.isTransactionActive) await snapshot.rollbackTransaction();
      await snapshot.release();
    }
  }
}

/** Rows by a cursor: there may be more than memory holds. */
async function inOrderOfIds(
  db: EntityManager,
  select: string,
  cursor: string,
  cell: string,
): Promise<AsyncGenerator<Side>> {
  await db.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${select} ORDER BY 1`);
  return (async function* () {
    for (;;) {
      const page: Side[] = await db.query(`FETCH ${PAGE_ROWS} FROM ${cursor}`);
      for (const side of page) yield { ...side, cell };
      if (page.length < PAGE_ROWS) return;
    }
  })();
}

/** What several walks have of the same id, id by id. */
async function* together(walks: readonly AsyncGenerator<Side>[]): AsyncGenerator<Side[]> {
  const heads = await Promise.all(walks.map((walk) => walk.next()));
  for (;;) {
    const open = heads.flatMap(({ done, value }) => (done === true ? [] : [(value as Side).id]));
    if (open.length === 0) return;
    const id = open.reduce((a, b) => (a < b ? a : b));
    const sides: Side[] = [];
    for (const [i, walk] of walks.entries())
      while (heads[i]!.done !== true && (heads[i]!.value as Side).id === id) {
        sides.push(heads[i]!.value as Side);
        heads[i] = await walk.next();
      }
    yield sides;
  }
}

/**
 * In transit is what has left one cell and not arrived in another. Transfers that were under way when it began are left
 * out on both sides; all others have ended in each cell that is read after, so their sum is zero to the last unit.
 */
async function findLostInTransit(cells: readonly CellBooks[]): Promise<object[]> {
  const since = lowestIdAt(new Date(Date.now() - UNDER_WAY_MS));
  const underWay = await ofEach<{ id: string }>(cells, SELECT_PROCESSING);
  const sums = await ofEach<{ currency: string; livemode: boolean; sum: string }>(cells, SELECT_IN_TRANSIT, [
    since,
    underWay.map(({ id }) => id),
  ]);
  return [...Map.groupBy(sums, ({ currency, livemode }) => `${currency} ${livemode}`).values()].flatMap((rows) => {
    const sum = rows.reduce((all, row) => all + BigInt(row.sum), 0n);
    if (sum === 0n) return [];
    const { currency, livemode } = rows[0]!;
    return [{ currency, livemode, sum: String(sum), of: Object.fromEntries(rows.map((row) => [row.cell, row.sum])) }];
  });
}
