import type { AboutOrder, AcceptedOutcome, NotKnownOutcome, Refused, UnknownOutcome } from '../../providers/answers';
import { adapts } from '../../providers/registry';
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

/** The order of a card. It has no balance at the issuer: who may spend how much is decided here. */
export interface CardOrder extends CardRef {
  readonly currency: Currency;
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
  /** 1 to 12. */
  readonly expMonth: number;
  /** Four digits. */
  readonly expYear: number;
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

/**
 * A port to whoever issues cards. Adapters live in `cards/<name>/` or in an extension. An adapter that throws has
 * answered `unknown`.
 */
export interface CardIssuer {
  /** Makes a card. Repeated with the same reference it makes one and answers alike. No database transaction is open. */
  issue(order: CardOrder, signal: AbortSignal): Promise<IssueResult>;
  /** What became of the reference. */
  find(card: CardRef, signal: AbortSignal): Promise<FindCardResult>;
  /** Tells the state that a card is in now. Repeated it does no harm. */
  setState(card: CardRef, state: IssuerState, signal: AbortSignal): Promise<UpdateResult>;
  /** Throws when the issuer cannot show the card now. A live issuer answers with a page of its own. */
  reveal(card: CardRef, signal: AbortSignal): Promise<Revealed>;
}

/** Marks a Nest provider class as an issuer of cards. */
export const IssuesCards = adapts<CardIssuer>('cards');
