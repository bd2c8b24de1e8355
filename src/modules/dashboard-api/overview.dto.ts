import { encodeId } from '../../core/http/ids';
import type { Currency } from '../../core/money/currencies';
import { AMOUNT_MAX, displayMoney, toJsonNumber } from '../../core/money/money';
import type { WalletsService } from '../wallets/wallets.service';
import type { Day } from './overview.service';

type Wallet = Awaited<ReturnType<WalletsService['list']>>[number];

export const presentWallet = ({ id, currency, label, status, available, held }: Wallet) => ({
  id: encodeId('wal', id),
  currency,
  label,
  status,
  available: toJsonNumber(available),
  held: toJsonNumber(held),
  available_display: displayMoney({ amount: available, currency }),
  held_display: displayMoney({ amount: held, currency }),
});

export const presentDay = ({ day, currency, count, successful, amount_in: amountIn, amount_out: amountOut }: Day) => ({
  day: day.toISOString().slice(0, 10),
  currency,
  count,
  successful,
  ...sumOf('amount_in', BigInt(amountIn), currency),
  ...sumOf('amount_out', BigInt(amountOut), currency),
});

/** Many amounts that each are a JSON number may sum to more than one: then the number is null, and the text says it. */
const sumOf = (name: 'amount_in' | 'amount_out', amount: bigint, currency: string) => ({
  [name]: amount > AMOUNT_MAX ? null : toJsonNumber(amount),
  [`${name}_display`]: displayMoney({ amount, currency: currency as Currency }),
});

/** Of what ended; null when nothing did. */
export function successRate(days: readonly Day[]): number | null {
  const successful = days.reduce((sum, day) => sum + day.successful, 0);
  const ended = days.reduce((sum, day) => sum + day.unsuccessful, successful);
  return ended === 0 ? null : successful / ended;
}
