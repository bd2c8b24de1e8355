import { CHECK_DELAYS_MS, checkDelayMs } from '../../core/adapters/check-schedule';
import type { Card, CardStatus } from './card.entity';
import type { Identity } from './cards.types';
import type { Customer } from './customer.entity';
import type { CardOrder, CardRef, Issued, IssuerState } from './issuers.types';

/** So often without an answer, and somebody should look: only evidence ends a card that is pending, never time. */
export const CHECKS_UNTIL_ALARM = CHECK_DELAYS_MS.length;

export const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** When an issuer that gave no answer is asked again. */
export const checkAfter = (now: Date, checks: number): Date => later(now, checkDelayMs(checks));

/** What issuers are told of each state; null: nothing. */
export const ISSUER_STATE: Readonly<Record<CardStatus, IssuerState | null>> = {
  pending: null,
  failed: null,
  expired: null,
  active: 'active',
  frozen: 'frozen',
  blocked: 'frozen',
  terminated: 'terminated',
};

/** Due whatever an account's clock says. */
export const DUE_NOW = new Date(0);

/** A card in another state, about which its issuer is to be told. */
export function moved(card: Readonly<Card>, status: CardStatus, reason: string | null): Card {
  const issuerBehind = ISSUER_STATE[status] !== null;
  const nextCheckAt = issuerBehind ? DUE_NOW : null;
  return {
    ...card,
    version: card.version + 1,
    status,
    statusReason: reason,
    issuerBehind,
    checks: 0,
    nextCheckAt,
    updatedAt: new Date(),
  };
}

/** When a card about which nobody has to be told must be looked at again. A terminated one is looked at until it is empty. */
export const restingCheck = ({ status, expiresAt }: Readonly<Card>): Date | null => {
  if (status === 'active') return expiresAt;
  return status === 'terminated' || status === 'failed' ? DUE_NOW : null;
};

/** A card that its issuer has made. */
export function issued(card: Readonly<Card>, { issuerReference, last4, expMonth, expYear }: Issued): Card {
  // The first moment of the month after: months of Date count from 0.
  const expiresAt = new Date(Date.UTC(expYear, expMonth, 1));
  return {
    ...card,
    version: card.version + 1,
    status: 'active',
    statusReason: null,
    issuerReference,
    last4,
    expMonth,
    expYear,
    expiresAt,
    checks: 0,
    nextCheckAt: expiresAt,
    updatedAt: new Date(),
  };
}

export const refOf = ({ id, accountId, livemode, brand, issuerReference, issuerOptions }: Readonly<Card>): CardRef => ({
  reference: id,
  accountId,
  livemode,
  brand,
  issuerReference,
  options: issuerOptions,
});

export const orderOf = (card: Readonly<Card>, customer: Readonly<Customer>, identity: Identity): CardOrder => ({
  ...refOf(card),
  currency: card.currency,
  nameOnCard: card.nameOnCard,
  cardholder: {
    firstName: customer.firstName,
    lastName: customer.lastName,
    email: customer.email,
    phone: customer.phone,
    dateOfBirth: customer.dateOfBirth,
    address: card.billingAddress,
    identity,
  },
});
