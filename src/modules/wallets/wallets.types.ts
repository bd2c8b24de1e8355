import type { ReplayedBy } from '../../core/idempotency/claim';
import type { Currency } from '../../core/money/currencies';
import type { WalletRecord } from './wallets.service';

export interface NewWallet {
  readonly currency: Currency;
  readonly label: string | null;
  readonly reference: string | null;
  /** Minor units. */
  readonly lowBalanceThreshold: bigint | null;
  readonly metadata: Record<string, string>;
}

/** Undefined leaves a field as it is. */
export type WalletChanges = Partial<Pick<NewWallet, 'label' | 'lowBalanceThreshold' | 'metadata'>>;

/** A wallet after a request, and whether that request had been carried out before. */
export interface WalletResult {
  readonly wallet: WalletRecord;
  readonly replayedBy: ReplayedBy | null;
}
