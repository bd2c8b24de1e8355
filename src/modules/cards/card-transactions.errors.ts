import { DomainError } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import type { CardTransaction } from './card-transaction.entity';
import type { StepKind } from './card-transactions.states';

const DONE: Readonly<Record<StepKind, string>> = {
  clearing: 'cleared',
  void: 'voided',
  expiry: 'expired',
  refund: 'refunded',
};

export class InvalidCardTransactionTransition extends DomainError {
  constructor({ id, status, type }: CardTransaction, kind: StepKind) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      detail: `${encodeId('ctx', id)} is ${status}${type === 'authorization' ? '' : ` (${type})`} with nothing left to be ${DONE[kind]}.`,
      recovery: 'none',
      resourceId: encodeId('ctx', id),
    });
  }
}

export class CardAmountExceeded extends DomainError {
  constructor({ id }: CardTransaction, kind: StepKind, { left, amount }: { left: bigint; amount: bigint }) {
    super({
      code: 'card_amount_exceeded',
      kind: 'conflict',
      title: 'More than is left',
      detail: `Of ${encodeId('ctx', id)} ${left} is left to be ${DONE[kind]}; this asks for ${amount}.`,
      param: '/amount',
      resourceId: encodeId('ctx', id),
    });
  }
}

/** Two messages of an issuer, with ids of their own, begin the same authorization. */
export class AuthorizationKnown extends DomainError {
  constructor() {
    super({
      code: 'duplicate_reference',
      kind: 'conflict',
      title: 'Reference used before',
      detail: "The issuer's id of this authorization belongs to another one on the same card.",
    });
  }
}
