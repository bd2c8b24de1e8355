/** What the issuer does to a card whose authorizations fail again and again for want of money; null: nothing. */
export interface DeclinePolicy {
  /** Declines in a row at which the owner is warned. */
  readonly warnAt: number | null;
  /** Declines in a row at which the card is terminated. */
  readonly terminateAt: number | null;
}

export type DeclineStep = 'warn' | 'terminate';

/** Only a card without money counts: every other decline is the owner's own wish, or the merchant's. */
export const isCounted = (reason: string): boolean => reason === 'insufficient_funds';

/**
 * What follows from the decline that makes `declines` in a row. The warning is given once, and always before the
 * termination: a policy that terminates at the same number warns with the decline before.
 */
export function declineStepOf({ warnAt, terminateAt }: DeclinePolicy, declines: number): DeclineStep | null {
  if (terminateAt !== null && declines >= terminateAt) return 'terminate';
  const warnsAt = warnAt !== null && terminateAt !== null ? Math.min(warnAt, terminateAt - 1) : warnAt;
  return declines === warnsAt ? 'warn' : null;
}
