import { adapts } from '../../providers/registry';
import type { Provider } from '../purchases/purchases.provider';

/** Whose account is meant. */
export interface BankAccount {
  /** As the country's clearing house has it. */
  readonly bankCode: string;
  readonly accountNumber: string;
}

/** What a provider of payouts is asked to pay into, beside amount and currency of the order. Kept as JSON. */
export interface PayoutItem extends BankAccount {
  readonly bankName: string;
  /** As the bank said when it was asked. */
  readonly accountName: string;
  /** For the statement of whoever receives. */
  readonly narration: string | null;
}

/**
 * Name enquiry. `unavailable`: the bank does not answer; another provider may reach it. A provider that throws has
 * answered so.
 */
export type NameResult =
  | { readonly outcome: 'found'; readonly accountName: string }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'unavailable' };

/**
 * Pays into bank accounts. What a delivery's `details` say is shown: `{session_id}`, by which banks find a transfer. A
 * bank may return the money days later: `find` says `reversed` then. It is asked when it calls back
 * (`verify`), and some days after each delivery.
 */
export interface PayoutProvider extends Provider<PayoutItem> {
  /** Whose account it is. Moves nothing and may be repeated. */
  resolve(account: BankAccount & { readonly livemode: boolean }, signal: AbortSignal): Promise<NameResult>;
}

/** Marks a Nest provider class as one that pays into bank accounts. */
export const PaysOut = adapts<PayoutProvider>('payout');
