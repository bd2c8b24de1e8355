import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Write } from '../database/bulk';
import { filterDisplay, type Money } from '../money/money';
import { HookJobs } from './hook-jobs';
import { causesOf } from './invoke';
import { PointRunner } from './point-runner';
import { FREE, type Pass, Refusals } from './refusals';
import type {
  BeforePayment,
  FeeContext,
  Filtered,
  GatewayChoice,
  GatewayContext,
  OnErrorContext,
  Operation,
  PaymentObject,
  PointName,
} from './points';

/** The answer of gates that nobody has: made once. */
const OPEN = Promise.resolve(FREE);

/**
 * The seven points of payments: where modules ask the extensions of internal teams. Without a handler for a point,
 * asking costs nothing.
 */
@Injectable()
export class Extensions implements OnApplicationBootstrap, OnApplicationShutdown {
  private removeDisplayFilter = (): void => undefined;

  constructor(
    private readonly points: PointRunner,
    private readonly jobs: HookJobs,
    private readonly refusals: Refusals,
  ) {}

  onApplicationBootstrap(): void {
    if (this.isEmpty('svc_currency_format')) return;
    this.removeDisplayFilter = filterDisplay(
      (text, money) => (this.points.filter('svc_currency_format', text, { money }) as Filtered<string>).value,
    );
  }

  onApplicationShutdown(): void {
    this.removeDisplayFilter();
  }

  /**
   * Nobody extends this point (for this operation): whatever would only be prepared for its handlers can be left out.
   */
  isEmpty(point: PointName, operation?: Operation): boolean {
    return this.points.isEmpty(point, operation);
  }

  /**
   * `svc_before_payment`: after validation and the claim's check, before money moves, outside of any transaction;
   * never for a replay. Throws `BlockedByHook` (422) or, when a gate fails or is slow, `GateUnavailable` (503). Make
   * the payment by `make` of the answer and with its `writes`: then `svc_payment_refused` hears of whatever else
   * becomes of it.
   */
  gate(context: BeforePayment): Promise<Pass> {
    return this.isEmpty('svc_before_payment', context.operation) ? OPEN : this.refusals.ask(context);
  }

  /** `svc_transaction_fee`. The changes belong on the transaction. */
  fee(fee: Money, context: FeeContext): Promise<Filtered<Money>> {
    return Promise.resolve(this.points.filter('svc_transaction_fee', fee, context));
  }

  /** `svc_payment_gateway`: order, subset and options of the registered gateways (or providers) in `list`. */
  gateways(list: readonly GatewayChoice[], context: GatewayContext): Promise<Filtered<readonly GatewayChoice[]>> {
    return Promise.resolve(this.points.filter('svc_payment_gateway', list, context));
  }

  /**
   * `svc_after_payment`: rows to be written in the same transaction as `event` (from `eventWrite`), one per observer;
   * none without observers. Call `wake` once that has committed. `causes` is what `causes()` said outside of the
   * ledger's batch.
   */
  afterPayment(event: Write, payment: PaymentObject, causes: readonly string[] = []): Write[] {
    return this.isEmpty('svc_after_payment', payment.operation) ? [] : this.jobs.rows(event, payment, causes);
  }

  /**
   * The observers in whose handlers this call stands, for `afterPayment`: they are not told of what they do
   * themselves.
   */
  causes(): readonly string[] {
    return causesOf();
  }

  /**
   * Has the committed rows of `afterPayment` worked on now instead of at the next sweep. Never throws, waits for
   * nothing.
   */
  wake(): void {
    this.jobs.wake();
  }

  /** `svc_on_error`: tells the observers. Never throws, waits for nothing. */
  onError(context: OnErrorContext): void {
    this.points.tell('svc_on_error', context);
  }
}
