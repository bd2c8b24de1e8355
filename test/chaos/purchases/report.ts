import type { AccountTime } from './account-time';
import type { Clients } from './clients';
import type { Plan } from './deeds';
import type { Operator } from './operator';
import type { Reckoning } from './reckoning';
import { type Strikes, WHEN } from './strikes';

interface Sources {
  readonly plan: Plan;
  readonly operator: Operator;
  readonly clients: Clients;
  readonly strikes: Strikes;
  readonly time: AccountTime;
  readonly books: Reckoning;
}

const SHOWN_MAX = 5;

/** What a run was like, for people. */
export class Report {
  constructor(private readonly sources: Sources) {}

  print(): void {
    const sections: Record<string, [string, string | number][]> = {
      purchases: this.purchases(),
      faults: this.faults(),
      requeries: this.requeries(),
      kills: this.kills(),
      outcomes: [...this.sources.books.outcomes],
      verdict: this.verdict(),
    };
    for (const [title, lines] of Object.entries(sections)) {
      console.log(`\n${title}`);
      for (const [name, value] of lines) console.log(`  ${name.padEnd(58)}${String(value).padStart(10)}`);
    }
  }

  /** A line for each thing that must not be, with examples. */
  get wrong(): string[] {
    const { clients, books } = this.sources;
    const answers = Array.from(clients.faults, ([what, count]) => `${count} × ${what}`);
    const found = books.wrong.map(
      ([name, list]) =>
        `${name} (${list.length}): ${list
          .slice(0, SHOWN_MAX)
          .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
          .join('\n    ')}`,
    );
    return [...answers, ...found];
  }

  private purchases(): [string, number][] {
    const { clients } = this.sources;
    return [
      ['orders', clients.told.size],
      ['requests', clients.requests],
      ['resent', clients.resent],
      ['without an answer', clients.unanswered],
      ['had taken effect before', clients.replayed],
    ];
  }

  private faults(): [string, string | number][] {
    const faults = [...this.sources.plan.faults];
    const sum = faults.reduce((total, [, count]) => total + count, 0);
    return [
      ...faults,
      ['all', `${sum} = ${Math.round((sum / this.sources.plan.orders) * 100)} %`],
      ['calls that ran into the time-out of 20 s', this.sources.operator.timeOuts],
    ];
  }

  private requeries(): [string, number][] {
    const { operator, clients, time } = this.sources;
    const by = [...operator.requeries]
      .sort(byName)
      .map(([process, count]): [string, number] => [`by ${process}`, count]);
    return [
      ...by,
      ['twice at once', clients.twins],
      ['minutes that the clock of the account was moved', Math.round(time.passed / 60)],
    ];
  }

  private kills(): [string, number][] {
    const kinds = Map.groupBy(
      this.sources.strikes.done,
      ({ process, moment }) => `${process.replace(/-\d/, '').padEnd(7)} ${WHEN[moment]}`,
    );
    return [...kinds].sort(byName).map(([kind, kills]) => [kind, kills.length]);
  }

  private verdict(): [string, number][] {
    const {
      lost,
      duplicated,
      refundedThoughSold,
      chargedThoughNotSold,
      refundedWithoutEvidence,
      unsettled,
      wrongDebits,
      wrongAttempts,
      toldOtherwise,
      brokenBooks,
    } = this.sources.books;
    return [
      ['lost', lost.length],
      ['duplicated', duplicated.length],
      ['refunded though sold', refundedThoughSold.length],
      ['paid though not sold', chargedThoughNotSold.length],
      ['refunded by a clock, without evidence', refundedWithoutEvidence.length],
      ['not settled', unsettled.length],
      ['neither one debit nor a full return', wrongDebits.length],
      ['clients that were told something else', toldOtherwise.length],
      ['attempts and references that do not match', wrongAttempts.length],
      ['checks of verify:ledger that fail', brokenBooks.length],
    ];
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a.localeCompare(b);
