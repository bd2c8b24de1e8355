import type { DataSource } from 'typeorm';
import { CannotStart } from '../errors/cannot-start';
import type { SecretBox } from './secret-box';

interface SealedTable {
  readonly table: string;
  /** Primary key; a box is sealed for the last of it. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

const OF_ACCOUNT = ['account_id', 'livemode', 'id'];

/** Where boxes are kept. A test compares the list with the schema. */
export const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'users', key: ['id'], columns: ['totp_secret', 'totp_pending'] },
  { table: 'webhook_endpoints', key: OF_ACCOUNT, columns: ['secret', 'previous_secret', 'headers'] },
  { table: 'customers', key: OF_ACCOUNT, columns: ['identity_number'] },
  { table: 'transactions', key: OF_ACCOUNT, columns: ['secrets'] },
  { table: 'card_authentications', key: OF_ACCOUNT, columns: ['code'] },
  { table: 'card_authorization_endpoints', key: OF_ACCOUNT, columns: ['secret'] },
  { table: 'provider_exchanges', key: OF_ACCOUNT, columns: ['box'] },
  { table: 'request_exchanges', key: OF_ACCOUNT, columns: ['box'] },
  { table: 'mails', key: ['id'], columns: ['content'] },
  { table: 'provider_sessions', key: ['name'], columns: ['box'] },
  // Last: from here on a process that has the old key only does not start.
  { table: 'secrets_check', key: ['name'], columns: ['box'] },
];

const PIECE_ROWS = 500;

export interface RotatedTable {
  readonly table: string;
  readonly rotated: number;
  readonly unopened: number;
}

type Row = Record<string, unknown>;

/**
 * Seals every box with the newest key, in pieces, each box by itself: one that the service changes meanwhile is new
 * already.
 */
export async function rotateSecrets(dataSource: DataSource, box: SecretBox): Promise<RotatedTable[]> {
  const tables: RotatedTable[] = [];
  for (const sealed of SEALED_TABLES) {
    let [rotated, unopened] = [0, 0];
    for await (const { row, column, old } of boxesOf(dataSource, sealed)) {
      if (box.isCurrent(old)) continue;
      if (await reseal(dataSource, sealed, { row, column, old, box })) rotated++;
      else unopened++;
    }
    tables.push({ table: sealed.table, rotated, unopened });
  }
  return tables;
}

async function* boxesOf(
  dataSource: DataSource,
  sealed: SealedTable,
): AsyncGenerator<{ row: Row; column: string; old: Buffer }> {
  for await (const row of rowsOf(dataSource, sealed)) {
    for (const column of sealed.columns) if (row[column] !== null) yield { row, column, old: row[column] as Buffer };
  }
}

/** By key, so that no snapshot is held over all of them. */
async function* rowsOf(dataSource: DataSource, { table, key, columns }: SealedTable): AsyncGenerator<Row> {
  const keys = key.join(', ');
  const filled = columns.map((column) => `${column} IS NOT NULL`).join(' OR ');
  for (let after: unknown[] | null = null; ;) {
    const rows: Row[] = await dataSource.query(
      `SELECT ${keys}, ${columns.join(', ')} FROM ${table}
        WHERE (${filled}) ${after ? `AND (${keys}) > (${key.map((_, i) => `$${i + 1}`).join(', ')})` : ''}
          ORDER BY ${keys} LIMIT ${PIECE_ROWS}`,
      after ?? [],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PIECE_ROWS) return;
    after = key.map((column) => last[column]);
  }
}

/** False: none of our keys opens it. */
async function reseal(
  dataSource: DataSource,
  { table, key }: SealedTable,
  { row, column, old, box }: { row: Row; column: string; old: Buffer; box: SecretBox },
): Promise<boolean> {
  const owner = row[key.at(-1)!] as string;
  let text: string;
  try {
    text = box.open(old, owner);
  } catch {
    return false;
  }
  const found = key.map((name, i) => `${name} = $${i + 3}`).join(' AND ');
  await dataSource.query(`UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${found}`, [
    box.seal(text, owner),
    old,
    ...key.map((name) => row[name]),
  ]);
  return true;
}

/** A box in the database that says whether this process has the key of all the others. */
const CHECK = 'secrets_check';
const FIND = 'SELECT box FROM secrets_check';
const ADD = `INSERT INTO secrets_check (name, box) VALUES ('${CHECK}', $1) ON CONFLICT DO NOTHING`;

/**
 * With another key a process would seal what nobody else can open, and fail at what is sealed already. Throws
 * `CannotStart`.
 */
export async function requireKeyOfAll(dataSource: DataSource, box: SecretBox): Promise<void> {
  await dataSource.query(ADD, [box.seal(CHECK, CHECK)]);
  const [found]: { box: Buffer }[] = await dataSource.query(FIND);
  try {
    box.open(found!.box, CHECK);
  } catch (error) {
    throw new CannotStart(
      'SECRETS_KEY is not the key with which this database was sealed. Set that one, or both as SECRETS_KEYS=new,old.',
      { cause: error },
    );
  }
}
