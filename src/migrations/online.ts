import type { QueryRunner } from 'typeorm';

// Changes of tables with rows, beside those who work on them: what stops others takes a moment, and what takes long
// stops nobody. For migrations with `transaction = false`. Each may be done again, also after a half of it.

/** Of a table's pages: rows of so many are changed, and locked, at once. */
const PAGES_AT_ONCE = 256;

/** Checks in place of those of their names: of new rows from now on, then of those that are there. */
export async function constrain(
  db: QueryRunner,
  table: string,
  checks: Readonly<Record<string, string>>,
): Promise<void> {
  const changes = Object.entries(checks).map(
    ([name, check]) => `DROP CONSTRAINT IF EXISTS ${name}, ADD CONSTRAINT ${name} CHECK (${check}) NOT VALID`,
  );
  await db.query(`ALTER TABLE ${table} ${changes.join(', ')}`);
  for (const name of Object.keys(checks)) await patiently(db, `ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
}

/** The check of what a column may say, with some words more or without them. */
export async function reword(
  db: QueryRunner,
  [table, column]: readonly [table: string, column: string],
  words: readonly string[],
  isAdded: boolean,
): Promise<void> {
  const name = `${table}_${column}`;
  const [{ known }]: [{ known: string[] }] = await db.query(
    `SELECT array(SELECT (regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g'))[1]) AS known
       FROM pg_constraint WHERE conname = $1 AND conrelid = $2::regclass`,
    [name, table],
  );
  const kept = [...known.filter((one) => !words.includes(one)), ...(isAdded ? words : [])];
  await constrain(db, table, { [name]: `${column} IN (${kept.map((one) => `'${one}'`).join(', ')})` });
}

/** An index of a table, or of each of its partitions. `definition`: what follows the table's name. */
export async function addIndex(
  db: QueryRunner,
  name: string,
  table: string,
  definition: string,
  kind: 'INDEX' | 'UNIQUE INDEX' = 'INDEX',
): Promise<void> {
  const partitions: { partition: string }[] = await db.query(
    'SELECT inhrelid::regclass::text AS partition FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
    [table],
  );
  if (partitions.length === 0) return build(db, name, table, definition, kind);
  await db.query(`CREATE ${kind} IF NOT EXISTS ${name} ON ONLY ${table} ${definition}`);
  for (const { partition } of partitions) {
    const part = partition + name.slice(table.length);
    await build(db, part, partition, definition, kind);
    await db.query(`ALTER INDEX ${name} ATTACH PARTITION ${part}`);
  }
}

/** Removes what a build that was killed left, once whoever is still at it has ended. */
async function build(db: QueryRunner, name: string, table: string, definition: string, kind: string): Promise<void> {
  if (await isValid(db, name)) return;
  await patiently(db, `BEGIN; LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE; COMMIT`);
  const found = await isValid(db, name);
  if (found) return;
  if (found === false) await patiently(db, `DROP INDEX CONCURRENTLY ${name}`);
  await patiently(db, `CREATE ${kind} CONCURRENTLY ${name} ON ${table} ${definition}`);
}

/** Null: there is no such index. */
async function isValid(db: QueryRunner, name: string): Promise<boolean | null> {
  const [{ valid }] = await db.query(
    'SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)) AS valid',
    [name],
  );
  return valid as boolean | null;
}

/** An UPDATE that ends with its condition, a few pages of the table at a time; last, what somebody moved meanwhile. */
export async function inPieces(db: QueryRunner, table: string, update: string): Promise<void> {
  const pages = async (): Promise<number> =>
    (await db.query(`SELECT (pg_relation_size($1) / current_setting('block_size')::integer)::integer AS n`, [table]))[0]
      .n;
  for (let page = 0; page < (await pages()); page += PAGES_AT_ONCE)
    await db.query(`${update} AND ${table}.ctid >= '(${page},0)' AND ${table}.ctid < '(${page + PAGES_AT_ONCE},0)'`);
  await db.query(update);
}

/** What makes a table and more, in a transaction, unless it did. */
export async function once(db: QueryRunner, table: string, work: () => Promise<unknown>): Promise<void> {
  const [{ isMade }] = await db.query('SELECT to_regclass($1) IS NOT NULL AS "isMade"', [table]);
  if (isMade) return;
  await db.startTransaction();
  try {
    await work();
    await db.commitTransaction();
  } catch (error) {
    await db.rollbackTransaction();
    throw error;
  }
}

/** With a lock that stops no reader and no writer, whoever waits for it may wait. */
async function patiently(db: QueryRunner, statement: string): Promise<void> {
  if (db.isTransactionActive) return void (await db.query(statement));
  await db.query('SET lock_timeout = 0');
  try {
    await db.query(statement);
  } catch (error) {
    // What began a transaction by itself and failed would leave it open, and whatever follows would hide why.
    await db.query('ROLLBACK');
    throw error;
  } finally {
    await db.query('RESET lock_timeout');
  }
}
