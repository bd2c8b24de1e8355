import { Injectable } from '@nestjs/common';
import { ExtensionRegistry } from './extension-registry';
import { Filters } from './filters';
import { Gates } from './gates';
import { Observers } from './observers';
import type { ContextOf, Filtered, FilterName, GateName, ObserverName, Operation, PointName, ValueOf } from './points';

/** Runs points of any name: those of modules and teams, who publish their own with `publishPoint`. */
@Injectable()
export class PointRunner {
  constructor(
    private readonly registry: ExtensionRegistry,
    private readonly gates: Gates,
    private readonly filters: Filters,
    private readonly observers: Observers,
  ) {}

  isEmpty(point: PointName, operation?: Operation): boolean {
    return this.registry.of(point, operation).length === 0;
  }

  /** Throws `BlockedByHook` or, when a gate fails or is slow, `GateUnavailable`. */
  ask<P extends GateName>(point: P, context: ContextOf<P>): Promise<void> {
    return this.gates.ask(point, context);
  }

  /** Without a promise as long as no handler makes one. */
  filter<P extends FilterName>(
    point: P,
    value: ValueOf<P>,
    context: ContextOf<P>,
  ): Filtered<ValueOf<P>> | Promise<Filtered<ValueOf<P>>> {
    return this.filters.apply(point, value, context);
  }

  /** At once and at most once; never throws and waits for nothing. What must not be lost goes through the outbox. */
  tell<P extends Exclude<ObserverName, 'svc_after_payment'>>(point: P, context: ContextOf<P>): void {
    this.observers.tell(point, context);
  }
}
