import type { TransactionType } from './transactions.types';

/** Something that happened to a transaction. */
export interface Happening {
  readonly at: Date;
  readonly kind: 'provider.attempt' | 'provider.answer' | 'provider.requery' | 'provider.callback' | 'review.decision';
  /** snake_case, scrubbed. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Of which transaction a story is told. `sourceId`: what moved its money, such as a card. */
export interface TimelineSubject {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly id: string;
  readonly type: TransactionType;
  readonly sourceId: string | null;
  readonly providerName: string | null;
}

/** A module that knows more of some transactions than their record says. */
export interface TimelineSource {
  of(transaction: TimelineSubject): Promise<Happening[]>;
}
