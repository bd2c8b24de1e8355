import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DomainError, ServiceUnavailable } from '../errors/domain-error';
import { WorkUnderWay } from '../process/work-under-way';
import {
  ExtensionRegistry,
  frozenCopy,
  type Handler,
  HandlerFault,
  invoke,
  isInside,
  type Outcome,
} from './extension-registry';
import type {
  ContextOf,
  DurableName,
  FilterChange,
  Filtered,
  FilterName,
  FilterRules,
  GateName,
  ObserverName,
  OnErrorContext,
  PaymentContext,
  PointName,
  ValueOf,
} from './points';
import type { Operation } from '../../vocabulary/products';

/** An extension stopped a payment. Nothing was debited. */
export class BlockedByHook extends DomainError {
  constructor(
    /** Id of the extension. */
    readonly by: string,
    veto: { readonly code: string; readonly message: string },
  ) {
    super({
      code: 'blocked_by_hook',
      kind: 'unprocessable',
      title: 'Blocked by a rule of the platform',
      detail: `${veto.message} (${by}: ${veto.code})`,
      recovery: 'caller_must_fix',
    });
  }
}

/** A gate that had to be asked did not answer. Nothing was done. */
export class GateUnavailable extends ServiceUnavailable {
  constructor(options?: ErrorOptions) {
    super(
      'A check that every payment must pass gave no answer. Nothing was changed; send the request again with the ' +
        'same key.',
      options,
    );
  }
}

interface Veto {
  readonly code: string;
  readonly message: string;
}

const VETO_CODE = /^[a-z][a-z0-9_]{0,63}$/;
const VETO_MESSAGE_MAX = 500;
const UNCHANGED: readonly FilterChange[] = Object.freeze([]);

/** Beyond these, observers are too slow for what they are told of. */
const RUNNING_MAX = 1_000;

/** What is known about the call in which a handler failed. */
type FaultContext = Partial<PaymentContext>;

/**
 * Runs points of any name: those of modules and teams, who publish their own with `publishPoint`. Gates are asked,
 * values pass through filters, and observers are told.
 */
@Injectable()
export class PointRunner implements OnApplicationShutdown {
  private readonly log = new Logger('extensions');
  /** Observers that have been told and are not done. */
  private readonly running = new WorkUnderWay();

  constructor(private readonly registry: ExtensionRegistry) {}

  isEmpty(point: PointName, operation?: Operation): boolean {
    return this.registry.of(point, operation).length === 0;
  }

  /**
   * Asks the gates of a point in order; the first veto ends it. A gate that does not answer well is a closed gate.
   * Throws `BlockedByHook` or `GateUnavailable`; the latter also where a gate reaches its own point.
   */
  async ask<P extends GateName>(point: P, context: ContextOf<P>): Promise<void> {
    const handlers = this.registry.of(point, (context as { operation?: Operation }).operation);
    if (handlers.length === 0) return;
    if (isInside(point)) {
      this.log.error({ message: `${point} is reached from its own gate: refused` });
      throw new GateUnavailable();
    }
    const frozen = frozenCopy(context);
    for (const handler of handlers) {
      // What only watches keeps nobody waiting.
      if (handler.isShadow) void this.watch(handler, frozen);
      else await this.pass(handler, frozen);
    }
  }

  /**
   * Passes a value through the filters of a point, one after the other; one that fails is left out. Answers without a
   * promise as long as all filters do. A point that is reached from its own filter is not filtered again.
   */
  filter<P extends FilterName>(
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
    const rules = handlers[0]!.rules as FilterRules<ValueOf<P>>;
    return new FilterRun({ handlers, rules, runner: this }, frozenCopy(value), frozenCopy(context)).from(0);
  }

  /**
   * At once and at most once; never throws and waits for nothing. What goes wrong there is logged and goes no further.
   * What must not be lost goes through the outbox.
   */
  tell<P extends Exclude<ObserverName, DurableName>>(point: P, context: ContextOf<P>): void {
    const handlers = this.registry.of(point, (context as { operation?: Operation | null }).operation);
    if (handlers.length === 0) return;
    if (isInside(point) || this.running.size >= RUNNING_MAX) {
      const why = isInside(point) ? 'its own observer caused it' : 'too many observers are still running';
      this.log.warn({ message: `${point} is not told: ${why}` });
      return;
    }
    const frozen = frozenCopy(context);
    for (const handler of handlers) void this.running.add(this.run(handler, frozen));
  }

  /**
   * A handler failed: into the log, and to the observers of errors. `code` and `message` where the fault's own do not
   * say it all.
   */
  failed(
    handler: Handler,
    fault: HandlerFault,
    context: FaultContext,
    { code = fault.code as string, message = fault.message } = {},
  ): void {
    const { id, point, place } = handler;
    this.log.error({
      message: `an extension failed: ${message}`,
      extension: id,
      point,
      place,
      code,
      err: fault.cause ?? fault,
    });
    const {
      operation = null,
      accountId = null,
      livemode = null,
      objectType = null,
      objectId = null,
      requestId = null,
      dryRun = false,
      draft = null,
    } = context;
    const error = {
      stage: 'extension',
      by: id,
      code,
      message: `${point}: ${message}`,
      outcome: 'failed',
    } satisfies OnErrorContext['error'];
    const about = { operation, accountId, livemode, objectType, objectId, requestId, dryRun, draft };
    this.tell('svc_on_error', { ...about, error });
  }

  /** What they were told is not lost when the process stops. */
  onApplicationShutdown(): Promise<void> {
    return this.running.end();
  }

  private async pass(handler: Handler, context: object): Promise<void> {
    const verdict = await this.verdictOf(handler, context);
    if (verdict instanceof HandlerFault) throw new GateUnavailable({ cause: verdict });
    if (verdict !== null) throw new BlockedByHook(handler.id, verdict);
  }

  private async watch(handler: Handler, context: object): Promise<void> {
    const verdict = await this.verdictOf(handler, context);
    const { id: extension, point } = handler;
    if (verdict !== null && !(verdict instanceof HandlerFault))
      this.log.log({ message: 'a shadow gate would have vetoed', extension, point, veto: verdict });
  }

  private async verdictOf(handler: Handler, context: object): Promise<Veto | HandlerFault | null> {
    const called = invoke({ handler, args: [context] });
    const outcome = called instanceof Promise ? await called : called;
    const verdict = outcome.fault ?? readVerdict(outcome.value);
    if (verdict instanceof HandlerFault) this.failed(handler, verdict, context as FaultContext);
    return verdict;
  }

  /** Not within the caller's turn: an observer that is busy must not keep the caller waiting. */
  private async run(handler: Handler, context: object): Promise<void> {
    await nextTurn();
    const { fault } = await invoke({ handler, args: [context] });
    const { id: extension, point, place } = handler;
    if (fault)
      this.log.error({
        message: `an observer failed: ${fault.message}`,
        extension,
        point,
        place,
        err: fault.cause ?? fault,
      });
  }
}

function readVerdict(value: unknown): Veto | HandlerFault | null {
  if (value === undefined || value === null) return null;
  const { veto, code, message } = value as Partial<Veto & { veto: boolean }>;
  if (veto === false) return null;
  const isVeto =
    veto === true &&
    typeof code === 'string' &&
    VETO_CODE.test(code) &&
    typeof message === 'string' &&
    message.length <= VETO_MESSAGE_MAX;
  return isVeto
    ? { code, message }
    : new HandlerFault('invalid_result', 'its verdict is neither nothing nor {veto, code, message}');
}

interface Chain<Value> {
  readonly handlers: readonly Handler[];
  readonly rules: FilterRules<Value>;
  readonly runner: PointRunner;
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
    this.chain.runner.failed(handler, fault, this.context as FaultContext);
    if (!handler.breaker.failure()) return;
    const more = { code: 'switched_off', message: 'it failed again and again, and is switched off for a while' };
    this.chain.runner.failed(handler, fault, this.context as FaultContext, more);
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
