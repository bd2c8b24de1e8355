import type { Claim, RequestClaim } from '../../core/idempotency/claim';
import type { EventOrigin } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import type { Merchant } from './cards.types';
import type { DeclineReason } from './declines.types';

/** A card, by what its tables are keyed with. */
export type CardKey = Viewer & { readonly id: string };

/** A card transaction of an account, by uuid. */
export type CardTransactionKey = CardKey;

/** A merchant asks a card for money. */
export interface AuthorizationOrder {
  /** Minor units of the card's currency. */
  readonly amount: bigint;
  readonly merchant: Merchant;
  /** The issuer's own id of the authorization, by which its later messages name it. */
  readonly issuerReference: string | null;
}

/** What makes a request or a message work once, and what its events are told to come from. */
export interface Cause extends RequestClaim {
  /** An issuer's message: the value under which it is claimed for ever. */
  readonly message: string | null;
  /** Request uuid. */
  readonly requestId: string | null;
}

/** Binds a cause to the card transaction that it makes or changes. */
export const claimOf = (
  { accountId, livemode, id }: CardTransactionKey,
  { key, fingerprint, message }: Cause,
): Claim => ({ accountId, livemode, key, fingerprint, reference: message, resource: 'ctx', resourceId: id });

export const originOf = ({ requestId, key }: Cause): EventOrigin => ({ requestId, idempotencyKey: key });

export const MESSAGE_KINDS = ['authorization', 'clearing', 'void', 'refund', 'decline', 'fee'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** What an issuer tells of a card, as its adapter understood it. */
export interface IssuerMessage {
  /** Name of the issuer that the adapter is registered under. */
  readonly issuer: string;
  /** The issuer's own id of this message: repeated with the same content it has no second effect. */
  readonly id: string;
  /** Uuid of the card: what the issuer was given as its reference. */
  readonly cardId: string;
  readonly kind: MessageKind;
  /** Minor units. Null: all that is left to clear, release or refund. */
  readonly amount: bigint | null;
  /** For an authorization and a decline. */
  readonly merchant: Merchant | null;
  /** The issuer's own id of the authorization that this is, or is about. */
  readonly authorization: string | null;
  readonly declineReason: DeclineReason | null;
}
