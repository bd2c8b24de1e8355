import { Injectable } from '@nestjs/common';

/** Where within a purchase a process can be killed. */
export type Moment =
  /** The hold and the attempt are committed; the provider was not asked yet. */
  | 'held'
  /** The operator has the order and has not answered. */
  | 'asked'
  /** The answer is there; its settlement has not begun. */
  | 'answered'
  /** Some milliseconds later: about when the settlement is committed. */
  | 'settling'
  /** The operator was asked again and has not answered. */
  | 'requeried'
  /** A requery brought evidence; nothing is done about it yet. */
  | 'found';

/** From the runner to a process: stop there and say so. */
interface StopAt {
  readonly stopAt: Moment;
}

const SETTLING_MS_MAX = 8;

/** Lets a process stop at a moment that its runner chose, to be killed there. */
@Injectable()
export class Moments {
  private awaited: Moment | null = null;

  constructor() {
    process.on('message', ({ stopAt }: StopAt) => (this.awaited = stopAt));
  }

  /** Never resolves at the moment that is awaited. */
  async reach(moment: Moment): Promise<void> {
    if (this.announce(moment)) await new Promise(() => undefined);
  }

  /** As `reach`, for what happens after an answer was handed over: it goes on until the kill. */
  pass(moment: Moment): void {
    if (this.awaited === moment) setTimeout(() => this.announce(moment), Math.random() * SETTLING_MS_MAX);
  }

  private announce(moment: Moment): boolean {
    if (this.awaited !== moment) return false;
    this.awaited = null;
    process.send!(moment);
    return true;
  }
}
