import type { Currency } from '../../core/money/currencies';
import type { Line } from '../ledger/ledger.types';
import type { Payment } from './payment.entity';

/** Ledger accounts of the platform that a payment touches. */
export interface OuterAccounts {
  /** `gateway:<name>`: what the gateway owes us. */
  readonly gateway: string;
  readonly fees: string;
  /** What the platform bears or keeps when a person accepts another amount as what was asked for. */
  readonly differences: string;
}

type Settled = Pick<Payment, 'amount' | 'fee' | 'currency' | 'walletId' | 'amountReceived' | 'currencyReceived' | 'resolution' | 'creditWalletId'>;

/** What a payment brings to a wallet. */
export interface Credit {
  readonly walletId: string;
  readonly currency: Currency;
  /** What counts as paid: the wallet gets it without the fee. */
  readonly gross: bigint;
  readonly fee: bigint;
  /** What came beside `gross`; below zero where less came. */
  readonly difference: bigint;
}

/**
 * What is credited: what was asked for, or what came when a person accepted that. The fee was agreed in the currency of the
 * payment: of another one it cannot be taken.
 */
export function creditOf({ amount, fee, currency, walletId, amountReceived, currencyReceived, resolution, creditWalletId }: Settled): Credit {
  const credited = creditWalletId ?? walletId;
  if (resolution !== 'accept_received') return { walletId: credited, currency, gross: amount, fee, difference: (amountReceived ?? amount) - amount };
  const isOther = currencyReceived !== currency;
  return { walletId: credited, currency: currencyReceived as Currency, gross: amountReceived!, fee: isOther ? 0n : fee, difference: 0n };
}

/** The lines of a payment; `sign` −1 takes all of it back, the fee too. */
export function linesOf({ walletId, gross, fee, difference }: Credit, outer: OuterAccounts, transactionId: string, sign: 1n | -1n): Line[] {
  const line = (ledgerAccountId: string, sum: bigint, of: string | null = null): Line =>
    ({ ledgerAccountId, bucket: 'available', amount: sign * sum, transactionId: of });
  const lines = [line(outer.gateway, -(gross + difference)), line(walletId, gross - fee, transactionId), line(outer.fees, fee), line(outer.differences, difference)];
  return lines.filter(({ amount }) => amount !== 0n);
}
