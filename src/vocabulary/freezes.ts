/** Which way money does not move: `debit` none leaves, `credit` none arrives, `both` neither. */
export const FREEZE_DIRECTIONS = ['debit', 'credit', 'both'] as const;

export type FreezeDirection = (typeof FREEZE_DIRECTIONS)[number];
