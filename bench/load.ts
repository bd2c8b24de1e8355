import { Connection, type Answer } from './connection';
import { type Requests, requestMaker } from './requests';

/** What the load generator is asked to do. It is a process of its own: its work must not delay the measuring one's. */
export interface Job {
  readonly requests: Requests;
  readonly connections: number;
  /** Answered and checked, but not counted. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Begun on time whatever the answers take. Without it every connection sends its next request when it is answered. */
  readonly ratePerSecond?: number;
  /** What every answer must be. */
  readonly expected: { readonly status: number; readonly text: string };
}

export interface Outcome {
  /** Answers of the measured time, per second. */
  readonly perSecond: number;
  /** From the moment at which a request was due, also when it had to wait for a free connection. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Right answers, the warm-up's included. */
  readonly answered: number;
  /** Anything but the expected answer, by what it was. */
  readonly faults: Readonly<Record<string, number>>;
  readonly cpuSeconds: number;
}

const TICK_MS = 1;
const SAMPLE_OF_FAULT = 80;

class Load {
  private readonly next: () => string;
  private readonly from: number;
  private readonly until: number;
  private readonly latenciesMs: number[] = [];
  private readonly faults: Record<string, number> = {};
  private readonly idle: ((due: number) => void)[] = [];
  /** Times at which requests were due that no connection was free for. */
  private readonly overdue: number[] = [];
  private answered = 0;
  private counted = 0;
  private underWay = 0;

  constructor(private readonly job: Job) {
    this.next = requestMaker(job.requests);
    this.from = performance.now() + job.warmUpSeconds * 1000;
    this.until = this.from + job.seconds * 1000;
  }

  async run(): Promise<Outcome> {
    const connections = Array.from({ length: this.job.connections }, () => this.open());
    await (this.job.ratePerSecond ? this.sendOnTime(this.job.ratePerSecond) : this.sendWhenAnswered());
    for (const connection of connections) connection.close();
    this.latenciesMs.sort((a, b) => a - b);
    const { user, system } = process.cpuUsage();
    return {
      perSecond: this.counted / this.job.seconds,
      p50Ms: this.percentile(0.5),
      p99Ms: this.percentile(0.99),
      answered: this.answered,
      faults: this.faults,
      cpuSeconds: (user + system) / 1e6,
    };
  }

  private open(): Connection {
    let due = 0;
    const onAnswer = (answer: Answer): void => {
      this.record(answer, due);
      this.underWay--;
      this.release(send);
    };
    const connection = new Connection(this.job.requests.port, onAnswer);
    const send = (dueAt: number): void => {
      due = dueAt;
      this.underWay++;
      connection.send(this.next());
    };
    this.idle.push(send);
    return connection;
  }

  /** A connection is free: in a closed loop it goes on at once, else it takes what waits for one. */
  private release(send: (due: number) => void): void {
    const now = performance.now();
    const due = this.job.ratePerSecond ? this.overdue.shift() : now < this.until ? now : undefined;
    if (due === undefined) this.idle.push(send);
    else send(due);
  }

  private async sendWhenAnswered(): Promise<void> {
    for (const send of this.idle.splice(0)) send(performance.now());
    await this.finished();
  }

  private async sendOnTime(ratePerSecond: number): Promise<void> {
    const begin = performance.now();
    const spacingMs = 1000 / ratePerSecond;
    const last = Math.floor((this.until - begin) / spacingMs);
    let sent = 0;
    const timer = setInterval(() => {
      const dueByNow = Math.min(last, (performance.now() - begin) / spacingMs);
      for (; sent < dueByNow; sent++) {
        const due = begin + sent * spacingMs;
        // In turn: one that is never used is closed by the server.
        const send = this.idle.shift();
        if (send) send(due);
        else this.overdue.push(due);
      }
    }, TICK_MS);
    await this.finished();
    clearInterval(timer);
  }

  /** Everything that was due has been sent and answered. */
  private async finished(): Promise<void> {
    const isOver = (): boolean => performance.now() >= this.until && this.overdue.length === 0 && this.underWay === 0;
    while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  private record({ status, body }: Answer, due: number): void {
    const { expected } = this.job;
    if (status !== expected.status || !body.includes(expected.text)) {
      const text = body.toString();
      const what = `${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, SAMPLE_OF_FAULT)}`;
      this.faults[what] = (this.faults[what] ?? 0) + 1;
      return;
    }
    this.answered++;
    const now = performance.now();
    const isOfMeasuredTime = this.job.ratePerSecond ? due >= this.from : now >= this.from && now < this.until;
    if (!isOfMeasuredTime) return;
    this.counted++;
    this.latenciesMs.push(now - due);
  }

  private percentile(share: number): number {
    return this.latenciesMs[Math.ceil(share * this.latenciesMs.length) - 1] ?? NaN;
  }
}

process.once('message', (job: Job) => {
  void new Load(job).run().then((outcome) => process.send!(outcome, undefined, undefined, () => process.disconnect()));
});
