import type { Call, Findings } from './contradiction';
import type { Effects, Leg } from './effects';
import type { Answer, Ask, HoldSeen, StatementLine } from './form';
import type { Order, Orders } from './orders';

/** What was known when a read began: it must show as much. */
export interface Expected {
  readonly all: number;
  readonly done: number;
}

interface Walk {
  readonly expected: Expected;
  readonly first: Call;
  readonly seen: Set<string>;
}

/** Reads that show all there is of something: what was known before they began is among it. */
export class Lists {
  private readonly walks = new Map<string, Walk>();
  /** What a read lacks, until it is known whether it was late or is lost. */
  private readonly lacks: { leg: Leg; call: Call; where: string }[] = [];

  constructor(
    private readonly findings: Findings,
    private readonly effects: Effects,
    private readonly orders: Orders,
  ) {}

  expected(wallet: string): Expected {
    const { all, done } = this.effects.of(wallet);
    return { all: all.length, done: done.length };
  }

  sawPage({ wallet, walk }: Ask, expected: Expected, { transactions = [], more }: Answer, call: Call): void {
    const name = `${wallet} ${walk}`;
    let found = this.walks.get(name);
    if (found === undefined) this.walks.set(name, (found = { expected, first: call, seen: new Set() }));
    for (const { id } of transactions) found.seen.add(id);
    if (more) return;
    this.walks.delete(name);
    const { all } = this.effects.of(wallet!);
    const where = `the transactions of ${wallet}`;
    this.compare(all, found.expected.all, found.seen, ({ ordinal }) => ordinal, { call: found.first, where });
  }

  sawStatement({ wallet }: Ask, { done }: Expected, { opening, closing, lines = [] }: Answer, call: Call): void {
    let balance = BigInt(opening ?? 0);
    for (const line of lines) balance = this.sawLine(line, balance, call);
    if (closing !== undefined && BigInt(closing) !== balance)
      this.findings.add(
        'sum-wrong',
        `The statement of ${wallet} closes with ${closing}, its lines with ${balance}.`,
        call,
      );
    const seen = new Set(lines.map(({ transaction }) => transaction));
    const where = `the statement of ${wallet}`;
    this.compare(this.effects.of(wallet!).done, done, seen, ({ doneOrdinal }) => doneOrdinal, { call, where });
  }

  private sawLine(line: StatementLine, balance: bigint, call: Call): bigint {
    const after = balance + BigInt(line.in) - BigInt(line.out);
    const leg = this.effects.legs.get(line.transaction);
    if (BigInt(line.balance) !== after)
      this.findings.add(
        'sum-wrong',
        `${line.transaction} leaves ${line.balance} in the statement, not ${after}.`,
        call,
      );
    if (leg !== undefined && leg.total !== (leg.moves === 'in' ? line.in : line.out))
      this.findings.add(
        'content-differs',
        `${leg.text} has in ${line.in}, out ${line.out} in the statement.`,
        leg.known,
        call,
      );
    return BigInt(line.balance);
  }

  /** Counts what it has of what was known, and looks for what is missing only when the count says so. */
  private compare(
    known: readonly Leg[],
    expected: number,
    seen: ReadonlySet<string>,
    ordinalOf: (leg: Leg) => number,
    read: { call: Call; where: string },
  ): void {
    let count = 0;
    for (const id of seen) {
      const leg = this.effects.legs.get(id);
      if (leg !== undefined && ordinalOf(leg) < expected) count++;
    }
    if (count === expected) return;
    const leg = known.slice(0, expected).find(({ id }) => !seen.has(id))!;
    this.lacks.push({ leg, ...read });
  }

  /** Something was asked for by its id, and is not there. */
  sawNothing(id: string, call: Call): void {
    const leg = this.effects.legs.get(id);
    if (leg?.known && leg.known.heard < call.sent) this.lacks.push({ leg, call, where: 'what there is' });
  }

  sawKeyUnused(key: string, call: Call): void {
    for (const order of this.orders.under(call.account, key)) {
      if (order.known === null || order.known.heard >= call.sent) continue;
      const leg = legOf(order, this.effects);
      if (leg !== undefined) this.lacks.push({ leg, call, where: `what became of key ${key}` });
      else if (order.answered !== null)
        this.findings.add(
          'lost-effect',
          `${order.text} was answered, and its key is told to be unused.`,
          order.answered,
          call,
        );
    }
  }

  sawHolds({ wallet }: Ask, held: string, holds: readonly HoldSeen[], call: Call): void {
    const sum = holds.reduce((total, { amount }) => total + BigInt(amount), 0n);
    if (sum !== BigInt(held)) this.findings.add('sum-wrong', `${wallet} holds ${held}; its holds are ${sum}.`, call);
    for (const { transaction, amount } of holds) {
      const leg = this.effects.legs.get(transaction);
      if (leg === undefined) continue;
      if (leg.total !== amount)
        this.findings.add('content-differs', `${leg.text} is shown as a hold of ${amount}.`, leg.known, call);
      if (leg.ended !== null && leg.ended.heard < call.sent)
        this.findings.add('went-back', `${leg.text} has ended, and is held.`, leg.ended, call);
    }
  }

  /** Once all is read: what is in the books was shown late; what is not, is lost. */
  conclude(): void {
    for (const { leg, call, where } of this.lacks) {
      const acknowledged = leg.order?.answered ?? null;
      const isAcknowledged = acknowledged !== null && acknowledged.heard < call.sent;
      const known = isAcknowledged ? acknowledged : leg.known!;
      const late = known.client === call.client ? 'own-write-lost' : 'stale-read';
      const reason = !isAcknowledged ? 'seen-then-unseen' : leg.sequences.length > 0 ? late : 'lost-effect';
      this.findings.add(
        reason,
        `${leg.text} was ${isAcknowledged ? 'answered' : 'seen'}, and is not in ${where}.`,
        known,
        call,
      );
    }
  }
}

function legOf(order: Order, { legs }: Effects): Leg | undefined {
  const made = order.made.find(({ id }) => legs.has(id));
  return made && legs.get(made.id);
}
