import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const BUILD = join(__dirname, '../../dist/src');

/** One process of the built service, to be ended and started again as its supervisor would. */
export class Program {
  private child?: ChildProcess;
  /** Exit code or signal of ends that nobody asked for. */
  readonly collapses: string[] = [];

  /** `script`: its entry point within `build`, the one of this checkout if none is named. */
  constructor(
    private readonly script: string,
    private readonly logFile: string,
    private readonly build = BUILD,
  ) {}

  launch(env: NodeJS.ProcessEnv): void {
    const log = openSync(this.logFile, 'a');
    this.child = spawn(process.execPath, [join(this.build, this.script)], { env, stdio: ['ignore', log, log] });
    this.child.once('exit', (code, signal) => this.collapses.push(String(code ?? signal)));
  }

  /** Sends a signal and waits for the end; returns the exit code, null after a kill. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (child === undefined) return null;
    child.removeAllListeners('exit');
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  }

  /** Resolves with exit code or signal when it ends by itself: whoever waits for that has asked for it. */
  async untilEnded(): Promise<string> {
    const [code, signal] = (await once(this.child!.removeAllListeners('exit'), 'exit')) as [number?, string?];
    return String(code ?? signal);
  }

  /** Stands still, and goes on. */
  async pause(ms: number): Promise<void> {
    this.child?.kill('SIGSTOP');
    await sleep(ms);
    this.child?.kill('SIGCONT');
  }

  get lastWords(): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-60).join('\n');
  }
}
