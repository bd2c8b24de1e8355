import { Injectable, Logger } from '@nestjs/common';
import { ExtensionRegistry, type Handler } from './extension-registry';
import { frozenCopy } from './frozen';
import { HandlerFault, invoke, isInside, type Outcome } from './invoke';
import { type FaultContext, Observers } from './observers';
import { type FilterRules, rulesOf } from './point-rules';
import type { ContextOf, FilterChange, Filtered, FilterName, Operation, ValueOf } from './points';

const UNCHANGED: readonly FilterChange[] = Object.freeze([]);

/** Passes values through the filters of a point, one after the other. A filter that fails is left out. */
@Injectable()
export class Filters {
  private readonly log = new Logger('extensions');

  constructor(
    private readonly registry: ExtensionRegistry,
    private readonly observers: Observers,
  ) {}

  /** Answers without a promise as long as all filters do. A point that is reached from its own filter is not filtered again. */
  apply<P extends FilterName>(
    point: P,
    value: ValueOf<P>,
    context: ContextOf<P>,
  ): Filtered<ValueOf<P>> | Promise<Filtered<ValueOf<P>>> {
    const handlers = this.registry.of(point, (context as { operation?: Operation }).operation);
    if (handlers.length === 0) return { value, changes: UNCHANGED };
    if (isInside(point)) {
      this.log.warn({ message: `${point} is reached from its own filter: the value stays as it is` });
      return { value, changes: UNCHANGED };
    }
    const rules = rulesOf(point) as FilterRules<ValueOf<P>>;
    return new FilterRun({ handlers, rules, observers: this.observers }, frozenCopy(value), frozenCopy(context)).from(
      0,
    );
  }
}

interface Chain<Value> {
  readonly handlers: readonly Handler[];
  readonly rules: FilterRules<Value>;
  readonly observers: Observers;
}

/** One value on its way. */
class FilterRun<Value> {
  private readonly changes: FilterChange[] = [];
  private value: Value;

  constructor(
    private readonly chain: Chain<Value>,
    private readonly original: Value,
    private readonly context: object,
  ) {
    this.value = original;
  }

  from(index: number): Filtered<Value> | Promise<Filtered<Value>> {
    const { handlers, rules } = this.chain;
    for (let i = index; i < handlers.length; i++) {
      const handler = handlers[i]!;
      if (handler.breaker.isOff) continue;
      const outcome = invoke({ handler, args: [this.value, this.context], sync: rules.sync });
      if (outcome instanceof Promise) {
        return outcome.then((settled) => {
          this.take(handler, settled);
          return this.from(i + 1);
        });
      }
      this.take(handler, outcome);
    }
    return { value: this.value, changes: this.changes };
  }

  private take(handler: Handler, outcome: Outcome): void {
    const fault = outcome.fault ?? this.use(handler, outcome.value);
    if (fault === null) return handler.breaker.success();
    this.chain.observers.failed(handler, fault, this.context as FaultContext);
    if (!handler.breaker.failure()) return;
    const more = { code: 'switched_off', message: 'it failed again and again, and is switched off for a while' };
    this.chain.observers.failed(handler, fault, this.context as FaultContext, more);
  }

  /** Goes on with a result, or says why not: then the last good value stays. */
  private use({ id, isShadow }: Handler, result: unknown): HandlerFault | null {
    if (result === this.value) return null;
    const { accept, toJson } = this.chain.rules;
    try {
      const good = frozenCopy(accept(result, this.original));
      const [before, after] = [toJson(this.value), toJson(good)];
      if (isSame(before, after)) return null;
      this.changes.push({ by: id, before, after, ...(isShadow && { shadow: true }) });
      if (!isShadow) this.value = good;
      return null;
    } catch (error) {
      return new HandlerFault('invalid_result', `its result is not used: ${(error as Error).message}`);
    }
  }
}

const isSame = (before: unknown, after: unknown): boolean =>
  before === after || (typeof after === 'object' && JSON.stringify(before) === JSON.stringify(after));
