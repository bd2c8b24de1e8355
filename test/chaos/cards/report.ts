import type { AccountTime } from './account-time';
import type { CardClients } from './card-clients';
import { type Findings, type Kind, KINDS } from './findings';
import type { PaymentClients } from './payment-clients';
import type { Shop } from './shop';
import type { Strikes } from './strikes';
import type { Wire } from './wire';

interface Sources {
  readonly wire: Wire;
  readonly cards: CardClients;
  readonly payments: PaymentClients;
  readonly shops: readonly Shop[];
  readonly strikes: Strikes;
  readonly time: AccountTime;
  readonly findings: Findings;
}

type Lines = readonly (readonly [string, number])[];

/** What a run was like, for people. */
export class Report {
  constructor(private readonly sources: Sources) {}

  print(): void {
    const { cards, wire, strikes, findings } = this.sources;
    const sections: Record<string, Lines> = {
      requests: this.requests(),
      'on cards': [...cards.done].sort(byName),
      'refused, without effect': [...wire.refused].sort(byName),
      payments: this.payments(),
      'bank transfers': this.transfers(),
      kills: [...tally(strikes.done), ['starts that ended without PostgreSQL', strikes.restarts]],
      verdict: (Object.keys(KINDS) as Kind[]).map((kind) => [KINDS[kind], findings.of(kind).length]),
    };
    for (const [title, lines] of Object.entries(sections)) {
      console.log(`\n${title}`);
      for (const [name, value] of lines) console.log(`  ${name.padEnd(58)}${String(value).padStart(10)}`);
    }
  }

  /** A line for each thing that must not be. */
  get wrong(): string[] {
    return [
      ...Array.from(this.sources.wire.faults, ([what, times]) => `${times} × ${what}`),
      ...this.sources.findings.wrong,
    ];
  }

  private requests(): Lines {
    const { wire, cards, time } = this.sources;
    const isCut = ({ code }: { code: string }) => code !== 'ECONNREFUSED';
    return [
      ['operations on cards', cards.begun],
      ['sent, with repetitions', wire.requests],
      ['sent again', wire.resent],
      ['cut without an answer', wire.unanswered.filter(isCut).length],
      ['answered 503', wire.unavailable],
      ['sent twice at once', wire.twins],
      ['had taken effect before', wire.replayed],
      ['minutes that the clocks were moved', Math.round(time.passed / 60)],
    ];
  }

  private payments(): Lines {
    const { shops, payments } = this.sources;
    const ends = shops.flatMap((shop) =>
      shop.payments.map(({ outcome: { ends: end, needsReview } }) => (needsReview ? 'left to a person' : end)),
    );
    return [['asked for', payments.begun], ...tally(ends), ['callbacks', payments.callbacks]];
  }

  private transfers(): Lines {
    const all = this.sources.shops.flatMap(({ transfers }) => transfers);
    const held = all.filter(({ isHeld }) => isHeld).length;
    return [
      ['credited', all.length - held],
      ['to closed accounts, left to a person', held],
    ];
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a.localeCompare(b);
const tally = (words: readonly string[]): [string, number][] =>
  Array.from(
    Map.groupBy(words, (word) => word),
    ([word, all]): [string, number] => [word, all.length],
  ).sort(byName);
