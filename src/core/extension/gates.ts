import { Injectable, Logger } from '@nestjs/common';
import { BlockedByHook, GateUnavailable } from './errors';
import { ExtensionRegistry, type Handler } from './extension-registry';
import { frozenCopy } from './frozen';
import { HandlerFault, invoke, isInside } from './invoke';
import { type FaultContext, Observers } from './observers';
import type { ContextOf, GateName, Operation } from './points';

interface Veto {
  readonly code: string;
  readonly message: string;
}

const CODE = /^[a-z][a-z0-9_]{0,63}$/;
const MESSAGE_MAX = 500;

/** Asks the gates of a point in order; the first veto ends it. A gate that does not answer well is a closed gate. */
@Injectable()
export class Gates {
  private readonly log = new Logger('extensions');

  constructor(
    private readonly registry: ExtensionRegistry,
    private readonly observers: Observers,
  ) {}

  /** Throws `BlockedByHook` or `GateUnavailable`; the latter also where a gate reaches its own point. */
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
    if (verdict instanceof HandlerFault) this.observers.failed(handler, verdict, context as FaultContext);
    return verdict;
  }
}

function readVerdict(value: unknown): Veto | HandlerFault | null {
  if (value === undefined || value === null) return null;
  const { veto, code, message } = value as Partial<Veto & { veto: boolean }>;
  if (veto === false) return null;
  const isVeto =
    veto === true &&
    typeof code === 'string' &&
    CODE.test(code) &&
    typeof message === 'string' &&
    message.length <= MESSAGE_MAX;
  return isVeto
    ? { code, message }
    : new HandlerFault('invalid_result', 'its verdict is neither nothing nor {veto, code, message}');
}
