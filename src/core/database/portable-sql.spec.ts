import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(__dirname, '../..');
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

/** The statements of migrations are the operator's, who runs them where the tables are. */
const STATEMENTS = sources.filter(({ path }) => !path.startsWith('migrations'));
const CHANGE = String.raw`\b(?:UPDATE|DELETE FROM|INSERT INTO)\s+[a-z$]`;

const UPDATE = String.raw`\bUPDATE\s+[a-z_]+\s`;
const BEFORE = '(?:(?!FOR UPDATE)[^`])*?';
const CAST = String.raw`(?:\b[a-z]\w*\.\w+::(?:timestamptz|timestamp|date)\b(?!\[)|_(?:at|until)::(?:text|date)\b)`;

/** What an engine that spreads tables over servers does not take, and a statement that has it. */
const REFUSED: readonly [what: string, pattern: RegExp, planted: string][] = [
  ['EXISTS of no column', /EXISTS ?\(\s*SELECT FROM/, 'SELECT EXISTS (SELECT FROM cards)'],
  [
    'a clock in DO UPDATE',
    /DO UPDATE\s+SET(?:(?!\bUPDATE\b)[^`;])*?\bnow\(\)/,
    'INSERT INTO days (day) VALUES (1) ON CONFLICT (day) DO UPDATE SET updated_at = now()',
  ],
  [
    'a row lock that is shared beside a change',
    new RegExp(`FOR (?:KEY )?SHARE\\b[^\`]*?${CHANGE}|${CHANGE}[^\`]*?FOR (?:KEY )?SHARE\\b`),
    'WITH c AS (SELECT 1 FROM cards FOR SHARE OF cards) UPDATE holds SET state = 1',
  ],
  [
    'a time of a column that depends on the session, in UPDATE',
    // What is given (`$1::timestamptz`) depends on no row.
    new RegExp(`${UPDATE}${BEFORE}(?:${CAST}|\\bto_char\\(|\\bAT TIME ZONE\\b)`),
    'UPDATE deliveries d SET leased_until = NULL FROM v WHERE d.leased_until = v.lease::timestamptz',
  ],
];

it.each(REFUSED)('no statement has %s', (_, pattern, planted) => {
  expect(planted).toMatch(pattern);
  expect(STATEMENTS.length).toBeGreaterThan(400);
  expect(STATEMENTS.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([]);
});

it('no statement and no migration names the schema: it is a setting', () => {
  const named = /'public'::regnamespace|\bSCHEMA public\b|search_path = public|\bpublic\.[a-z_]+ |nspname = 'public'/;
  expect('GRANT USAGE ON SCHEMA public TO duka_app').toMatch(named);
  expect(sources.filter(({ text }) => named.test(text)).map(({ path }) => path)).toEqual([]);
});
