import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, type OnModuleInit, Optional } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ConsecutiveBreaker } from 'cockatiel';
import { CannotStart } from '../errors/cannot-start';
import { type Declaration, declarationsOf } from './decorators';
import { type PointName, type PointRules, rulesOf } from './points';
import type { Operation } from '../../vocabulary/products';

const FAILURES_IN_A_ROW = 5;
const OFF_MS = 30_000;

/**
 * Switches a filter off that fails again and again, and tries it once more after a while. Cockatiel's counter without
 * its policy: that one answers with a promise, which a synchronous filter must not cost.
 */
class FilterBreaker {
  private readonly breaker = new ConsecutiveBreaker(FAILURES_IN_A_ROW);
  private offUntil = 0;

  get isOff(): boolean {
    return this.offUntil > 0 && performance.now() < this.offUntil;
  }

  success(): void {
    this.offUntil = 0;
    this.breaker.success();
  }

  /** True when this failure switched it off. */
  failure(): boolean {
    if (!this.breaker.failure()) return false;
    this.offUntil = performance.now() + OFF_MS;
    return true;
  }
}

/** A method that extends a point. */
export interface Handler {
  readonly id: string;
  readonly point: PointName;
  /** Of its point: all handlers of one have the same. */
  readonly rules: PointRules;
  readonly priority: number;
  readonly timeoutMs: number;
  readonly isShadow: boolean;
  /** Null: for all. */
  readonly operations: readonly Operation[] | null;
  /** `Class.method`, for messages. */
  readonly place: string;
  readonly run: (...args: unknown[]) => unknown;
  readonly breaker: FilterBreaker;
}

const PRIORITY = 10;
const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;
const NAME_MAX = 100;
const NONE: readonly Handler[] = [];

/**
 * Every handler of the process, in the order in which they run: the `@Filter` and `@OnHook` methods that are found at
 * its start. What cannot be used stops the boot.
 */
@Injectable()
export class ExtensionRegistry implements OnModuleInit {
  private readonly log = new Logger('extensions');
  private readonly scanner = new MetadataScanner();
  private handlers: readonly Handler[] = [];
  private readonly lists = new Map<PointName, Map<Operation | null | undefined, readonly Handler[]>>();

  /** Without Nest's discovery there is only what is added by hand. */
  constructor(@Optional() private readonly discovery?: DiscoveryService) {}

  onModuleInit(): void {
    const instances = new Set<object>();
    for (const wrapper of [...this.discovery!.getProviders(), ...this.discovery!.getControllers()]) {
      const instance = wrapper.instance as unknown;
      if (!wrapper.isDependencyTreeStatic() || wrapper.isTransient)
        this.refuse((wrapper.metatype?.prototype ?? null) as object | null);
      // An alias shows the same object again.
      else if (typeof instance === 'object' && instance !== null) instances.add(instance);
    }
    for (const instance of instances) this.add(instance);
    const list = this.handlers.map(
      ({ point, id, priority, isShadow, place }) => `${point} ${priority} ${id}${isShadow ? ' (shadow)' : ''} ${place}`,
    );
    this.log.log({ message: 'extensions in the order in which they run', extensions: list });
  }

  /** Registers the handlers of an object. Throws `CannotStart` that names the method for one that cannot be used. */
  add(instance: object): void {
    const found = this.declared(Object.getPrototypeOf(instance) as object);
    if (found.length === 0) return;
    for (const { declaration, method, place } of found) {
      const handler = handlerOf(declaration, place, method.bind(instance));
      const twin = this.handlers.find(({ id }) => id === handler.id);
      if (twin) throw new CannotStart(`Two extensions are called "${handler.id}": ${twin.place} and ${place}.`);
      this.handlers = [...this.handlers, handler].sort(inOrder);
    }
    this.lists.clear();
  }

  /** The handlers of a point: all, or those that are for an operation; `null`: those that are for any. */
  of(point: PointName, operation?: Operation | null): readonly Handler[] {
    if (this.handlers.length === 0) return NONE;
    return this.lists.get(point)?.get(operation) ?? this.select(point, operation);
  }

  get all(): readonly Handler[] {
    return this.handlers;
  }

  /** There is no one object to call. */
  private refuse(prototype: object | null): void {
    const [found] = prototype === null ? [] : this.declared(prototype);
    if (found !== undefined)
      throw new CannotStart(
        `${found.place} extends a point, so its class must be a singleton: it is made anew for each request or user.`,
      );
  }

  private select(point: PointName, operation: Operation | null | undefined): readonly Handler[] {
    const isFor = ({ operations }: Handler): boolean =>
      operation === undefined || operations === null || (operation !== null && operations.includes(operation));
    const list = this.handlers.filter((handler) => handler.point === point && isFor(handler));
    const lists = this.lists.get(point) ?? new Map<Operation | null | undefined, readonly Handler[]>();
    this.lists.set(point, lists.set(operation, list));
    return list;
  }

  private declared(prototype: object) {
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method = (prototype as Record<string, Handler['run']>)[name]!;
      const place = `${prototype.constructor.name}.${name}`;
      return declarationsOf(method).map((declaration) => ({ declaration, method, place }));
    });
  }
}

const inOrder = (a: Handler, b: Handler): number => a.priority - b.priority || (a.id < b.id ? -1 : 1);

function handlerOf(declaration: Declaration, place: string, run: Handler['run']): Handler {
  const { decorator, point, id, priority = PRIORITY, mode, operations = null } = declaration;
  const rules = rulesOf(point);
  if (rules === undefined) throw new CannotStart(`${place} extends "${point}", and there is no such point.`);
  const { kind } = rules;
  if ((kind === 'filter') !== (decorator === 'Filter'))
    throw new CannotStart(`${place}: "${point}" is a ${kind}; use @${kind === 'filter' ? 'Filter' : 'OnHook'}.`);
  const { timeoutMs = rules.timeoutMs } = declaration;
  if (!NAME.test(id) || id.length > NAME_MAX)
    throw new CannotStart(`${place}: "${id}" is no id; write <team>.<what> in small letters.`);
  if (!Number.isInteger(priority)) throw new CannotStart(`${place}: the priority of "${id}" is not a whole number.`);
  if (!Number.isInteger(timeoutMs) || timeoutMs <= 0)
    throw new CannotStart(`${place}: timeoutMs of "${id}" is not a whole number above 0.`);
  const isShadow = mode === 'shadow';
  return {
    id,
    point: point as PointName,
    rules,
    priority,
    timeoutMs,
    isShadow,
    operations,
    place,
    run,
    breaker: new FilterBreaker(),
  };
}

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
    // Not by its own `then`, which may throw.
    const awaited = async (): Promise<unknown> => await result;
    awaited().then(
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
