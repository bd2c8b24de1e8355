import { DataSource } from 'typeorm';
import { Env } from '../../src/core/config/env';
import { dataSourceOptions } from '../../src/core/database/options';
import { passesLuhn } from '../../src/core/text/luhn';
import { SandboxNumbers } from '../../src/modules/cards/sandbox/sandbox.provider';

/** A number of the test ranges, also with gaps; and a CVV that says what it is. */
const NUMBER = /(?<!\d)(?:4000[ -]?00|5200[ -]?00)\d{2}(?:[ -]?\d{4}){2}(?!\d)/g;
const SHAPE = '(400000|520000)[0-9]{10}';
const CVV = /"?cvv"?\s*[:=]\s*"?\d{3}\b/i;

const TABLES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname !~ '^(pg_|information_schema$)'`;

/** Throws when a text holds what only the page of a reveal may show. */
export function expectNoCardNumber(what: string, text: string): void {
  const number = text.match(NUMBER)?.find((found) => passesLuhn(found.replace(/\D/g, '')));
  if (number !== undefined || CVV.test(text))
    throw new Error(`${what} shows a card's number or CVV: ${text.slice(0, 500)}`);
}

/** For the end of every test file: no row of any table holds the number of a card that was issued. */
export async function expectNoStoredCardNumbers(env: Env): Promise<void> {
  const dataSource = await new DataSource(
    dataSourceOptions(Object.assign(new Env(), env, { DATABASE_POOL_SIZE: 1 }), 'owner'),
  ).initialize();
  try {
    const cards: { id: string; brand: 'visa' | 'mastercard' }[] = await dataSource.query('SELECT id, brand FROM cards');
    if (cards.length === 0) return;
    const numbers = new SandboxNumbers(env);
    const canaries = cards.flatMap(({ id, brand }) => [numbers.numberOf(id, brand)]);
    const tables: { name: string }[] = await dataSource.query(TABLES);
    for (const { name } of tables) {
      const hits = await dataSource.query(
        // By their shape first: a thousand numbers are looked for in few rows only.
        `SELECT left(t::text, 300) AS row FROM ${name} t
          WHERE CASE WHEN t::text ~ '${SHAPE}' THEN t::text LIKE ANY ($1) END LIMIT 1`,
        [canaries.map((number) => `%${number}%`)],
      );
      expect([name, hits]).toEqual([name, []]);
    }
    expect(canaries).toEqual(canaries.map(() => expect.stringMatching(SHAPE)));
  } finally {
    await dataSource.destroy();
  }
}
