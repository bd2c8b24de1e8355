import type { Write } from '../../core/database/bulk';
import type { EventType } from '../../core/outbox/event-types';
import { eventWrite } from '../../core/outbox/outbox';
import { PaymentDto } from './payment.dto';
import type { Payment, PaymentStatus } from './payment.entity';

/** Somebody else changed the payment meanwhile: what is stored counts. */
export class ChangedElsewhere extends Error {}

/** `payment.<what>`, with the payment as it stands then, but for the address of its page; `previous`: its status before. */
export function paymentEvent(
  payment: Readonly<Payment>,
  what: PaymentStatus | 'needs_review' | 'partially_reversed',
  previous: PaymentStatus,
): Write {
  const { accountId, livemode, id, requestId, idempotencyKey } = payment;
  const { checkout_url: _, ...shown } = PaymentDto.of(payment, null);
  const snapshot = { ...shown, previous_status: previous };
  return eventWrite({
    accountId,
    livemode,
    type: `payment.${what}` as EventType,
    objectType: 'pay',
    objectId: id,
    snapshot,
    origin: { requestId, idempotencyKey },
  });
}
