import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { decodeId, timeOf } from '../../../core/http/ids';
import { LedgerEntriesService } from '../../ledger/entries.service';
import { TimelineService } from '../../transactions/timeline.service';
import { TransactionsService } from '../../transactions/transactions.service';
import { type Reader, SLACK_MS, type Subject } from './story-links';
import { type Clearing, clearingStep, happeningStep, ledgerSteps, type Step } from './story-steps';

const SELECT_CLEARINGS = `
  SELECT id, kind, amount::text, issuer_reference AS "issuerReference" FROM card_clearings
   WHERE account_id = $1 AND livemode = $2 AND card_transaction_id = $3 ORDER BY id LIMIT 100`;
const ENTRIES_MAX = 500;

/** What was written down of money, and what was said about it, by subject. */
@Injectable()
export class StoryBooks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: TransactionsService,
    private readonly entries: LedgerEntriesService,
    private readonly timelines: TimelineService,
  ) {}

  /** What providers and people said. */
  async said({ accountId, livemode }: Reader, { prefix, id, publicId }: Subject): Promise<Step[]> {
    const thing = { accountId, livemode, id };
    const happenings =
      prefix === 'txn'
        ? await this.timelines.told(await this.transactions.require(thing, publicId))
        : await this.timelines.toldOf(prefix, thing);
    return happenings.map((happening) => happeningStep(publicId, happening));
  }

  /** What card networks did. */
  async cleared({ accountId, livemode }: Reader, { prefix, id, publicId, shown }: Subject): Promise<Step[]> {
    if (prefix !== 'ctx') return [];
    const clearings: Clearing[] = await this.dataSource.query(SELECT_CLEARINGS, [accountId, livemode, id]);
    return clearings.map((clearing) => clearingStep(publicId, shown.currency as string, clearing));
  }

  /** The lines in the account's own books. */
  async booked(reader: Reader, subject: Subject): Promise<Step[]> {
    if (subject.prefix === 'txn') return this.ofTransaction(reader, subject.publicId);
    return subject.prefix === 'ctx' ? this.ofCardTransaction(reader, subject) : [];
  }

  private async ofTransaction(reader: Reader, publicId: string): Promise<Step[]> {
    const { id, type, walletId, sourceId, currency, updatedAt } = await this.transactions.require(reader, publicId);
    const cardId = type.startsWith('card_') ? sourceId : null;
    const between: [Date, Date] = [new Date(timeOf(id).getTime() - SLACK_MS), new Date(updatedAt.getTime() + SLACK_MS)];
    const accounts = [...new Set([walletId, ...(cardId === null ? [] : [cardId])])];
    const entries = await Promise.all(
      accounts.map((ledgerAccountId) =>
        this.entries.ofTransaction({ accountId: reader.accountId, ledgerAccountId }, id, between),
      ),
    );
    return ledgerSteps(publicId, entries.flat(), { currency, cardId });
  }

  /** Postings of a card transaction have its id, and belong to no transaction. */
  private async ofCardTransaction({ accountId }: Reader, { id, publicId, shown }: Subject): Promise<Step[]> {
    const cardId = decodeId('crd', shown.card_id as string)!;
    const range = {
      from: new Date(timeOf(id).getTime() - SLACK_MS),
      before: new Date((shown.updated_at as Date).getTime() + SLACK_MS),
      seq: 0n,
    };
    const entries = await this.entries.page({ accountId, ledgerAccountId: cardId }, range, ENTRIES_MAX);
    const own = entries.filter(({ postingId }) => postingId === id).reverse();
    return ledgerSteps(publicId, own, { currency: shown.currency as string, cardId });
  }
}
