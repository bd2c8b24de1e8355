import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import type { Replay, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { NewPayment } from './payment-request.dto';
import type { Payment } from './payment.entity';
import { paymentWrite } from './payments.queries';

/** Where a request for a payment leaves its claim. */
@Injectable()
export class PaymentRequests {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws `IdempotencyKeyReused`, `DuplicateReference`. */
  replayOf({ accountId, livemode }: Caller, { reference }: NewPayment, request: RequestClaim): Promise<Replay | null> {
    return this.idempotency.replayOf({ accountId, livemode, ...request, reference, resource: 'pay', resourceId: '' });
  }

  /** Null: recorded now. */
  record(payment: Payment, request: RequestClaim): Promise<Replay | null> {
    const { accountId, livemode, id: resourceId, reference } = payment;
    const claim = { accountId, livemode, ...request, reference, resource: 'pay', resourceId } as const;
    return this.idempotency.once(claim, (tx) => this.unitOfWork.write(tx, [paymentWrite(payment)]));
  }
}
