import type { Line } from '../ledger/ledger.types';
import type { Payment } from './payment.entity';

/** Ledger accounts of the platform that a payment touches. */
export interface OuterAccounts {
  /** `gateway:<name>`: what the gateway owes us. */
  readonly gateway: string;
  readonly fees: string;
}

/** What the wallet gets. */
export const netOf = ({ amount, fee }: Pick<Payment, 'amount' | 'fee'>): bigint => amount - fee;

/** The lines of a payment; `sign` −1 takes all of it back, the fee too. */
export function linesOf(payment: Readonly<Payment>, outer: OuterAccounts, transactionId: string, sign: 1n | -1n): Line[] {
  const { walletId, amount, fee } = payment;
  const line = (ledgerAccountId: string, sum: bigint, of: string | null = null): Line =>
    ({ ledgerAccountId, bucket: 'available', amount: sign * sum, transactionId: of });
  const lines = [line(outer.gateway, -amount), line(walletId, netOf(payment), transactionId)];
  return fee === 0n ? lines : [...lines, line(outer.fees, fee)];
}
