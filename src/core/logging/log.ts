import type { LoggerService } from '@nestjs/common';
import pino from 'pino';
import type { Env } from '../config/env';
import { tracing } from '../tracing/tracing';

export type Log = pino.Logger;

const FLUSH_MS = 250;
/** A line that waits keeps 64 kB, the slab that its bytes were cut from: lines must be gone before they grow old. */
const BUFFER_BYTES = 8_192;
const WRITE_BYTES_MAX = 65_536;

/** Structured log on standard output. Lines gather for up to 250 ms, so that a request does not wait for a write. */
export function createLog(
  { LOG_LEVEL }: Pick<Env, 'LOG_LEVEL'>,
  destination: pino.DestinationStream = standardOutput(),
): Log {
  return pino(
    {
      level: LOG_LEVEL,
      base: undefined,
      timestamp: isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: describeError },
      // Asked for each line, which costs: only where traces are collected.
      ...(tracing.on !== null && { mixin: () => tracing.on?.ids() ?? {} }),
    },
    destination,
  );
}

let [second, untilSecond] = [NaN, ''];

/** As pino's, which makes a date of each line's time: lines of one second begin the same. */
function isoTime(): string {
  const now = Date.now();
  if (Math.floor(now / 1_000) !== second) {
    second = Math.floor(now / 1_000);
    untilSecond = `,"time":"${new Date(now).toISOString().slice(0, -4)}`;
  }
  return `${untilSecond}${String(now % 1_000).padStart(3, '0')}Z"`;
}

function standardOutput(): pino.DestinationStream {
  const options = { sync: false, contentMode: 'buffer', minLength: BUFFER_BYTES, maxWrite: WRITE_BYTES_MAX } as const;
  const stream = pino.destination(options);
  // A flush of its own every few moments would go on for as long as the process, also with nothing to write.
  let flush: NodeJS.Timeout | undefined;
  stream.on('close', () => clearTimeout(flush));
  return {
    write: (line) => {
      // As bytes: strings would be joined, and the joined one be measured again for each line.
      stream.write(Buffer.from(line) as never);
      flush ??= setTimeout(() => {
        flush = undefined;
        stream.flush();
      }, FLUSH_MS).unref();
    },
  };
}

/**
 * Only what locates the fault: database errors also carry the statement and its parameters, which are customers' data.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return { type: name, code, message, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

/** Nest and libraries call a line's text `message`, pino `msg`: whoever reads the log searches one key. */
function withText(fields: object | null): object {
  const { message, ...rest } = { ...fields } as { message?: unknown };
  return message === undefined ? rest : { msg: message, ...rest };
}

/**
 * Sends what Nest and our services log through Nest's `Logger` to pino. An object's own fields become fields of the
 * line.
 */
export class NestLog implements LoggerService {
  /** Should someone log a request or its headers: never what lets a reader act as its sender. */
  private static readonly SECRETS = [
    'authorization',
    'headers.authorization',
    '*.headers.authorization',
    'headers.cookie',
    '*.headers.cookie',
  ];
  /** What Nest says about every module and route at each start. */
  private static readonly ROUTINE = new Set<unknown>(['InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

  private readonly pino: Log;

  constructor(log: Log) {
    this.pino = log.child({}, { redact: NestLog.SECRETS });
  }

  log = this.at('info');
  error = this.at('error');
  warn = this.at('warn');
  debug = this.at('debug');
  verbose = this.at('trace');
  fatal = this.at('fatal');

  private at(level: pino.Level) {
    return (message: unknown, ...rest: unknown[]): void => {
      const context = rest.pop();
      const write = this.pino[level === 'info' && NestLog.ROUTINE.has(context) ? 'debug' : level].bind(this.pino);
      const stack = rest.find((value) => typeof value === 'string');
      if (message instanceof Error) write({ context, err: message });
      else if (typeof message === 'object') write({ context, ...withText(message) });
      else write({ context, stack }, `${message as string}`);
    };
  }
}
