import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { DataSource } from 'typeorm';
import { bookChecks } from '../book-checks';
import { type Check, type CheckOptions, type CheckResult, runChecks } from '../core/database/checks';
import { dataSourceOptions } from '../core/database/options';
import type { Lifetime } from '../core/process/lifetime';
import { checkOfHead } from '../modules/ledger/ledger-checks';
import { keepVerification } from '../modules/ledger/verifications';
import { type CellBooks, headOf, openCells, verifyAcrossCells } from './cell-books';
import { DukaCommand, type Report } from './commands';
import { urlsOf } from './options';

/** Needs a connection as the login itself: the application's time-outs are too short for millions of entries. */
export function verifyBooks(
  dataSource: DataSource,
  more: readonly Check[] = [],
  options: CheckOptions = {},
): Promise<CheckResult[]> {
  return runChecks(dataSource, [...bookChecks(), ...more], options);
}

export const verifyCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('verify:ledger', lifetime)
    .description('prove the books: every invariant, every balance, the hash chain; while the service runs, too')
    .option(
      '--head <position:chain>',
      'a head of the chain that was noted from the log: proves that it was not made anew',
      headCheck,
    )
    .option(
      '--heads <file>',
      'the same of all heads in a file: kept lines of the log, /dev/stdin for a pipe',
      headsCheck,
    )
    .addOption(
      new Option('--cells <file>', 'a file with the databases of the other cells, a URL a line: proves all together')
        .argParser(urlsOf)
        .conflicts(['head', 'heads']),
    )
    .does<{ head?: Check; heads?: Check; cells?: string[] }>(async ({ env }, { head, heads, cells }) => {
      const own = <T extends { destroy: () => Promise<unknown> }>(opened: Promise<T>): Promise<T> =>
        lifetime.own(opened, (each) => each.destroy());
      if (cells !== undefined) return reportOfCells(await openCells(env, [env.DATABASE_URL!, ...cells], own));
      const dataSource = await own(new DataSource(dataSourceOptions(env, 'owner')).initialize());
      const more = [head, heads].filter((check) => check !== undefined);
      const checks = await verifyAndKeep(dataSource, more);
      const { ok, text } = verdictOf(checks);
      return { failed: !ok, text: [...checks.map(lineOf), '', text].join('\n'), json: { ok, checks } };
    }),
];

async function verifyAndKeep(dataSource: DataSource, more: readonly Check[] = []): Promise<CheckResult[]> {
  const startedAt = new Date();
  const checks = await verifyBooks(dataSource, more, {
    progress: (check, done, of) => console.error(`${check}: ${done} of ${of}`),
  });
  // Of a copy that takes no writes, or one that is not migrated yet, the result is shown all the same.
  await keepVerification(dataSource, startedAt, checks).catch(({ message }: Error) =>
    console.error(`The result is not kept: ${message}`),
  );
  return checks;
}

/** Of each cell its own checks, then what only all together can prove, and the heads of all chains. */
async function reportOfCells(cells: readonly CellBooks[]): Promise<Report> {
  const parts: { cell: string; head: string | null; checks: CheckResult[] }[] = [];
  for (const cell of cells)
    parts.push({ cell: cell.name, checks: await verifyAndKeep(cell.db), head: await headOf(cell) });
  const across = await verifyAcrossCells(cells);
  const { ok, text } = verdictOf([...parts.flatMap(({ checks }) => checks), ...across]);
  const lines = [
    ...parts.flatMap(({ cell, checks }) => [`cell ${cell}`, ...checks.map(lineOf), '']),
    'all cells',
    ...across.map(lineOf),
    '',
    ...parts.map(({ cell, head }) => `head of ${cell}: ${head ?? 'nothing is sealed yet'}`),
    '',
    text,
  ];
  return { failed: !ok, text: lines.join('\n'), json: { ok, cells: parts, checks: across } };
}

function verdictOf(checks: readonly CheckResult[]): { ok: boolean; text: string } {
  const broken = checks.filter(({ ok }) => !ok);
  return broken.length === 0
    ? { ok: true, text: `The books are in order: ${checks.length} checks.` }
    : { ok: false, text: `The books are NOT in order: ${broken.length} of ${checks.length} checks fail.` };
}

function lineOf({ check, ok, found, sample }: CheckResult): string {
  if (ok) return `ok    ${check}`;
  return [`FAIL  ${check}: ${found} found, among them`, ...sample.map((row) => `        ${JSON.stringify(row)}`)].join(
    '\n',
  );
}

function headsCheck(file: string): Check {
  const check = checkOfHead(readFileSync(file, 'utf8'));
  // A log that was not kept must not pass for one that agrees.
  if (check === null) throw new InvalidArgumentError('There is no head in it; the sealer logs them at LOG_LEVEL=info.');
  return check;
}

function headCheck(text: string): Check {
  const check = checkOfHead(text);
  if (check === null) throw new InvalidArgumentError('It takes <position>:<64 hex digits>, as the sealer logs them.');
  return check;
}
