import { type ChildProcess, fork, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Outcome } from './load';

type Surroundings = Pick<SpawnOptions, 'cwd' | 'env'>;

const STOP_TIMEOUT_MS = 10_000;

/** The processes that this one started; nothing else is ever ended. */
export class Processes {
  private readonly running = new Set<ChildProcess>();

  /** A program whose output goes to `log`. */
  start(args: readonly string[], options: Surroundings & { log: string }): ChildProcess {
    const log = openSync(options.log, 'a');
    return this.own(spawn(process.execPath, args, { cwd: options.cwd, env: options.env, stdio: ['ignore', log, log] }));
  }

  /** A server whose output goes to `log`; resolves when it answers 200 at `readyUrl`. */
  async startServer(
    args: readonly string[],
    options: Surroundings & { log: string; readyUrl: string },
  ): Promise<ChildProcess> {
    const child = this.start(args, options);
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${args.at(-1)} ended with ${child.exitCode}: see ${options.log}`);
      const answer = await fetch(options.readyUrl).catch(() => null);
      if (answer?.ok) return child;
      await sleep(50);
    }
  }

  /** Runs a program to its end and returns what it printed. */
  async run(file: string, args: readonly string[], surroundings: Surroundings = {}): Promise<string> {
    const child = this.own(spawn(file, args, { ...surroundings, stdio: ['ignore', 'pipe', 'pipe'] }));
    let printed = '';
    let complained = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${complained}${printed}`);
    return printed;
  }

  /** Puts load on a server from a process of its own. */
  async load(job: Job): Promise<Outcome> {
    return this.ask<Outcome>(this.fork('load.ts'), job);
  }

  /** A script of this folder in a process of its own. */
  fork(script: string): ChildProcess {
    return this.own(fork(`${__dirname}/${script}`));
  }

  ask<T>(child: ChildProcess, question: object | string): Promise<T> {
    child.send(question);
    return this.hear<T>(child);
  }

  /** The next message of a process. */
  async hear<T>(child: ChildProcess): Promise<T> {
    const heard = new AbortController();
    const ended = once(child, 'exit', heard).then(([code]) =>
      Promise.reject(new Error(`${child.spawnargs.at(-1)} ended with ${code}`)),
    );
    ended.catch(() => undefined);
    try {
      return ((await Promise.race([once(child, 'message', heard), ended])) as [T])[0];
    } finally {
      heard.abort();
    }
  }

  async stop(child: ChildProcess): Promise<void> {
    if (!this.running.has(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(impatience);
  }

  async stopById(pid: number): Promise<void> {
    const child = [...this.running].find((each) => each.pid === pid);
    if (child) await this.stop(child);
  }

  /** The last one first: a load must not outlive the server that it is put on. */
  async stopAll(): Promise<void> {
    for (const child of [...this.running].reverse()) await this.stop(child);
  }

  private own<C extends ChildProcess>(child: C): C {
    this.running.add(child);
    child.once('exit', () => this.running.delete(child));
    return child;
  }
}
