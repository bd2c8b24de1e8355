/** Money between a card and a wallet. Amounts in minor units. */
export interface ToldMove {
  readonly id: string;
  readonly type: 'card_funding' | 'card_withdrawal';
  readonly wallet: string;
  readonly amount: number;
}

/** What a merchant asked for, or took without asking (`clearing`). */
export interface ToldAuthorization {
  readonly id: string;
  readonly type: 'authorization' | 'clearing';
  readonly amount: number;
  readonly isDeclined: boolean;
  /** May be more than was asked for. */
  cleared: number;
  voided: number;
  /** Of what was cleared, what the card lacked and its funding wallet paid. */
  fromWallet: number;
  readonly refunds: number[];
}

/** What clients were told of a card; each answered request is in it once. */
export interface ToldCard {
  readonly id: string;
  readonly wallet: string;
  /** First load. */
  readonly amount: number;
  /** How the issuer decides, sooner or later. */
  readonly isIssued: boolean;
  readonly moves: ToldMove[];
  readonly authorizations: ToldAuthorization[];
  readonly fees: { readonly id: string; readonly amount: number }[];
  freezes: number;
  unfreezes: number;
  terminations: number;
}

export const heldBy = ({ amount, isDeclined, cleared, voided }: ToldAuthorization): number =>
  isDeclined ? 0 : Math.max(amount - cleared - voided, 0);

export const refundedOf = ({ refunds }: ToldAuthorization): number => sum(refunds, (amount) => amount);

/** What funding wallets paid of a card's clearings. */
export const lentTo = ({ authorizations }: ToldCard): number => sum(authorizations, ({ fromWallet }) => fromWallet);

/** What must be on a card: available and held together; below zero is its debt. */
export const worthOf = (card: ToldCard): number =>
  (card.isIssued ? card.amount : 0) +
  lentTo(card) +
  sum(card.moves, (move) => (move.type === 'card_funding' ? move.amount : -move.amount)) -
  sum(card.authorizations, (one) => one.cleared - refundedOf(one)) -
  sum(card.fees, (fee) => fee.amount);

/** How a payment must end. */
export interface Outcome {
  /** What the gateway is made to say, one after the other. */
  readonly says: readonly string[];
  readonly ends: string;
  readonly needsReview: boolean;
}

export interface ToldPayment {
  readonly id: string;
  readonly wallet: string;
  readonly amount: number;
  readonly fee: number;
  readonly outcome: Outcome;
}

/** A transfer to a virtual account. */
export interface ToldTransfer {
  /** The bank's. */
  readonly reference: string;
  readonly wallet: string;
  readonly amount: number;
  /** It is for a person: its account was closed. */
  readonly isHeld: boolean;
}

export function sum<T>(list: readonly T[], amountOf: (one: T) => number): number {
  return list.reduce((total, one) => total + amountOf(one), 0);
}
