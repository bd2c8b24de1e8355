/** Something that happened to a transaction. */
export interface Happening {
  readonly at: Date;
  readonly kind: 'provider.attempt' | 'provider.answer' | 'provider.requery';
  /** snake_case, scrubbed. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A module that knows more of some transactions than their record says. */
export interface TimelineSource {
  of(transaction: { readonly accountId: string; readonly livemode: boolean; readonly id: string }): Promise<Happening[]>;
}
