import type { Write } from '../../core/database/bulk';
import { decodeId, encodeId } from '../../core/http/ids';
import type { EventType } from '../../core/outbox/event-types';
import { eventWrite } from '../../core/outbox/outbox';
import { PaymentDto } from './payment.dto';
import type { Payment } from './payment.entity';
import type { PaymentStatus } from './payments.states';

/** Somebody else changed the payment meanwhile: what is stored counts. */
export class ChangedElsewhere extends Error {}

const SUFFIX_LENGTH = 26;

/** What a gateway knows a payment by: it says whose it is, so that a callback finds it without asking every account. */
export const gatewayReferenceOf = ({ accountId, id }: Pick<Payment, 'accountId' | 'id'>): string =>
  `${encodeId('pay', id)}_${encodeId('acct', accountId).slice(-SUFFIX_LENGTH)}`;

/** Null for anything that `gatewayReferenceOf` does not make. */
export function keyOfGatewayReference(reference: string): Pick<Payment, 'accountId' | 'id'> | null {
  const cut = reference.lastIndexOf('_');
  const id = decodeId('pay', reference.slice(0, cut));
  const accountId = decodeId('acct', `acct_${reference.slice(cut + 1)}`);
  return id !== null && accountId !== null ? { accountId, id } : null;
}

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
