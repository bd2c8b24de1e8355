/**
 * Coalesces concurrent calls: while one batch is under way the calls that arrive form the next.
 * A lone call starts at once; nothing ever waits for company.
 */
export class Batcher<In, Out> {
  private queue: { item: In; resolve: (out: Out) => void; reject: (reason: unknown) => void }[] = [];
  private running = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  /** `work` answers item by item, in order; an `Error` among the answers rejects that call alone. */
  constructor(
    private readonly work: (items: In[]) => Promise<(Out | Error)[]>,
    private readonly limits: { batchMax: number; parallel: number; queueMax: number; overflow: () => Error },
  ) {}

  /** Calls that wait for their batch. */
  get waiting(): number {
    return this.queue.length;
  }

  add(item: In): Promise<Out> {
    if (this.queue.length >= this.limits.queueMax) return Promise.reject(this.limits.overflow());
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      this.schedule();
    });
  }

  /** Resolves when everything accepted so far has been answered. */
  drain(): Promise<void> {
    if (this.running === 0 && this.queue.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  /** Calls of the same turn of the event loop share a batch, even the first. */
  private schedule(): void {
    if (this.scheduled || this.running >= this.limits.parallel) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.next();
    });
  }

  private next(): void {
    while (this.running < this.limits.parallel && this.queue.length > 0) {
      const batch = this.queue.splice(0, this.limits.batchMax);
      this.running++;
      void this.run(batch);
    }
  }

  private async run(batch: typeof this.queue): Promise<void> {
    try {
      const answers = await this.work(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, i) => {
        const answer = answers[i];
        if (answer instanceof Error) reject(answer);
        else resolve(answer as Out);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.running--;
    this.schedule();
    if (this.running === 0 && this.queue.length === 0) this.idle.splice(0).forEach((done) => done());
  }
}
