import type { Currency } from '../../core/money/money';
import type { LedgerAccountsService } from '../ledger/accounts.service';
import type { Line } from '../ledger/posting';
import type { Payment } from './payment.entity';

/** Ledger accounts of the platform that a payment touches. */
export interface OuterAccounts {
  /** `gateway:<name>`: what the gateway owes us. */
  readonly gateway: string;
  readonly fees: string;
  /** What the platform bears of what gateways keep. */
  readonly margins: string;
  /** What the platform bears or keeps when a person accepts another amount as what was asked for. */
  readonly differences: string;
}

/** Those of the payment's gateway; of `otherwise` while none is chosen. */
export async function outerAccountsOf(
  accounts: LedgerAccountsService,
  payment: Pick<Payment, 'accountId' | 'gateway' | 'currency' | 'livemode'>,
  otherwise = '',
): Promise<OuterAccounts> {
  const names = [`gateway:${payment.gateway ?? otherwise}`, 'fees', 'margins', 'payment_differences'] as const;
  const [owed, fees, margins, differences] = await Promise.all(
    names.map((name) => accounts.platform(name, payment.currency, payment)),
  );
  return { gateway: owed!, fees: fees!, margins: margins!, differences: differences! };
}

type Settled = Pick<
  Payment,
  'amount' | 'fee' | 'currency' | 'walletId' | 'amountReceived' | 'currencyReceived' | 'resolution' | 'creditWalletId'
>;

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
 * What is credited: what was asked for, or what came when a person accepted that. The fee was agreed in the currency of
 * the payment: of another one it cannot be taken.
 */
export function creditOf({
  amount,
  fee,
  currency,
  walletId,
  amountReceived,
  currencyReceived,
  resolution,
  creditWalletId,
}: Settled): Credit {
  const credited = creditWalletId ?? walletId;
  if (resolution !== 'accept_received')
    return { walletId: credited, currency, gross: amount, fee, difference: (amountReceived ?? amount) - amount };
  const isOther = currencyReceived !== currency;
  return {
    walletId: credited,
    currency: currencyReceived as Currency,
    gross: amountReceived!,
    fee: isOther ? 0n : fee,
    difference: 0n,
  };
}

/** What a part of a payment is made of. */
export interface Shares {
  readonly received: bigint;
  readonly net: bigint;
  readonly fee: bigint;
  readonly difference: bigint;
}

export const sharesOf = ({ gross, fee, difference }: Credit): Shares => ({
  received: gross + difference,
  net: gross - fee,
  fee,
  difference,
});

/**
 * What `amount` of a payment takes back when `before` of it went back already: wallet, fee and difference in
 * proportion, each counted from the start, so that the last part leaves nothing over. What rounding leaves is the
 * fee's.
 */
export function partOf(credit: Credit, before: bigint, amount: bigint): Shares {
  const whole = sharesOf(credit);
  const upTo = (sum: bigint): Shares => {
    // Up, as long as it is no more than what went back.
    const up = whole.net < whole.received ? whole.received - 1n : 0n;
    const net = (whole.net * sum + up) / whole.received;
    const difference = (whole.difference * sum) / whole.received;
    return { received: sum, net, difference, fee: sum - net - difference };
  };
  const [from, to] = [upTo(before), upTo(before + amount)];
  return {
    received: amount,
    net: to.net - from.net,
    fee: to.fee - from.fee,
    difference: to.difference - from.difference,
  };
}

/** The lines that bring `shares` to a wallet; `sign` −1 takes them back, the fee too. */
export function linesOf(
  walletId: string,
  { received, net, fee, difference }: Shares,
  outer: OuterAccounts,
  transactionId: string,
  sign: 1n | -1n,
): Line[] {
  const line = (ledgerAccountId: string, sum: bigint, of: string | null = null): Line => ({
    ledgerAccountId,
    bucket: 'available',
    amount: sign * sum,
    transactionId: of,
  });
  const lines = [
    line(outer.gateway, -received),
    line(walletId, net, transactionId),
    line(outer.fees, fee),
    line(outer.differences, difference),
  ];
  return lines.filter(({ amount }) => amount !== 0n);
}

/** What the gateway keeps of what arrived, in minor units: it owes us less. */
export const keptLines = (outer: OuterAccounts, fee: bigint): Line[] =>
  fee === 0n
    ? []
    : [
        { ledgerAccountId: outer.gateway, bucket: 'available', amount: fee, transactionId: null },
        { ledgerAccountId: outer.margins, bucket: 'available', amount: -fee, transactionId: null },
      ];

export const sumOf = (parts: readonly { readonly amount: bigint }[]): bigint =>
  parts.reduce((sum, { amount }) => sum + amount, 0n);

/**
 * What refunds may still give back, in minor units of what arrived: no more than what arrived, and no more than what
 * was credited for. What the platform kept of an overpayment is not the account's to give back.
 */
export function refundableOf({
  status,
  amount,
  amountReceived,
  amountRefunded,
  refundsRunning,
  resolution,
  review,
}: Readonly<Payment>): bigint {
  if (status !== 'successful' || amountReceived === null || review !== null) return 0n;
  const credited = resolution === 'accept_received' || amountReceived < amount ? amountReceived : amount;
  const left = credited - amountRefunded - refundsRunning;
  return left > 0n ? left : 0n;
}
