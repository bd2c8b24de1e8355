import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Findings } from '../cards/findings';
import type { Service } from '../service';
import type { Desk, Sale } from './desks';
import { OPENING } from './opening';

const DAY_MS = 24 * 3_600_000;
const FOREIGN = 4_200n;

interface Line {
  readonly name: string;
  readonly amount: bigint;
}

/** As `duka provider:reconcile` prints it. */
interface Difference {
  readonly kind: string;
  readonly reference: string;
  readonly ours: string;
  readonly theirs: string;
}

/** A company's statement with what was planted in it. */
interface Statement {
  readonly lines: readonly Line[];
  readonly differences: readonly Difference[];
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** Of each kind `planted`: an order that is charged twice, one that is missing, and one that is none of ours. */
function statementOf(sales: readonly Sale[], opening: bigint, planted: number): Statement {
  const kept = sales.filter(({ lines }) => sum(lines) > 0n);
  const [twice, missing] = [kept.slice(0, planted), kept.slice(planted, 2 * planted)];
  const foreign = Array.from({ length: planted }, (_, i) => ({ name: `foreign-${i}`, amount: FOREIGN + BigInt(i) }));
  const own = sales.filter((sale) => !missing.includes(sale)).concat(twice);
  const lines = own.flatMap(({ name, lines: all }) => all.map((amount) => ({ name, amount })));
  const different = (kind: string, reference: string, ours: bigint, theirs: bigint): Difference => ({
    kind,
    reference,
    ours: `${ours}`,
    theirs: `${theirs}`,
  });
  return {
    lines: [{ name: OPENING, amount: -opening }, ...lines, ...foreign],
    differences: [
      ...twice.map((one) => different('amount', one.reference, sum(one.lines), 2n * sum(one.lines))),
      ...missing.map((one) => different('not_in_statement', one.reference, sum(one.lines), 0n)),
      ...foreign.map(({ name, amount }) => different('not_in_books', name, 0n, amount)),
    ],
  };
}

/** The statement of each company against the books finds what was planted in it, and nothing else. Returns how much. */
export async function reckonStatements(
  { service, desks, openings }: { service: Service; desks: readonly Desk[]; openings: ReadonlyMap<string, bigint> },
  planted: number,
  findings: Findings,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'duka-statements-'));
  const [from, to] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString());
  let found = 0;
  try {
    for (const { name, sales, balance } of desks) {
      const opening = openings.get(name)!;
      const told = opening - sum(sales.flatMap(({ lines }) => lines));
      // Else the company itself is wrong, and proves nothing.
      if (told !== balance) findings.add('statements', `${name} has ${balance}, and ${told} by its own lines`);
      const { lines, differences } = statementOf(sales, opening, planted);
      const file = join(folder, `${name}.csv`);
      writeFileSync(file, ['reference,amount', ...lines.map((one) => `${one.name},${naira(one.amount)}`)].join('\n'));
      const of = ['--name', name, '--file', file, '--currency', 'NGN', '--from', from!, '--to', to!];
      const printed = await service.duka('provider:reconcile', ...of, '--json');
      const said = JSON.parse(printed) as { differences: Difference[] };
      findings.compare('statements', name, { told: inOrder(differences), found: inOrder(said.differences) });
      found += said.differences.length;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return found;
}

const inOrder = (all: readonly Difference[]): string[] =>
  all.map(({ kind, reference, ours, theirs }) => `${kind} ${reference} ${ours} ${theirs}`).sort();

function naira(kobo: bigint): string {
  const [sign, whole] = kobo < 0n ? ['-', -kobo] : ['', kobo];
  return `${sign}${whole / 100n}.${`${whole % 100n}`.padStart(2, '0')}`;
}
