/** What must not be found, each with what is said about it. */
export const KINDS = {
  lost: 'answered, and not in the books',
  unasked: 'in the books, and not asked for',
  cards: 'cards that are not what clients were told',
  cardTransactions: 'card transactions that are not what clients were told',
  transactions: 'records that are not what clients were told',
  payments: 'payments that did not end as they must',
  transfers: 'bank transfers that did not end as they must',
  wallets: 'wallets without credits minus debits',
  stuck: 'waiting, and nobody looks again',
  holds: 'holds without an open authorization',
  twice: 'keys with more than one effect',
  events: 'things that were not announced once',
  deliveries: 'orders whose companies did something else',
  floats: 'money at a company that is not what the books say',
  statements: 'differences that were not planted, or were not found',
  secrets: 'secrets in the logs',
  books: 'checks of verify:ledger that fail',
} as const;

export type Kind = keyof typeof KINDS;

const SHOWN_MAX = 5;

/** Collects what is wrong. */
export class Findings {
  private readonly found = new Map<Kind, string[]>();

  add(kind: Kind, what: string): void {
    // It is looked at twice, and what is wrong once is wrong again.
    if (!this.of(kind).includes(what)) this.found.set(kind, [...this.of(kind), what]);
  }

  /** Adds what both sides say, unless they say the same. */
  compare(kind: Kind, what: string, sides: { readonly told: unknown; readonly found: unknown }): void {
    const [told, found] = [JSON.stringify(sides.told), JSON.stringify(sides.found)];
    if (told !== found) this.add(kind, `${what}: told ${told}, found ${found}`);
  }

  of(kind: Kind): readonly string[] {
    return this.found.get(kind) ?? [];
  }

  /** A line for each kind, with examples. */
  get wrong(): string[] {
    return Array.from(
      this.found,
      ([kind, list]) => `${KINDS[kind]} (${list.length}):\n    ${list.slice(0, SHOWN_MAX).join('\n    ')}`,
    );
  }
}
