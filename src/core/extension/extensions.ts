import { Injectable } from '@nestjs/common';
import type { Write } from '../database/bulk';
import type { Money } from '../money/money';
import type {
  BeforePayment, FeeContext, Filtered, GatewayChoice, GatewayContext, OnErrorContext, PaymentObject, PointName,
} from './points';

/** Where modules ask the extensions of internal teams. Without a handler for a point, asking costs nothing. */
@Injectable()
export class Extensions {
  /** Nobody extends this point: whatever would only be prepared for its handlers can be left out. */
  isEmpty(_point: PointName): boolean {
    return true;
  }

  /**
   * `svc_before_payment`: after validation and the claim's check, before money moves, outside of any transaction; never for
   * a replay. Throws `BlockedByHook` (422) or, when a gate fails or is slow, `GateUnavailable` (503).
   */
  async gate(_context: BeforePayment): Promise<void> {}

  /** `svc_transaction_fee`. The changes belong on the transaction. */
  fee(fee: Money, _context: FeeContext): Promise<Filtered<Money>> {
    return Promise.resolve({ value: fee, changes: [] });
  }

  /** `svc_payment_gateway`: order, subset and options of the registered gateways (or providers) in `list`. */
  gateways(list: readonly GatewayChoice[], _context: GatewayContext): Promise<Filtered<readonly GatewayChoice[]>> {
    return Promise.resolve({ value: list, changes: [] });
  }

  /**
   * `svc_after_payment`: rows to be written in the same transaction as `event` (from `eventWrite`), one per observer; none
   * without observers. Call `wake` once that has committed. `causes` is what `causes()` said outside of the ledger's batch.
   */
  afterPayment(_event: Write, _payment: PaymentObject, _causes: readonly string[] = []): Write[] {
    return [];
  }

  /** The observers in whose handlers this call stands, for `afterPayment`: they are not told of what they do themselves. */
  causes(): readonly string[] {
    return [];
  }

  /** Has the committed rows of `afterPayment` worked on now instead of at the next sweep. Never throws, waits for nothing. */
  wake(): void {}

  /** `svc_on_error`: tells the observers. Never throws, waits for nothing. */
  onError(_context: OnErrorContext): void {}
}
