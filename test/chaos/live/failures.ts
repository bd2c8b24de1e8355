import { randomInt } from 'node:crypto';
import type { Failure, Pretended } from '../../pretended/pretended';
import { count } from '../cards/wire';
import type { Callbacks } from './callbacks';

/** One in so many requests, whatever it asks for, fails in such a way. */
const FAILURES: readonly (readonly [oneIn: number, name: string, failure: () => Failure])[] = [
  [30, 'answered 5xx, and not carried out', () => ({ status: anyOf([500, 502, 503]), isDone: false })],
  [30, 'answered 5xx, and carried out', () => ({ status: anyOf([500, 502, 503]), isDone: true })],
  [40, 'answered nonsense, and carried out', () => ({ status: 200, isDone: true })],
  [120, 'not answered, and carried out', () => ({ status: null, isDone: true })],
];
const TOKENS_LIVE_MS = 1_000;
/** How often companies change their mind about whom to call back: this process, that one, or nobody. */
const ROTATE_MS = 40;

const anyOf = (list: readonly number[]): number => list[randomInt(list.length)]!;

/** What companies do badly whatever they are asked, until it is over. */
export class Failures {
  /** Requests by how they failed. */
  readonly done = new Map<string, number>();
  private readonly timers: NodeJS.Timeout[] = [];
  private isOver = false;

  constructor(
    private readonly companies: readonly (Pretended & { expireTokens?(): void })[],
    private readonly callbacks: Callbacks,
  ) {}

  start(): void {
    for (const company of this.companies) company.breaks = () => this.next();
    const rotate = () => {
      for (const company of this.companies) company.callbackUrl = randomInt(3) === 0 ? null : this.callbacks.anyUrl();
    };
    const expire = () => {
      for (const company of this.companies) company.expireTokens?.();
    };
    rotate();
    this.timers.push(setInterval(rotate, ROTATE_MS), setInterval(expire, TOKENS_LIVE_MS));
  }

  /**
   * From then on every request is answered, and every callback arrives. Who still waits for an answer would hold up the end
   * of their process for longer than it may take.
   */
  end(): void {
    this.isOver = true;
    for (const timer of this.timers) clearInterval(timer);
    for (const company of this.companies) {
      company.callbackUrl = this.callbacks.anyUrl();
      company.hangUp();
    }
  }

  private next(): Failure | null {
    if (this.isOver) return null;
    const found = FAILURES.find(([oneIn]) => randomInt(oneIn) === 0);
    if (found === undefined) return null;
    count(this.done, found[1]);
    return found[2]();
  }
}
