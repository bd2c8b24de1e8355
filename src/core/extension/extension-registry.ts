import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ConsecutiveBreaker } from 'cockatiel';
import { CannotStart } from '../errors/cannot-start';
import { type Declaration, declarationsOf } from './decorators';
import { type PointRules, rulesOf } from './point-rules';
import type { Operation, PointName } from './points';

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
  readonly kind: PointRules['kind'];
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

/** Every handler of the process, in the order in which they run. */
@Injectable()
export class ExtensionRegistry {
  private readonly scanner = new MetadataScanner();
  private handlers: readonly Handler[] = [];
  private readonly lists = new Map<PointName, Map<Operation | null | undefined, readonly Handler[]>>();

  /** `Class.method` of every handler that a class has, whether or not it can be used. */
  placesIn(prototype: object): string[] {
    return this.declared(prototype).map(({ place }) => place);
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
  const { kind, timeoutMs: usualMs } = rules;
  if ((kind === 'filter') !== (decorator === 'Filter'))
    throw new CannotStart(`${place}: "${point}" is a ${kind}; use @${kind === 'filter' ? 'Filter' : 'OnHook'}.`);
  const { timeoutMs = usualMs } = declaration;
  if (!NAME.test(id) || id.length > NAME_MAX)
    throw new CannotStart(`${place}: "${id}" is no id; write <team>.<what> in small letters.`);
  if (!Number.isInteger(priority)) throw new CannotStart(`${place}: the priority of "${id}" is not a whole number.`);
  if (!Number.isInteger(timeoutMs) || timeoutMs <= 0)
    throw new CannotStart(`${place}: timeoutMs of "${id}" is not a whole number above 0.`);
  const isShadow = mode === 'shadow';
  return {
    id,
    point: point as PointName,
    kind,
    priority,
    timeoutMs,
    isShadow,
    operations,
    place,
    run,
    breaker: new FilterBreaker(),
  };
}

/** Finds every `@Filter` and `@OnHook` method of the process at its start. What cannot be used stops the boot. */
@Injectable()
export class ExtensionDiscovery implements OnModuleInit {
  private readonly log = new Logger('extensions');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly registry: ExtensionRegistry,
  ) {}

  onModuleInit(): void {
    const instances = new Set<object>();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const instance = wrapper.instance as unknown;
      if (!wrapper.isDependencyTreeStatic() || wrapper.isTransient)
        this.refuse((wrapper.metatype?.prototype ?? null) as object | null);
      // An alias shows the same object again.
      else if (typeof instance === 'object' && instance !== null) instances.add(instance);
    }
    for (const instance of instances) this.registry.add(instance);
    const list = this.registry.all.map(
      ({ point, id, priority, isShadow, place }) => `${point} ${priority} ${id}${isShadow ? ' (shadow)' : ''} ${place}`,
    );
    this.log.log({ message: 'extensions in the order in which they run', extensions: list });
  }

  /** There is no one object to call. */
  private refuse(prototype: object | null): void {
    const [place] = prototype === null ? [] : this.registry.placesIn(prototype);
    if (place !== undefined)
      throw new CannotStart(
        `${place} extends a point, so its class must be a singleton: it is made anew for each request or user.`,
      );
  }
}
