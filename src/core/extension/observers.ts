import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { WorkUnderWay } from '../process/work-under-way';
import { ExtensionRegistry, type Handler } from './extension-registry';
import { frozenCopy, type HandlerFault, invoke, isInside } from './invoke';
import type { ContextOf, DurableName, ObserverName, OnErrorContext, Operation, PaymentContext } from './points';

/** Beyond these, observers are too slow for what they are told of. */
const RUNNING_MAX = 1_000;

/** What is known about the call in which a handler failed. */
export type FaultContext = Partial<PaymentContext>;

/** Tells observers, at once and without waiting for them. What goes wrong there is logged and goes no further. */
@Injectable()
export class Observers implements OnApplicationShutdown {
  private readonly log = new Logger('extensions');
  private readonly running = new WorkUnderWay();

  constructor(private readonly registry: ExtensionRegistry) {}

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
