import { encodeId } from '../../core/http/ids';
import { displayMoney, toJsonNumber } from '../../core/money/money';
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
  amount_in: toJsonNumber(BigInt(amountIn)),
  amount_out: toJsonNumber(BigInt(amountOut)),
});

/** Of what ended; null when nothing did. */
export function successRate(days: readonly Day[]): number | null {
  const successful = days.reduce((sum, day) => sum + day.successful, 0);
  const ended = days.reduce((sum, day) => sum + day.unsuccessful, successful);
  return ended === 0 ? null : successful / ended;
}
