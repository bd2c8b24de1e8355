import type { LedgerAccountStatus } from '../ledger/accounts.service';

export type WalletStatus = LedgerAccountStatus;

export const WALLET_STATUSES = ['active', 'frozen', 'closed'] as const satisfies readonly WalletStatus[];

/** A frozen wallet receives but does not pay. A closed one is empty and stays closed. */
export const WALLET_TRANSITIONS: Readonly<Record<WalletStatus, readonly WalletStatus[]>> = {
  active: ['frozen', 'closed'],
  frozen: ['active', 'closed'],
  closed: [],
};
