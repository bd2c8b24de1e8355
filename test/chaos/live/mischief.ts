import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pick } from '../cards/card-clients';
import { count } from '../cards/wire';
import type { Callbacks } from './callbacks';
import type { Desk, End, Fate } from './desks';

interface Plot extends Fate {
  readonly name: string;
  /** What becomes of it later. */
  readonly ends?: End;
}

const PLOTS: readonly (readonly [weight: number, plot: Plot])[] = [
  [38, { name: 'delivered', deed: 'delivers' }],
  [5, { name: 'refused', deed: 'refuses' }],
  // The answer is lost, or none, after the success.
  [4, { name: 'silent after the success', deed: 'stays_silent' }],
  [3, { name: 'answer without an end', deed: 'drips' }],
  [11, { name: 'nonsense after the success', deed: 'talks_nonsense' }],
  // For as long as the run lasts.
  [3, { name: 'says that we are locked out', deed: 'locks_us_out' }],
  [3, { name: 'silent for long', deed: 'goes_dark' }],
  [5, { name: 'nonsense for long', deed: 'loses_its_mind' }],
  // Later.
  [7, { name: 'delivered later', deed: 'delivers', isOpen: true, ends: 'delivered' }],
  [5, { name: 'failed later', deed: 'delivers', isOpen: true, ends: 'failed' }],
  [3, { name: 'silent, delivered later', deed: 'stays_silent', isOpen: true, ends: 'delivered' }],
  [3, { name: 'nonsense, failed later', deed: 'talks_nonsense', isOpen: true, ends: 'failed' }],
  [6, { name: 'delivered, taken back later', deed: 'delivers', ends: 'taken_back' }],
  [2, { name: 'nonsense, taken back later', deed: 'talks_nonsense', ends: 'taken_back' }],
];

const KINDS_MAX = 1_000;
const [LATER_MIN_MS, LATER_MAX_MS] = [300, 6_000];
/** One in so many ends is told of falsely before, and so many are told of again. */
const [FORGED, REPEATED] = [3, 2];

/** What companies do badly with orders, until it is over. */
export class Mischief {
  /** Orders by what was done with them. */
  readonly done = new Map<string, number>();
  private isOver = false;
  private readonly later: Promise<void>[] = [];
  private readonly plotted: { readonly desk: Desk; readonly order: string; readonly plot: Plot }[] = [];

  constructor(
    private readonly desks: readonly Desk[],
    private readonly callbacks: Callbacks,
  ) {}

  start(): void {
    for (const desk of this.desks) desk.onOrder((order) => this.decide(desk, order));
  }

  /** From then on companies tell the truth; what is open has ended. */
  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.later);
    for (const { desk, order } of this.plotted) desk.plan(order, { deed: 'delivers' }, 0);
  }

  /** Tells once more of all that was taken back: nobody asks about airtime that was delivered. */
  async remind(): Promise<void> {
    for (const { desk, order, plot } of this.plotted)
      if (plot.ends === 'taken_back') await this.callbacks.call(desk, order, false);
  }

  private decide(desk: Desk, order: string): void {
    if (this.isOver) return;
    const [, plot] = pick(PLOTS);
    count(this.done, plot.name);
    desk.plan(order, plot, randomInt(KINDS_MAX));
    this.plotted.push({ desk, order, plot });
    if (plot.ends !== undefined) this.later.push(this.endLater(desk, order, plot.ends));
  }

  private async endLater(desk: Desk, order: string, end: End): Promise<void> {
    await sleep(randomInt(LATER_MIN_MS, LATER_MAX_MS));
    if (randomInt(FORGED) === 0) await this.callbacks.call(desk, order, true);
    desk.end(order, end);
    if (randomInt(REPEATED) === 0) await this.callbacks.repeat(desk, order);
  }
}
