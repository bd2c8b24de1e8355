import { Injectable } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { Extensions } from '../../core/extension/extensions';
import { encodeId } from '../../core/http/ids';
import type { Claim } from '../../core/idempotency/claim';
import { LedgerService } from '../ledger/ledger.service';
import type { Posted, Posting, Replayed } from '../ledger/ledger.types';
import { TransactionsService } from '../transactions/transactions.service';
import { CardMoveDraft, type CardMovement } from './card-move-draft.batch';
import { CardPostings } from './card-postings.service';
import { cardUnchanged } from './cards.queries';

/** Carries out movements between cards and wallets, each final at once. */
@Injectable()
export class CardMovesService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly postings: CardPostings,
    private readonly transactions: TransactionsService,
    private readonly extensions: Extensions,
  ) {}

  draft(movement: CardMovement): CardMoveDraft {
    return new CardMoveDraft(this.transactions, movement);
  }

  /**
   * Throws `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`, and, when the card is no longer
   * in the state in which it was read, an error of which `isRowChanged` is true. `more`: rows that go with it, in the place
   * of the one that holds the state.
   */
  async carryOut(
    draft: CardMoveDraft,
    claim: Claim | null,
    more?: (posted: Posted) => Write[],
  ): Promise<Posted | Replayed> {
    const { card, type } = draft.movement;
    const { accountId, livemode } = card;
    const causes = this.extensions.causes();
    const payment = { operation: type, accountId, livemode, objectType: 'txn', objectId: draft.id } as const;
    const writes = (posted: Posted): Write[] => {
      const { event, writes: rows } = draft.rows(posted);
      return [
        ...(more?.(posted) ?? [cardUnchanged(card)]),
        ...rows,
        ...this.extensions.afterPayment(event, payment, causes),
      ];
    };
    const outcome = await this.ledger.require({ ...(await this.posting(draft)), claim, writes }, describe(draft));
    this.extensions.wake();
    return outcome;
  }

  /** What `carryOut` would do now; writes nothing. */
  async preview(draft: CardMoveDraft): Promise<Posted> {
    return this.ledger.preview(
      { ...(await this.posting(draft)), claim: null, writes: (posted) => [...draft.rows(posted).writes] },
      describe(draft),
    );
  }

  private async posting(draft: CardMoveDraft): Promise<Omit<Posting, 'claim' | 'writes'>> {
    const { card } = draft.movement;
    const { own, others } = draft.lines;
    const lines = [own, ...(await this.postings.lines(others, card))];
    const { accountId, livemode, currency } = card;
    return { id: draft.id, accountId, livemode, currency, lines };
  }
}

const describe =
  ({ movement: { card } }: CardMoveDraft) =>
  (id: string) =>
    id === card.id ? { id: encodeId('crd', id), param: null } : { id: encodeId('wal', id), param: '/wallet_id' };
