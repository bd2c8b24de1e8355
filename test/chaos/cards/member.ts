import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../program';

const POLL_MS = 50;
const RESTARTS_MAX = 20;

/** One process of the service, started again after its end, as its supervisor would. */
export class Member {
  /** Starts that ended because PostgreSQL was away: then the next one is made. */
  restarts = 0;
  private seen = 0;
  private isUp = false;

  constructor(
    readonly name: string,
    private readonly program: Program,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    program.launch(env);
  }

  get url(): string {
    return `http://127.0.0.1:${this.env.PORT}`;
  }

  /** `kill -9`, and the next start. */
  async kill(): Promise<void> {
    await this.restart('SIGKILL');
  }

  /** Resolves with the exit code of the one that ended, null after a kill, when the next one has been launched. */
  async restart(signal: NodeJS.Signals): Promise<number | null> {
    const code = await this.program.end(signal);
    this.isUp = false;
    this.program.launch(this.env);
    return code;
  }

  async untilReady(): Promise<void> {
    for (; !(await this.isReady()); await sleep(POLL_MS)) {
      if (this.program.collapses.length > this.seen) this.startAgain();
    }
    this.isUp = true;
  }

  /** Stands still, and goes on. */
  pause(ms: number): Promise<void> {
    return this.program.pause(ms);
  }

  get lastWords(): string {
    return this.program.lastWords;
  }

  /** SIGTERM, for good; resolves with the exit code. */
  stop(): Promise<number | null> {
    return this.program.end('SIGTERM');
  }

  end(): Promise<number | null> {
    return this.program.end('SIGKILL');
  }

  private startAgain(): void {
    this.seen = this.program.collapses.length;
    if (this.isUp || ++this.restarts > RESTARTS_MAX)
      throw new Error(`${this.name} ended by itself with ${this.program.collapses.at(-1)}:\n${this.program.lastWords}`);
    this.program.launch(this.env);
  }

  private async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(5_000),
    }).catch(() => null);
    return answer?.ok ?? false;
  }
}
