import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { encodeId, timeOf } from '../../core/http/ids';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { LedgerEntriesService } from '../ledger/entries.service';
import { TransactionsService } from '../transactions/transactions.service';

/** Clocks of two processes may differ a little: looked for a second either side. */
const SLACK_MS = 1_000;

export interface LedgerLine {
  readonly id: string;
  /** Null for a card. */
  readonly wallet_id: string | null;
  readonly account: 'wallet' | 'card';
  readonly bucket: 'available' | 'held';
  /** Signed minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly amount_display: string;
  readonly balance_after: number;
  readonly created_at: Date;
}

/** What a transaction wrote into the account's own books. */
@Injectable()
export class LedgerLinesService {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly entries: LedgerEntriesService,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. By id or reference. Throws `NotFound`. */
  async of(viewer: Viewer, idOrReference: string): Promise<LedgerLine[]> {
    const { id, walletId, sourceId, currency, updatedAt } = await this.transactions.require(viewer, idOrReference);
    const between: [Date, Date] = [new Date(timeOf(id).getTime() - SLACK_MS), new Date(updatedAt.getTime() + SLACK_MS)];
    const entries = await this.entries.ofTransaction(
      { accountId: viewer.accountId, ledgerAccountId: walletId },
      id,
      between,
    );
    const isCard = walletId === sourceId;
    const times = await this.clock.times(viewer);
    return entries.map(({ seq, bucket, amount, availableAfter, heldAfter, createdAt }) => ({
      id: seq.toString(),
      wallet_id: isCard ? null : encodeId('wal', walletId),
      account: isCard ? 'card' : 'wallet',
      bucket,
      amount: toJsonNumber(amount),
      currency,
      amount_display: displayMoney({ amount, currency }),
      balance_after: toJsonNumber(bucket === 'held' ? heldAfter : availableAfter),
      created_at: times?.shown(createdAt) ?? createdAt,
    }));
  }
}
