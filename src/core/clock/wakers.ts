import { Injectable } from '@nestjs/common';

/** Does what became due by an account's clock, and answers when that is done. */
export type Waker = (accountId: string) => Promise<void>;

/** Whoever keeps something that waits for time, without the clock knowing the modules. */
@Injectable()
export class Wakers {
  private readonly wakers: Waker[] = [];

  /** Called once by each module that has something to wake. */
  include(waker: Waker): void {
    this.wakers.push(waker);
  }

  /** One after the other, in the order in which they were included. */
  async wake(accountId: string): Promise<void> {
    for (const waker of this.wakers) await waker(accountId);
  }
}
