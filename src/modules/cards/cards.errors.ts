import { DomainError } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import type { CardTransaction } from './card-transaction.entity';
import { type Card, CARD_TRANSITIONS, type CardStatus } from './card.entity';
import type { StepKind } from './transactions/card-transaction-step';

type Named = Pick<Card, 'id' | 'status'>;

/** The card is in a state from which it cannot go where the request wants it. */
export class InvalidCardTransition extends DomainError {
  constructor({ id, status }: Named, to: CardStatus) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      resourceId: encodeId('crd', id),
      detail: `${encodeId('crd', id)} is ${status} and cannot become ${to}.`,
      recovery: CARD_TRANSITIONS[status].length === 0 ? 'none' : 'caller_must_fix',
    });
  }
}

/** The card is in a state in which this cannot be done with it. */
export class CardNotActive extends DomainError {
  constructor({ id, status }: Named, what: string) {
    super({
      code: 'card_not_active',
      kind: 'conflict',
      title: 'Card not active',
      resourceId: encodeId('crd', id),
      recovery: 'account_must_act',
      detail: `${encodeId('crd', id)} is ${status}: it cannot be ${what}.`,
    });
  }
}

/** A merchant may still take what the card holds for it. */
export class CardHasHolds extends DomainError {
  constructor({ id }: Named, held: bigint) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Card has open authorizations',
      resourceId: encodeId('crd', id),
      recovery: 'retry_later',
      detail:
        `${encodeId('crd', id)} holds ${held} for authorizations that are still open. ` +
        'Freeze it, and terminate it once they are cleared, voided or expired.',
    });
  }
}

/** What was personal of the cardholder is gone for good. */
export class CustomerAnonymized extends DomainError {
  constructor(id: string, param: string | null = null) {
    super({
      code: 'customer_anonymized',
      kind: 'conflict',
      title: 'Cardholder is anonymized',
      resourceId: encodeId('cus', id),
      param,
      recovery: 'none',
      detail: `${encodeId('cus', id)} was anonymized: it cannot be changed and gets no cards.`,
    });
  }
}

const statusesOf = (cards: readonly Named[]): string =>
  cards.map(({ id, status }) => `${encodeId('crd', id)} is ${status}`).join(', ');

/** Whose cards still work needs a name. */
export class CustomerHasCards extends DomainError {
  constructor(id: string, cards: readonly Named[]) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Cardholder has cards',
      resourceId: encodeId('cus', id),
      recovery: 'caller_must_fix',
      detail: `Terminate their cards first: ${statusesOf(cards)}.`,
    });
  }
}

/** Nobody issues such cards now. Nothing was recorded. */
export class IssuerUnavailable extends DomainError {
  constructor() {
    super({
      code: 'provider_unavailable',
      kind: 'unavailable',
      title: 'Provider unavailable',
      retryable: true,
      retryAfter: 30,
      detail:
        'Nobody who issues such cards can be asked right now. Nothing was recorded; send the request again later.',
    });
  }
}

/** Used, too old, or never given out: nobody is told which. */
export class RevealGone extends DomainError {
  constructor() {
    super({
      code: 'reveal_gone',
      kind: 'gone',
      title: 'Link is gone',
      detail: 'This link shows nothing: it was used, is older than a minute, or never was one. Ask for a new one.',
    });
  }
}

export class InvalidCardRequest extends DomainError {
  constructor(param: string, detail: string) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail,
      param,
      errors: [{ param, code: 'validation_failed', detail }],
    });
  }
}

/** The link is used up, and the issuer showed nothing. */
export class IssuerCannotShow extends DomainError {
  constructor() {
    super({
      code: 'provider_unavailable',
      kind: 'unavailable',
      title: 'Provider unavailable',
      retryable: false,
      detail: 'The issuer cannot show the card right now, and this link is used up. Ask for a new one later.',
    });
  }
}

const DONE: Readonly<Record<StepKind, string>> = {
  clearing: 'cleared',
  void: 'voided',
  expiry: 'expired',
  refund: 'refunded',
};

export class InvalidCardTransactionTransition extends DomainError {
  constructor({ id, status, type }: CardTransaction, kind: StepKind) {
    const was = type === 'authorization' ? status : `${status} (${type})`;
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      detail: `${encodeId('ctx', id)} is ${was} with nothing left to be ${DONE[kind]}.`,
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
