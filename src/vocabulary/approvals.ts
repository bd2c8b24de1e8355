/** What became of the second person whom something needs. */
export const APPROVAL_STATES = ['awaiting', 'approved', 'declined', 'expired', 'cancelled'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];
