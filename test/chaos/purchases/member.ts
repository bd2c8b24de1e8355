import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Moment } from './moments';
import type { Operator } from './operator';

const PROJECT = join(__dirname, '../../..');
const MOMENT_MAX_MS = 90_000;
const POLL_MS = 50;

export interface MemberSettings {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly operator: Operator;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
}

/** One process of the service: killed at a moment, and started again at once as its supervisor would. */
export class Member {
  private child: ChildProcess;
  /** Exit code or signal of ends that nobody asked for. */
  readonly collapses: string[] = [];

  constructor(private readonly settings: MemberSettings) {
    this.launch();
  }

  get name(): string {
    return this.settings.name;
  }

  get url(): string {
    return `http://127.0.0.1:${this.settings.env.PORT}`;
  }

  /** Resolves when it was killed with -9 at the moment and started again. Throws when the moment never comes. */
  async killAt(moment: Moment): Promise<void> {
    const lateness = new AbortController();
    const late = sleep(MOMENT_MAX_MS, undefined, lateness).then(() =>
      Promise.reject(new Error(`${this.name} never came to the moment "${moment}"`)),
    );
    try {
      await Promise.race([this.at(moment), late]);
    } finally {
      lateness.abort();
      late.catch(() => undefined);
    }
    await this.end('SIGKILL');
    this.launch();
  }

  /** Ends it with a signal; returns its exit code, null after a kill. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    child.removeAllListeners('exit');
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  }

  /** For an API. */
  async untilReady(): Promise<void> {
    for (; ; await sleep(POLL_MS)) {
      const answer = await fetch(`${this.url}/readyz`, { headers: { connection: 'close' } }).catch(() => null);
      if (answer?.ok) return;
      if (this.collapses.length > 0)
        throw new Error(`${this.name} ended with ${this.collapses.join()}:\n${this.lastWords}`);
    }
  }

  get lastWords(): string {
    return readFileSync(this.settings.logFile, 'utf8').trimEnd().split('\n').slice(-10).join('\n');
  }

  private launch(): void {
    const { name, role, operator, env, logFile } = this.settings;
    const log = openSync(logFile, 'a');
    const args = [
      '-r',
      join(PROJECT, 'bench/typescript.cjs'),
      join(__dirname, 'process.ts'),
      role,
      operator.addressFor(name),
    ];
    this.child = spawn(process.execPath, args, { cwd: PROJECT, env, stdio: ['ignore', log, log, 'ipc'] });
    this.child.once('exit', (code, signal) => this.collapses.push(String(code ?? signal)));
  }

  private at(moment: Moment): Promise<unknown> {
    const { name, operator } = this.settings;
    if (moment === 'asked') return operator.next(name, 'sell');
    if (moment === 'requeried') return operator.next(name, 'find');
    this.child.send({ stopAt: moment });
    return once(this.child, 'message');
  }
}
