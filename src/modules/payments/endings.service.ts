import { Injectable, Logger } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { Extensions } from '../../core/extension/extensions';
import type { PaymentFailure } from './gateway';
import { paymentEvent } from './payment-step.batch';
import { PaymentStore } from './payment-store.service';
import type { Payment, PaymentStatus } from './payment.entity';

/** An order that is open at a gateway is asked about once more: money that shows up later is for a person to see. */
const LATE_RECHECK_MS = 24 * 3_600_000;

/** How a person ended it. */
interface Ending {
  readonly more?: Partial<Payment>;
  /** Rows that are written with the end. */
  readonly verdict?: readonly Write[];
}

/** Ends payments without money, and marks those that only a person can settle. */
@Injectable()
export class EndingsService {
  private readonly log = new Logger('payments');

  constructor(
    readonly store: PaymentStore,
    private readonly extensions: Extensions,
  ) {}

  /** Throws `ChangedElsewhere`. */
  async end(
    before: Readonly<Payment>,
    status: 'failed' | 'expired' | 'cancelled',
    failure: PaymentFailure | null,
    { more = {}, verdict = [] }: Ending = {},
  ): Promise<Payment> {
    const now = await this.store.now(before);
    const nextCheckAt = before.gateway === null ? null : new Date(now.getTime() + LATE_RECHECK_MS);
    const causes = this.causes();
    const after = await this.store.step(
      before,
      { status, failure, nextCheckAt, review: null, checks: 0, ...more },
      (ended) => [...this.announced(ended, before.status, causes), ...verdict],
    );
    this.wake();
    return after;
  }

  /** Raises the alarm. Until a person decides nothing is credited. Throws `ChangedElsewhere`. */
  async review(
    before: Readonly<Payment>,
    reason: string,
    patch: Partial<Payment> = { nextCheckAt: null },
  ): Promise<Payment> {
    this.log.error({ message: 'a payment needs a person', payment: before.id, reason });
    const status = before.status === 'pending' ? 'processing' : before.status;
    const marked: Partial<Payment> = {
      status,
      review: reason,
      reviews: before.reviews + 1,
      nextCheckAt: null,
      ...patch,
    };
    return this.store.step(before, marked, (after) => [paymentEvent(after, 'needs_review', before.status)]);
  }

  /** The event of a final state, with what the observers of `svc_after_payment` are to be told. */
  announced(after: Readonly<Payment>, previous: PaymentStatus, causes: readonly string[]): Write[] {
    const { accountId, livemode, id, status } = after;
    const event = paymentEvent(after, status, previous);
    return [
      event,
      ...this.extensions.afterPayment(
        event,
        { operation: 'payment', accountId, livemode, objectType: 'pay', objectId: id },
        causes,
      ),
    ];
  }

  causes(): readonly string[] {
    return this.extensions.causes();
  }

  wake(): void {
    this.extensions.wake();
  }
}
