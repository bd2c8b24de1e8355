import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { inspect } from 'node:util';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { CannotStart } from '../errors/cannot-start';
import { Readiness } from '../health/readiness';
import { stopTracing } from '../tracing/start-tracing';
import { waitUpTo } from './work-under-way';

// Ctrl-C in a terminal reaches us twice: once from the terminal and once from npm.
const SAME_KEYSTROKE_MS = 1_000;
const PARENT_CHECK_MS = 500;
// What hangs must leave the steps after it some time.
const SHARE_OF_ONE_STEP = 0.8;

/**
 * From the start of a process to its end: what it brought up is taken down in reverse order, also when the start
 * failed.
 */
export class Lifetime {
  /** Seconds from the first signal to the end, whatever hangs. */
  graceSeconds = 15;
  /** Told to end, it has done what it is for. Anything else has not, which the exit code of a shell tells. */
  isService = false;
  private readonly stops: (() => Promise<unknown>)[] = [];
  private endedAt: number | null = null;

  /** `exit` ends the process; a command that runs within another one has its exit code told there. */
  constructor(private readonly exit: (code: number) => void = (code) => process.exit(code)) {}

  get isEnding(): boolean {
    return this.endedAt !== null;
  }

  /** A failure of `main` is told, and ends with exit code 1. */
  async run(main: (lifetime: Lifetime) => Promise<void>): Promise<void> {
    await main(this).catch((error: unknown) => {
      // What was interrupted by the end fails, of course.
      if (this.isEnding) return;
      tell(error);
      return this.end(1);
    });
  }

  /** Waits for `thing`, and calls `stop` with it at the end; also when the end comes before the thing is ready. */
  async own<T>(thing: Promise<T>, stop: (thing: T) => Promise<unknown>): Promise<T> {
    this.stops.push(() => thing.then(stop, () => undefined));
    return thing;
  }

  /** A killed npm takes nothing along: whoever started this process through it would leave an orphan behind. */
  endWithParent(): void {
    const launcher = launcherOf(process.ppid);
    setInterval(() => {
      if (this.isEnding || launcherOf(process.ppid) === launcher) return;
      new Logger('process').warn({ msg: 'the process that started this one is gone: this one ends, too', launcher });
      this.interrupt('SIGHUP');
    }, PARENT_CHECK_MS).unref();
  }

  endOnSignals(): void {
    const onSignal = (signal: NodeJS.Signals): void => {
      if (this.endedAt === null) this.interrupt(signal);
      else if (Date.now() - this.endedAt > SAME_KEYSTROKE_MS) process.exit(130);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    // The terminal was closed. Without one it is somebody's `nohup`, who wants the process to stay.
    if (process.stdout.isTTY) process.on('SIGHUP', onSignal);
  }

  async end(code: number): Promise<void> {
    if (this.endedAt !== null) return;
    this.endedAt = Date.now();
    const deadline = this.endedAt + this.graceSeconds * 1_000;
    const limit = setTimeout(() => this.exit(1), this.graceSeconds * 1_000).unref();
    let allInTime = true;
    for (let stop = this.stops.pop(); stop; stop = this.stops.pop()) {
      let inTime = false;
      const stopped = stop().then(() => void (inTime = true), tell);
      await waitUpTo((deadline - Date.now()) * SHARE_OF_ONE_STEP, stopped);
      // Else nobody knows what the exit code means. What is open, sockets for example, tells what it waited for.
      if (!inTime)
        new Logger('process').warn({
          msg: 'a step of the end failed or took too long',
          open: process.getActiveResourcesInfo(),
        });
      allInTime &&= inTime;
    }
    clearTimeout(limit);
    this.exit(allInTime ? code : 1);
  }

  private interrupt(signal: NodeJS.Signals): void {
    void this.end(this.isService ? 0 : 128 + constants.signals[signal]);
  }
}

/** The frame of every entry point. A `CannotStart` is told without a stack; each failure ends with exit code 1. */
export function runProcess(main: (lifetime: Lifetime) => Promise<void>): void {
  quickenStrings();
  const lifetime = new Lifetime();
  lifetime.endOnSignals();
  void lifetime.run(main);
}

function tell(error: unknown): void {
  const known = CannotStart.of(error);
  process.stderr.write(known ? `\n${known.message}\n\n` : `${inspect(error)}\n`);
}

/** Who started this process. npm may stand behind a shell, which would outlive it; only Linux tells cheaply. */
function launcherOf(parent: number): number {
  try {
    const [, name, grandparent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8'))!;
    return name === 'sh' ? Number(grandparent) : parent;
  } catch {
    return parent;
  }
}

/** Not ready at once, so that no new work is sent here; then requests in flight, batches and jobs finish. */
export async function closeApp(app: INestApplicationContext): Promise<void> {
  app.get(Readiness, { strict: false }).stop();
  await app.close();
  await stopTracing();
}

/**
 * A class that extends `String`, as one of ioredis does, makes V8 look up the methods of all strings in a slow table:
 * `charCodeAt` then takes nine times as long, in the whole process. Calls on a string object, once they are many, make
 * it lay out the methods for speed again.
 */
function quickenStrings(): void {
  const first = (text: string): number => text.charCodeAt(0);
  for (let call = 0; call < 1_000; call++) first(Object('text') as string);
}
