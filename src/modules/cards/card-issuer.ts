import type { AboutOrder, AcceptedOutcome, NotKnownOutcome, Refused, UnknownOutcome } from '../../providers/answers';
import { adapts, type Checkable } from '../../providers/registry';
import type { Currency } from '../../core/money/money';

export const BRANDS = ['visa', 'mastercard'] as const;
export type Brand = (typeof BRANDS)[number];

export interface Address {
  readonly line1: string;
  readonly city: string;
  readonly state: string;
  readonly postal_code: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** A document and its number, in clear: on its way in, or to the issuer. */
export interface Identity {
  readonly type: string;
  readonly number: string;
}

/** A card, as its issuer is asked about it. */
export interface CardRef {
  /** Ours, the uuid of the card: the same in every repetition. The issuer makes one card for it. */
  readonly reference: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly brand: Brand;
  /** The issuer's own id; null as long as it gave none. */
  readonly issuerReference: string | null;
  /** What filters of `svc_payment_gateway` set for this issuer. JSON. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The order of a card. Mostly it has no balance at the issuer: who may spend how much is decided here. Some issuers
 * decide themselves, by what they have of a card: these have to be told what is loaded onto it.
 */
export interface CardOrder extends CardRef {
  readonly currency: Currency;
  /** What is loaded onto it once it is made, in minor units. It stays on hold until then. */
  readonly amount: bigint;
  readonly nameOnCard: string;
  readonly cardholder: {
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    /** E.164. */
    readonly phone: string;
    /** `YYYY-MM-DD`. */
    readonly dateOfBirth: string;
    readonly address: Address;
    readonly identity: Identity;
  };
}

/** The issuer made the card. Never its number: only the end of it. */
export interface Issued {
  readonly outcome: 'done';
  readonly issuerReference: string;
  readonly last4: string;
  /** 1 to 12; null, and the year with it: the issuer does not tell us. Then the card never expires here. */
  readonly expMonth: number | null;
  /** Four digits. */
  readonly expYear: number | null;
}

/** The issuer certainly did not, and will not. */
export interface IssuerRefused extends Refused {
  readonly outcome: 'refused';
}

/** `accepted`: the issuer is at it, and is asked again. */
export type IssueResult = Issued | IssuerRefused | AcceptedOutcome | UnknownOutcome;

/**
 * Beside these: the issuer says that it never heard of the reference. Then it is asked to issue again. Words about our
 * account (locked, suspended) say nothing of a card that was ordered before: they are `unknown`.
 */
export type FindCardResult = Issued | (IssuerRefused & AboutOrder) | AcceptedOutcome | UnknownOutcome | NotKnownOutcome;

export type UpdateResult = { readonly outcome: 'done' } | IssuerRefused | UnknownOutcome;

/** What an issuer is told of a card's state. A card that is blocked is frozen there. */
export const ISSUER_STATES = ['active', 'frozen', 'terminated'] as const;
export type IssuerState = (typeof ISSUER_STATES)[number];

/** Where a person reads the number: on the issuer's own page, or, of test cards only, on ours. */
export type Revealed = { readonly url: string } | { readonly number: string; readonly cvv: string };

/** Why what was paid by card is not accepted, in the words of the networks. */
export const DISPUTE_REASONS = [
  'fraudulent',
  'not_received',
  'duplicate',
  'incorrect_amount',
  'cancelled',
  'defective',
  'other',
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

export interface DisputeEvidence {
  readonly text: string;
  /** Addresses (https) of documents. */
  readonly links: readonly string[];
}

/** A dispute, as its issuer is asked about it. */
export interface DisputeRef {
  /** Ours, the uuid of the dispute: the same in every repetition. The issuer opens one for it. */
  readonly reference: string;
  readonly card: CardRef;
  /** The issuer's own id of the dispute; null as long as it gave none. */
  readonly issuerReference: string | null;
}

export interface DisputeOrder extends DisputeRef {
  /** What was paid: our uuid, and the issuer's own id where it gave one. */
  readonly transaction: { readonly reference: string; readonly issuerReference: string | null };
  /** Minor units: all that was paid, or a part. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly reason: DisputeReason;
  readonly evidence: DisputeEvidence;
}

/** How a dispute stands with the issuer. */
export type DisputeStanding =
  | {
      readonly outcome: 'under_review';
      readonly issuerReference: string;
      /** What it has credited so far, in minor units of the card's currency; null: nothing. */
      readonly provisionalCredit: bigint | null;
    }
  /** The cardholder has the amount for good. A part of it is for a person to settle. */
  | { readonly outcome: 'won'; readonly issuerReference: string; readonly amount: bigint }
  /** What it credited it takes back. */
  | { readonly outcome: 'lost'; readonly issuerReference: string }
  | { readonly outcome: 'withdrawn'; readonly issuerReference: string };

/** `accepted`: the issuer is at it, and is asked again. `refused`: it does not take the dispute up. */
export type DisputeResult = DisputeStanding | IssuerRefused | AcceptedOutcome | UnknownOutcome;

/** Beside these: the issuer says that it never heard of the reference. Then it is asked to take it up again. */
export type FindDisputeResult =
  | DisputeStanding
  | (IssuerRefused & AboutOrder)
  | AcceptedOutcome
  | UnknownOutcome
  | NotKnownOutcome;

/**
 * A port to whoever issues cards. Adapters live in `cards/<name>/` or in an extension. An adapter that throws has
 * answered `unknown`.
 */
export interface CardIssuer extends Checkable {
  /** Makes a card. Repeated with the same reference it makes one and answers alike. No database transaction is open. */
  issue(order: CardOrder, signal: AbortSignal): Promise<IssueResult>;
  /** What became of the reference. */
  find(card: CardRef, signal: AbortSignal): Promise<FindCardResult>;
  /** Tells the state that a card is in now. Repeated it does no harm. */
  setState(card: CardRef, state: IssuerState, signal: AbortSignal): Promise<UpdateResult>;
  /** Throws when the issuer cannot show the card now. A live issuer answers with a page of its own. */
  reveal(card: CardRef, signal: AbortSignal): Promise<Revealed>;
  /** Our money there, of which it pays merchants, in minor units. */
  balance?(currency: Currency, signal: AbortSignal): Promise<bigint>;
  /**
   * Takes a dispute up; an issuer through which nothing can be disputed has none of these three. Repeated with the same
   * reference it opens one and answers alike.
   */
  dispute?(order: DisputeOrder, signal: AbortSignal): Promise<DisputeResult>;
  /** How the dispute of the reference stands. */
  findDispute?(dispute: DisputeRef, signal: AbortSignal): Promise<FindDisputeResult>;
  /** Lets it go: `done` when it is over for good. Repeated it does no harm. */
  withdrawDispute?(dispute: DisputeRef, signal: AbortSignal): Promise<UpdateResult>;
}

/** Marks a Nest provider class as an issuer of cards. */
export const IssuesCards = adapts<CardIssuer>('cards');
