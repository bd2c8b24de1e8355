interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Answers a batch item by item, in order; an `Error` among the answers rejects that call alone. May call `handOver`
 * when the next batch can already start while its own answers are still on their way.
 */
export type BatchWork<In, Out> = (items: In[], handOver: () => void) => Promise<(Out | Error)[]>;

export interface BatchLimits<In> {
  readonly batchMax: number;
  /** Batches under way at once, not counting those that handed over. */
  readonly parallel: number;
  readonly queueMax: number;
  readonly overflow: () => Error;
  /** With fewer calls waiting, a hand-over is not used: many small batches would cost more than they save. */
  readonly handOverMin?: number;
  /**
   * Whose callers call again at once: with few calls waiting they are answered before the next batch starts, to be in
   * it.
   */
  readonly goesOn?: (item: In) => boolean;
}

/**
 * Coalesces concurrent calls: while one batch is under way the calls that arrive form the next.
 * A lone call starts at once; nothing ever waits for company.
 */
export class Batcher<In, Out> {
  private queue: Waiting<In, Out>[] = [];
  private slotsTaken = 0;
  private unanswered = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(
    private readonly work: BatchWork<In, Out>,
    private readonly limits: BatchLimits<In>,
  ) {}

  add(item: In): Promise<Out> {
    if (this.queue.length >= this.limits.queueMax) return Promise.reject(this.limits.overflow());
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      this.schedule();
    });
  }

  /** Resolves when everything accepted so far has been answered. */
  drain(): Promise<void> {
    if (this.unanswered === 0 && this.queue.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  /** Calls of the same turn of the event loop share a batch, even the first. */
  private schedule(): void {
    if (this.scheduled || this.slotsTaken >= this.limits.parallel) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.startBatches();
    });
  }

  private startBatches(): void {
    while (this.slotsTaken < this.limits.parallel && this.queue.length > 0) {
      void this.run(this.queue.splice(0, this.limits.batchMax));
    }
  }

  private async run(batch: readonly Waiting<In, Out>[]): Promise<void> {
    this.slotsTaken++;
    this.unanswered++;
    let hasSlot = true;
    const leaveSlot = () => {
      if (!hasSlot) return;
      hasSlot = false;
      this.slotsTaken--;
      this.startBatches();
    };
    const { handOverMin = 1, goesOn = () => false } = this.limits;
    const handOver = () => {
      if (this.queue.length >= handOverMin) leaveSlot();
    };
    try {
      const answers = await this.work(
        batch.map(({ item }) => item),
        handOver,
      );
      // The next batch first: those who are answered keep this thread busy while it could be on its way.
      if (this.queue.length < handOverMin && batch.some(({ item }) => goesOn(item))) setImmediate(leaveSlot);
      else leaveSlot();
      batch.forEach(({ resolve, reject }, i) => {
        const answer = answers[i];
        if (answer instanceof Error) reject(answer);
        else resolve(answer as Out);
      });
    } catch (error) {
      leaveSlot();
      for (const { reject } of batch) reject(error);
    }
    this.unanswered--;
    if (this.unanswered === 0 && this.queue.length === 0) this.idle.splice(0).forEach((done) => done());
  }
}
