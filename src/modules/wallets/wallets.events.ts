import type { Write } from '../../core/database/bulk';
import { encodeId } from '../../core/http/ids';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import type { EventType } from '../../core/outbox/event-types';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import type { Posted } from '../ledger/ledger.types';

type WalletState = ReturnType<Posted['account']>;

/** The fields of a wallet that say how much was in it. */
const moneyOf = ({ available, held, currency }: WalletState) => ({
  balance: { available: toJsonNumber(available), held: toJsonNumber(held), ledger: toJsonNumber(available + held) },
  balance_display: displayMoney({ amount: available, currency }),
});

/** `wallet.credited`: money arrived. The snapshot keeps the balance as it stood then and the transaction that did it. */
export function creditedEvent(wallet: WalletState, transactionId: string, origin: EventOrigin): Write {
  const { accountId, livemode, id } = wallet;
  const snapshot = { ...moneyOf(wallet), transaction_id: encodeId('txn', transactionId) };
  return eventWrite({ accountId, livemode, type: 'wallet.credited', objectType: 'wal', objectId: id, snapshot, origin });
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
    return [eventWrite({ accountId, livemode, type: 'wallet.low_balance', objectType: 'wal', objectId: id, snapshot, origin })];
  });
}

/** Something happened to a wallet that its object tells by itself. */
export const walletEvent = ({ accountId, livemode, id }: Viewer & { id: string }, type: EventType, origin: EventOrigin): Write =>
  eventWrite({ accountId, livemode, type, objectType: 'wal', objectId: id, origin });
