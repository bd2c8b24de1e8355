import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { DataSource } from 'typeorm';
import { bookChecks } from '../book-checks';
import { type Check, type CheckOptions, type CheckResult, runChecks } from '../core/database/checks';
import { dataSourceOptions } from '../core/database/options';
import type { Lifetime } from '../core/process/lifetime';
import { checkOfHead } from '../modules/ledger/ledger-checks';
import { keepVerification } from '../modules/ledger/verifications';
import { DukaCommand } from './commands';

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
    .does<{ head?: Check; heads?: Check }>(async ({ env }, { head, heads }) => {
      const dataSource = await lifetime.own(new DataSource(dataSourceOptions(env, 'owner')).initialize(), (opened) =>
        opened.destroy(),
      );
      const startedAt = new Date();
      const checks = await verifyBooks(
        dataSource,
        [head, heads].filter((check) => check !== undefined),
        { progress: (check, done, of) => console.error(`${check}: ${done} of ${of}`) },
      );
      // Of a copy that takes no writes, or one that is not migrated yet, the result is shown all the same.
      await keepVerification(dataSource, startedAt, checks).catch(({ message }: Error) =>
        console.error(`The result is not kept: ${message}`),
      );
      const broken = checks.filter(({ ok }) => !ok);
      const verdict =
        broken.length === 0
          ? `The books are in order: ${checks.length} checks.`
          : `The books are NOT in order: ${broken.length} of ${checks.length} checks fail.`;
      return {
        failed: broken.length > 0,
        text: [...checks.map(lineOf), '', verdict].join('\n'),
        json: { ok: broken.length === 0, checks },
      };
    }),
];

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
