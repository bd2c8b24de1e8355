import type { Write } from '../../core/database/bulk';
import { encodeId } from '../../core/http/ids';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { Posted } from '../ledger/posting';

type WalletState = ReturnType<Posted['account']>;

/** What an event about money keeps of a wallet. */
export type MoneySnapshot = ReturnType<typeof moneyOf> | { readonly seq?: undefined };

/**
 * The fields of a wallet that the ledger knows. Few bytes, for there is one
 * with each movement: what is usual is left out.
 */
const moneyOf = ({ available, held, currency, seq, status, alertBelow }: WalletState) => ({
  seq: toJsonNumber(seq),
  ...(status !== 'active' && { status }),
  ...(alertBelow !== null && { low_balance_threshold: toJsonNumber(alertBelow) }),
  balance: { available: toJsonNumber(available), held: toJsonNumber(held), ledger: toJsonNumber(available + held) },
  balance_display: displayMoney({ amount: available, currency }),
});

/** What arrived at a wallet. */
export interface Arrival {
  readonly transactionId: string;
  /** Minor units. */
  readonly amount: bigint;
  /** Wallet uuid. */
  readonly sender?: string;
  /** Whoever sent it calls it so. */
  readonly reference?: string | null;
}

/** `wallet.credited`: money arrived. The snapshot keeps the balance as it stood then, and what arrived from whom. */
export function creditedEvent(
  wallet: WalletState,
  { transactionId, amount, sender, reference = null }: Arrival,
  origin: EventOrigin,
): Write {
  const { accountId, livemode, id } = wallet;
  const arrived = {
    transaction_id: encodeId('txn', transactionId),
    amount: toJsonNumber(amount),
    sender: sender === undefined ? null : encodeId('wal', sender),
    reference,
  };
  const snapshot = { ...moneyOf(wallet), ...arrived };
  return eventWrite({
    accountId,
    livemode,
    type: 'wallet.credited',
    objectType: 'wal',
    objectId: id,
    snapshot,
    origin,
  });
}

/** `wallet.low_balance` for each wallet whose available money fell through its threshold with this posting. */
export function lowBalanceEvents({ entries, account }: Posted, origin: EventOrigin): Write[] {
  return entries.flatMap((entry) => {
    const wallet = account(entry.ledgerAccountId);
    const below = wallet.alertBelow;
    if (below === null || entry.bucket !== 'available' || entry.availableAfter >= below) return [];
    if (entry.availableAfter - entry.amount < below) return [];
    const { accountId, livemode, id } = wallet;
    const snapshot = moneyOf(wallet);
    return [
      eventWrite({
        accountId,
        livemode,
        type: 'wallet.low_balance',
        objectType: 'wal',
        objectId: id,
        snapshot,
        origin,
      }),
    ];
  });
}
