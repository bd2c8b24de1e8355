import { Injectable } from '@nestjs/common';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { Clock } from '../../../core/clock/clock';
import { InsufficientScope, NotFound } from '../../../core/errors/domain-error';
import type { Caller } from '../../../core/http/caller';
import { decodeId, encodeId, timeOf } from '../../../core/http/ids';
import type { IdPrefix } from '../../../vocabulary/id-prefixes';
import { displayMoney, toJsonNumber } from '../../../core/money/money';
import { Resources, type Viewer } from '../../../core/resources/resources';
import { LedgerEntriesService } from '../../ledger/entries.service';
import { TransactionsService } from '../../transactions/transactions.service';
import type { FoundDto, TransactionEntryDto } from './overview.dto';

type Seeker = Pick<Caller, 'accountId' | 'livemode' | 'scopes'>;

const HITS_MAX = 20;
const ID = /^([a-z]{3,4})_[0-9a-z]{26}$/;
/** Where a number without a country is looked for. */
const COUNTRY = 'NG';

/** Clocks of two processes may differ a little: looked for a second either side. */
const SLACK_MS = 1_000;

/** What the public API does not show of transactions, and of what else people look for. */
@Injectable()
export class DashboardTransactions {
  constructor(
    private readonly resources: Resources,
    private readonly transactions: TransactionsService,
    private readonly entries: LedgerEntriesService,
    private readonly clock: Clock,
  ) {}

  /** Finds things by what people have in hand: an id, their own reference, a phone or meter number. */
  async search(seeker: Seeker, text: string): Promise<FoundDto[]> {
    const named = await this.findById(seeker, text);
    if (named !== null || text.includes('\0')) return named === null ? [] : [named];
    if (!this.resources.isReadable(seeker, 'txn')) return [];
    const phone = parsePhoneNumberFromString(text, COUNTRY)?.number;
    const recipients = [...new Set([text, ...(phone === undefined ? [] : [phone as string])])];
    const found = await Promise.all([
      this.transactions.list(seeker, { reference: text }, null, HITS_MAX),
      ...recipients.map((recipient) => this.transactions.list(seeker, { recipient }, null, HITS_MAX)),
    ]);
    const ids = [...new Set(found.flat().map(({ id }) => id))].sort().reverse();
    return ids.slice(0, HITS_MAX).map((id) => ({ id: encodeId('txn', id), type: 'transaction' }));
  }

  /** What a transaction wrote into the account's own books, oldest first. By id or reference. Throws `NotFound`. */
  async ledgerLines(viewer: Viewer, idOrReference: string): Promise<TransactionEntryDto[]> {
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

  private async findById(seeker: Seeker, text: string): Promise<FoundDto | null> {
    const prefix = ID.exec(text)?.[1] as IdPrefix | undefined;
    const id = prefix === undefined ? null : decodeId(prefix, text);
    if (id === null || !this.resources.isReadable(seeker, prefix!) || !this.resources.isPresented(prefix!)) return null;
    try {
      const { object } = (await this.resources.present(seeker, prefix!, id)) as { object: string };
      return { id: text, type: object };
    } catch (error) {
      if (error instanceof NotFound || error instanceof InsufficientScope) return null;
      throw error;
    }
  }
}
