import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StatementLine } from '../../pretended/pretended';
import type { Findings } from '../cards/findings';
import type { Service } from '../service';
import { type Booked, sumOf } from './desks';
import type { Market } from './market';
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

/** Of each kind `planted`, or as many as it has: what is there twice, what of the rest is missing, and what is none of ours. */
function statementOf(booked: readonly Booked[], opening: bigint, planted: number): Statement {
  const kept = booked.filter(({ lines }) => sumOf(lines) !== 0n);
  const [twice, missing] = [kept.slice(0, planted), kept.slice(planted).slice(-planted)];
  const foreign = Array.from({ length: planted }, (_, i) => ({ name: `foreign-${i}`, amount: FOREIGN + BigInt(i) }));
  const own = booked.filter((one) => !missing.includes(one)).concat(twice);
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
      ...twice.map((one) => different('amount', one.reference, sumOf(one.lines), 2n * sumOf(one.lines))),
      ...missing.map((one) => different('not_in_statement', one.reference, sumOf(one.lines), 0n)),
      ...foreign.map(({ name, amount }) => different('not_in_books', name, 0n, amount)),
    ],
  };
}

/** Of clearings and refunds of cards, whose names in our books nobody here knows: with what is none of ours. */
function cardStatementOf(own: readonly StatementLine[], planted: number): Statement {
  const foreign = Array.from({ length: planted }, (_, i) => ({ name: `foreign-${i}`, amount: FOREIGN + BigInt(i) }));
  return {
    lines: [...own.map(({ reference: name, amount }) => ({ name, amount })), ...foreign],
    differences: foreign.map(({ name, amount }) => ({
      kind: 'not_in_books',
      reference: name,
      ours: '0',
      theirs: `${amount}`,
    })),
  };
}

/** What a company has of ours, and how it came to that: it may be a desk, a gateway, or both. */
interface Books {
  readonly balance: bigint;
  readonly booked: readonly Booked[];
}

function booksOf({ desks, gateways }: Pick<Market, 'desks' | 'gateways'>): Map<string, Books> {
  const all = [
    ...desks.map(({ name, balance, sales }) => ({ name, balance, booked: sales })),
    ...gateways.map(({ name, balance, booked }) => ({ name, balance, booked })),
  ];
  const byName = Map.groupBy(all, ({ name }) => name);
  return new Map(
    Array.from(byName, ([name, parts]) => {
      const balance = sumOf(parts.map((part) => part.balance));
      return [name, { balance, booked: parts.flatMap(({ booked }) => booked) }];
    }),
  );
}

interface Sides extends Pick<Market, 'desks' | 'gateways' | 'stripe'> {
  readonly service: Service;
  /** Our money at each desk before. */
  readonly openings: ReadonlyMap<string, bigint>;
}

/** The statement of each company against the books finds what was planted in it, and nothing else. Returns how much. */
export async function reckonStatements(
  { service, openings, ...companies }: Sides,
  planted: number,
  findings: Findings,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'duka-statements-'));
  const file = join(folder, 'statement.csv');
  const [from, to] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString());
  let found = 0;
  const compare = async (name: string, currency: string, { lines, differences }: Statement): Promise<void> => {
    writeFileSync(file, ['reference,amount', ...lines.map((one) => `${one.name},${major(one.amount)}`)].join('\n'));
    const of = ['--name', name, '--file', file, '--currency', currency, '--from', from!, '--to', to!];
    const printed = await service.duka('provider:reconcile', ...of, '--json');
    const said = JSON.parse(printed) as { differences: Difference[] };
    findings.compare('statements', name, { told: inOrder(differences), found: inOrder(said.differences) });
    found += said.differences.length;
  };
  try {
    for (const [name, { balance, booked }] of booksOf(companies)) {
      const opening = openings.get(name) ?? 0n;
      const told = opening - sumOf(booked.flatMap(({ lines }) => lines));
      // Else the company itself is wrong, and proves nothing.
      if (told !== balance) findings.add('statements', `${name} has ${balance}, and ${told} by its own lines`);
      await compare(name, 'NGN', statementOf(booked, opening, planted));
    }
    await compare('stripe', 'USD', cardStatementOf(companies.stripe.statement, planted));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return found;
}

const inOrder = (all: readonly Difference[]): string[] =>
  all.map(({ kind, reference, ours, theirs }) => `${kind} ${reference} ${ours} ${theirs}`).sort();

function major(amount: bigint): string {
  const [sign, whole] = amount < 0n ? ['-', -amount] : ['', amount];
  return `${sign}${whole / 100n}.${`${whole % 100n}`.padStart(2, '0')}`;
}
