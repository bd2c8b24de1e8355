import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import type { Client } from 'pg';
import { LOCK_SLOTS, SLOTS } from '../core/cells/cells';
import { GLOBAL_TABLES } from '../core/cells/control-cell';
import { clientConfig } from '../core/database/options';
import { connected } from '../core/database/primary-client';
import { Env } from '../core/config/env';
import { CannotStart } from '../core/errors/cannot-start';
import type { Lifetime } from '../core/process/lifetime';
import { CellMove } from './cell-move';
import { DukaCommand } from './commands';
import { databaseUrl } from './options';
import type { SlotRange } from './slot-copy';

/** What the control cell tells the others, and each follows. */
const PUBLICATION = 'duka_control';

const ALL_TABLES = GLOBAL_TABLES.join(', ');

/** From a change in the control cell until another has it, at most. */
const FOLLOWS_WITHIN_MS = 30_000;

/** One transaction as the owner of the database. */
const asOwner = <T>(env: Env, work: (client: Client) => Promise<T>): Promise<T> =>
  connected(clientConfig(env, 'owner'), async (client) => {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK_SLOTS})`);
    const done = await work(client);
    await client.query('COMMIT');
    return done;
  });

/** Makes a database the control cell, which keeps all slots at first. Throws `CannotStart`. */
export function initCell(env: Env, cell: string, addresses: readonly string[]): Promise<void> {
  return asOwner(env, async (client) => {
    await nameCell(client, cell);
    await client.query(`INSERT INTO cells (name, addresses, slots, is_control, epoch) VALUES ($1, $2, $3, true, 1)`, [
      cell,
      addresses,
      `{[0,${SLOTS})}`,
    ]);
    await client.query(`CREATE PUBLICATION ${PUBLICATION} FOR TABLE ${ALL_TABLES}`);
  });
}

/**
 * In the control cell: another cell, which takes over slots that the control cell has kept for nobody. Throws
 * `CannotStart`.
 */
export function addCell(env: Env, cell: string, addresses: readonly string[], { from, to }: SlotRange): Promise<void> {
  return asOwner(env, async (client) => {
    const range = `{[${from},${to + 1})}`;
    const { rows: used } = await client.query<{ id: string }>(
      `SELECT id FROM accounts WHERE slot_of(id) <@ $1::int4multirange LIMIT 1`,
      [range],
    );
    if (used[0]) throw new CannotStart(`There are accounts in these slots already (${used[0].id}): name others.`);
    const { rowCount } = await client.query(
      `UPDATE cells SET slots = slots - $1::int4multirange, epoch = (SELECT max(epoch) + 1 FROM cells)
        WHERE is_control AND name = (SELECT name FROM this_cell) AND slots @> $1::int4multirange`,
      [range],
    );
    if (rowCount === 0)
      throw new CannotStart('Slots are given away in the control cell, and only those that it keeps: see cell:list.');
    await client.query(
      `INSERT INTO cells (name, addresses, slots, is_control, epoch)
       VALUES ($1, $2, $3, false, (SELECT max(epoch) FROM cells))`,
      [cell, addresses, range],
    );
    await publishAll(client);
  });
}

/** In the control cell: what an earlier release did not copy yet is copied from now on, too. */
const publishAll = (client: Client) => client.query(`ALTER PUBLICATION ${PUBLICATION} SET TABLE ${ALL_TABLES}`);

/** Makes a database without accounts the cell of this name, which follows the control cell. Throws `CannotStart`. */
async function joinCell(env: Env, cell: string, control: string): Promise<void> {
  await requirePublished(env, control);
  await asOwner(env, async (client) => {
    const { rows } = await client.query('SELECT 1 FROM accounts LIMIT 1');
    if (rows.length > 0) throw new CannotStart('A cell begins without accounts, and this database has some.');
    await requireNoOtherPeople(env, client, control);
    await nameCell(client, cell);
    // What `npm run migrate` put there comes from the control cell.
    await client.query(`TRUNCATE ${ALL_TABLES}`);
  });
  await subscribe(env, `CREATE SUBSCRIPTION %I CONNECTION %L PUBLICATION ${PUBLICATION}`, cell, control);
  await untilCopied(env, cell);
}

/** A cell that has joined: learns where the control cell is now, and follows all that it copies. */
async function refreshCell(env: Env, cell: string, control: string): Promise<void> {
  await requirePublished(env, control);
  await asOwner(env, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT t.name FROM unnest($1::text[]) AS t (name)
        WHERE NOT EXISTS (SELECT 1 ${FOLLOWED} AND c.relname = t.name)`,
      [GLOBAL_TABLES, subscriptionOf(cell)],
    );
    if (rows.some(({ name: table }) => table === 'users')) await requireNoOtherPeople(env, client, control);
    if (rows.length > 0) await client.query(`TRUNCATE ${rows.map(({ name: table }) => table).join(', ')}`);
  });
  await subscribe(env, 'ALTER SUBSCRIPTION %I CONNECTION %L', cell, control);
  await subscribe(env, 'ALTER SUBSCRIPTION %I REFRESH PUBLICATION', cell, control);
  await untilCopied(env, cell);
}

/** Tables that a subscription follows. `$2`: its name. */
const FOLLOWED = `
  FROM pg_subscription s JOIN pg_subscription_rel r ON r.srsubid = s.oid JOIN pg_class c ON c.oid = r.srrelid
 WHERE s.subname = $2 AND s.subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const subscriptionOf = (cell: string): string => `duka_${cell.replaceAll('-', '_')}`;

const atControl = <T>(env: Env, control: string, work: (client: Client) => Promise<T>): Promise<T> =>
  connected(clientConfig(Object.assign(new Env(), env, { DATABASE_URL: control }), 'owner'), work);

/** People of this cell alone would be lost with its copy of them. Throws `CannotStart`. */
async function requireNoOtherPeople(env: Env, client: Client, control: string): Promise<void> {
  const { rows: own } = await client.query<{ id: string; email: string }>('SELECT id, email FROM users');
  if (own.length === 0) return;
  const known = await atControl(env, control, async (there) => {
    const ids = own.map(({ id }) => id);
    const { rows } = await there.query<{ id: string }>('SELECT id FROM users WHERE id = ANY ($1)', [ids]);
    return new Set(rows.map(({ id }) => id));
  });
  const others = own.filter(({ id }) => !known.has(id));
  if (others[0])
    throw new CannotStart(
      `${others.length} people have a log-in in this cell alone (${others[0].email}): take them to the control cell ` +
        'first, as docs/cells.md says.',
    );
}

/** Whoever empties a table must get it from there. Throws `CannotStart`. */
async function requirePublished(env: Env, control: string): Promise<void> {
  const missing = await atControl(env, control, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT t.name FROM unnest($1::text[]) AS t (name) WHERE t.name NOT IN (
         SELECT tablename FROM pg_publication_tables WHERE pubname = '${PUBLICATION}')`,
      [GLOBAL_TABLES],
    );
    return rows[0]?.name;
  });
  if (missing !== undefined)
    throw new CannotStart(`The control cell does not copy ${missing} yet: first, on its database, cell:refresh.`);
}

/** All that was there when the cell began to follow is here. Throws `CannotStart`. */
async function untilCopied(env: Env, cell: string): Promise<void> {
  const isCopied = () =>
    asOwner(env, async (client) => {
      const { rows } = await client.query<{ done: boolean }>(
        `SELECT count(*) = $1::integer AS done ${FOLLOWED} AND r.srsubstate IN ('s', 'r')`,
        [GLOBAL_TABLES.length, subscriptionOf(cell)],
      );
      return rows[0]!.done;
    });
  for (const deadline = Date.now() + FOLLOWS_WITHIN_MS; !(await isCopied()); await sleep(50))
    if (Date.now() > deadline) throw new CannotStart('A cell does not follow the control cell: see its log.');
}

/**
 * `statement` names the subscription, then the address that is followed. Not in a transaction: it makes a place in the
 * log of the control cell.
 */
const subscribe = (env: Env, statement: string, cell: string, control: string): Promise<void> =>
  connected(clientConfig(env, 'owner'), async (client) => {
    const names = [statement, subscriptionOf(cell), control];
    const { rows } = await client.query<{ text: string }>('SELECT format($1, $2::text, $3::text) AS text', names);
    await client.query(rows[0]!.text);
  });

/** After an upgrade: what is copied by now is copied to this cell, too, or by this one. Throws `CannotStart`. */
async function refresh(env: Env, control: string | null): Promise<string> {
  const cell = await asOwner(env, async (client) => {
    const { rows } = await client.query<{ name: string; isControl: boolean | null }>(
      `SELECT t.name, c.is_control AS "isControl" FROM this_cell t LEFT JOIN cells c USING (name)`,
    );
    if (!rows[0]) throw new CannotStart('This database is no cell.');
    if (rows[0].isControl) await publishAll(client);
    return rows[0];
  });
  if (cell.isControl) return cell.name;
  if (control === null) throw new CannotStart('Say where the control cell is: --control, as for cell:join.');
  await refreshCell(env, cell.name, control);
  return cell.name;
}

/** A cell that somebody runs on this machine. */
export interface LocalCell {
  readonly name: string;
  readonly databaseUrl: string;
  readonly address: string;
}

/**
 * Makes cells of migrated databases, the first of which controls, with as many slots each; or tells those that are
 * cells already where the others are now. Throws `CannotStart` when they are others.
 */
export async function arrangeCells(env: Env, cells: readonly LocalCell[]): Promise<void> {
  const [control, ...others] = cells as [LocalCell, ...LocalCell[]];
  const of = ({ databaseUrl }: LocalCell): Env => Object.assign(new Env(), env, { DATABASE_URL: databaseUrl });
  const known = await asOwner(of(control), async (client) =>
    (await client.query<{ name: string }>('SELECT name FROM cells ORDER BY name')).rows.map(({ name: each }) => each),
  );
  const share = SLOTS / cells.length;
  if (known.length === 0) {
    await initCell(of(control), control.name, [control.address]);
    for (const [i, { name: cell, address }] of others.entries())
      await addCell(of(control), cell, [address], {
        from: Math.round(share * (i + 1)),
        to: Math.round(share * (i + 2)) - 1,
      });
  } else if (
    known.join() !==
    cells
      .map((cell) => cell.name)
      .sort()
      .join()
  )
    throw new CannotStart(`There are ${known.length} cells already (${known.join(', ')}): their number cannot change.`);
  await asOwner(of(control), async (client) => {
    await publishAll(client);
    await client.query(
      `UPDATE cells SET addresses = ARRAY[v.address], epoch = (SELECT max(epoch) + 1 FROM cells)
         FROM unnest($1::text[], $2::text[]) AS v (name, address)
        WHERE cells.name = v.name AND addresses <> ARRAY[v.address]`,
      [cells.map((cell) => cell.name), cells.map(({ address }) => address)],
    );
  });
  for (const cell of others) await follow(of(cell), cell.name, control.databaseUrl);
  for (const cell of others) await untilSame(of(cell), await tableOf(of(control)));
}

/** Joins, or learns where the control cell is now. */
async function follow(env: Env, cell: string, control: string): Promise<void> {
  const isCell = await asOwner(env, async (client) => (await client.query('SELECT 1 FROM this_cell')).rowCount === 1);
  return isCell ? refreshCell(env, cell, control) : joinCell(env, cell, control);
}

const tableOf = (env: Env): Promise<string> =>
  asOwner(env, async (client) => {
    const { rows } = await client.query<{ all: string }>(`SELECT json_agg(c ORDER BY name)::text AS all FROM cells c`);
    return rows[0]!.all;
  });

async function untilSame(env: Env, table: string): Promise<void> {
  for (const deadline = Date.now() + FOLLOWS_WITHIN_MS; (await tableOf(env)) !== table; await sleep(50))
    if (Date.now() > deadline) throw new CannotStart('A cell does not follow the control cell: see its log.');
}

async function nameCell(client: Client, cell: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM this_cell');
  if (rows[0]) throw new CannotStart(`This database is the cell ${rows[0].name} already.`);
  await client.query('INSERT INTO this_cell (name) VALUES ($1)', [cell]);
}

const slotRange = (text: string): SlotRange => {
  const [, from, to] = /^(\d{1,4})-(\d{1,4})$/.exec(text) ?? [];
  const range = { from: parseInt(from ?? '', 10), to: parseInt(to ?? '', 10) };
  if (!(range.from <= range.to && range.to < SLOTS))
    throw new InvalidArgumentError(`It takes the first and the last slot, of 0 to ${SLOTS - 1}: 1365-2730.`);
  return range;
};

const cellName = (text: string): string => {
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(text))
    throw new InvalidArgumentError('A name has small letters, digits and hyphens, and begins with a letter.');
  return text;
};

const addressList = (text: string): string[] => {
  const addresses = text.split(',').map((one) => one.trim().replace(/\/+$/, ''));
  if (!addresses.every((one) => /^https?:\/\/[^\s/]+$/.test(one)))
    throw new InvalidArgumentError('It takes addresses such as http://10.0.0.2:3000, with commas between.');
  return addresses;
};

interface Named {
  readonly name: string;
}
interface Placed extends Named {
  readonly address: string[];
}

const ADDRESS = ['--address <urls>', 'where its API processes listen to other cells', addressList] as const;

const moveCommand = (lifetime: Lifetime): DukaCommand =>
  new DukaCommand('cell:move', lifetime)
    .description('move the accounts of some slots from this database to another cell, while both work')
    .requiredOption('--slots <first-last>', 'which slots; few, for a short pause', slotRange)
    .requiredOption(
      '--to <url-or-file>',
      'the database of the other cell, for its owner; /dev/stdin for a pipe',
      databaseUrl,
    )
    .option('--control <url-or-file>', 'the database of the control cell, where it is another one', databaseUrl)
    .option(
      '--followed <url-or-file>',
      'this database as the server of the other cell reaches it, where it is another address',
      databaseUrl,
    )
    .does<{ slots: SlotRange; to: string; control?: string; followed?: string }>(async ({ env }, options) => {
      const source = env.DATABASE_URL!;
      const { slots, to: target, control = source, followed = source } = options;
      const report = await CellMove.run(env, { slots, source, target, control, followed }, (line) =>
        console.error(line),
      );
      const { from, to, accounts, rows, pauseMs } = report;
      return {
        text:
          `${accounts} accounts with ${rows} rows went from ${from} to ${to}. ` +
          `Writes to them were refused for ${pauseMs} ms.`,
        json: report,
      };
    });

export const cellCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('cell:init', lifetime)
    .description('make this database the first of several cells, the one that controls')
    .requiredOption('--name <name>', 'what the cell is called', cellName)
    .requiredOption(...ADDRESS)
    .does<Placed>(async ({ env }, { name: cell, address }) => {
      await initCell(env, cell, address);
      return {
        text: `This database is the cell ${cell} and keeps all slots. Start its processes with CELL_SECRET.`,
        json: { name: cell, addresses: address },
      };
    }),

  new DukaCommand('cell:add', lifetime)
    .description('in the control cell: give slots without accounts to another cell')
    .requiredOption('--name <name>', 'what the other cell is called', cellName)
    .requiredOption(...ADDRESS)
    .requiredOption('--slots <first-last>', 'which slots', slotRange)
    .does<Placed & { slots: SlotRange }>(async ({ env }, { name: cell, address, slots }) => {
      await addCell(env, cell, address, slots);
      return {
        text: `The slots ${slots.from}-${slots.to} are kept by ${cell}. Now, on its database: cell:join.`,
        json: { name: cell, addresses: address, slots },
      };
    }),

  new DukaCommand('cell:join', lifetime)
    .description('make this database, which has no accounts, a cell that follows the control cell')
    .requiredOption('--name <name>', 'as cell:add said', cellName)
    .requiredOption(
      '--control <url-or-file>',
      'the database of the control cell, for a login that may replicate',
      databaseUrl,
    )
    .does<Named & { control: string }>(async ({ env }, { name: cell, control }) => {
      await joinCell(env, cell, control);
      return { text: `This database is the cell ${cell}. Start its processes with CELL_SECRET.`, json: { name: cell } };
    }),

  moveCommand(lifetime),

  new DukaCommand('cell:refresh', lifetime)
    .description('after an upgrade, first in the control cell: copy also what a new release has made the same in all')
    .option('--control <url-or-file>', 'the database of the control cell, as for cell:join', databaseUrl, null)
    .does<{ control: string | null }>(async ({ env }, { control }) => {
      const cell = await refresh(env, control);
      return { text: `The cell ${cell} has what is the same in all cells.`, json: { name: cell } };
    }),

  new DukaCommand('cell:list', lifetime)
    .description('which cells there are, and which slots each keeps')
    .does(async ({ env }) => {
      const cells = await asOwner(env, async (client) => {
        const { rows } = await client.query<{
          name: string;
          addresses: string[];
          slots: string;
          control: boolean;
          here: boolean;
        }>(
          `SELECT name, addresses, slots::text, is_control AS control, name IN (SELECT t.name FROM this_cell t) AS here
             FROM cells ORDER BY name`,
        );
        return rows;
      });
      const lines = cells.map(({ name: cell, addresses, slots, control, here }) => {
        const marks = [...(control ? ['control'] : []), ...(here ? ['this one'] : [])].join(', ');
        return `${cell.padEnd(12)}${slots}  ${addresses.join(', ')}  ${marks}`.trimEnd();
      });
      return { text: lines.join('\n') || 'There is one cell, and it has no name.', json: { cells } };
    }),
];
