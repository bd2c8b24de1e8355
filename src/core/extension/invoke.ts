import { AsyncLocalStorage } from 'node:async_hooks';
import type { Handler } from './extension-registry';
import type { PointName } from './points';

/** Why a handler counts as failed. */
export class HandlerFault extends Error {
  constructor(
    readonly code: 'threw' | 'timed_out' | 'invalid_result',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What a handler returned, unchecked, or how it failed. */
export type Outcome = { readonly value: unknown; readonly fault?: undefined } | { readonly fault: HandlerFault };

interface Frame {
  readonly handler: Handler;
  /** Observers that led to this call, through the queue as well. */
  readonly causes: readonly string[];
  readonly outer: Frame | undefined;
}

const frames = new AsyncLocalStorage<Frame>();

/** Whether this call was made, at whatever distance, by a handler of the point. */
export function isInside(point: PointName): boolean {
  for (let frame = frames.getStore(); frame !== undefined; frame = frame.outer)
    if (frame.handler.point === point) return true;
  return false;
}

/** Ids of the observers in whose handlers this call stands. */
export const causesOf = (): readonly string[] => frames.getStore()?.causes ?? [];

/** A handler with the arguments before its signal. `causes`: what led to it before this process took it up. */
export interface Call {
  readonly handler: Handler;
  readonly args: readonly unknown[];
  /** Its answer counts only if it comes at once: there is no time-out and no signal. */
  readonly sync?: boolean;
  readonly causes?: readonly string[];
}

/** Runs a handler. Never throws or rejects. A synchronous handler is answered synchronously, without a promise. */
export function invoke({ handler, args, sync = false, causes }: Call): Outcome | Promise<Outcome> {
  const outer = frames.getStore();
  const frame = { handler, causes: causes ?? outer?.causes ?? [], outer };
  const controller = sync ? null : new AbortController();
  try {
    const result = controller
      ? frames.run(frame, handler.run, ...args, controller.signal)
      : frames.run(frame, handler.run, ...args);
    if (!isThenable(result)) return { value: result };
    if (controller) return settle(result, controller, handler.timeoutMs);
    result.then(undefined, () => undefined);
    return { fault: new HandlerFault('invalid_result', 'it answers with a promise where it must answer at once') };
  } catch (error) {
    return { fault: thrown(error) };
  }
}

function settle(result: PromiseLike<unknown>, controller: AbortController, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      const fault = new HandlerFault('timed_out', `it took longer than ${timeoutMs} ms`);
      resolve({ fault });
      controller.abort(fault);
    }, timeoutMs);
    const end = (outcome: Outcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    result.then(
      (value) => end({ value }),
      (error: unknown) => end({ fault: thrown(error) }),
    );
  });
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as Partial<PromiseLike<unknown>>).then === 'function';

const thrown = (error: unknown): HandlerFault =>
  new HandlerFault('threw', `it threw ${error instanceof Error ? error.name : typeof error}`, { cause: error });

/**
 * A deeply frozen copy of plain data, made for handlers: whatever they try, the caller's own objects stay as they are
 * and stay changeable.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  // A date cannot be frozen.
  if (value instanceof Date) return new Date(value) as T;
  const copy = { ...value } as Record<string, unknown>;
  for (const key in copy) {
    const part = copy[key];
    if (typeof part === 'object' && part !== null) copy[key] = frozenCopy(part);
  }
  return Object.freeze(copy) as T;
}
