import type { Write } from '../../core/database/bulk';
import { encodeId, newId } from '../../core/http/ids';
import type { EventOrigin } from '../../core/outbox/outbox';
import type { Line, Posted } from '../ledger/ledger.types';
import { transactionEvent } from '../transactions/transaction-event';
import type { TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import { creditedEvent, lowBalanceEvents } from '../wallets/wallet-events';
import type { Part } from './card-postings.service';
import type { Card, CardStatus } from './card.entity';
import { CardNotActive } from './cards.errors';
import { cardEvent, type CardEventType } from './cards.events';

/** Money between a card and a wallet of its owner. Minor units; a fee is paid by whoever pays the amount. */
export interface CardMovement {
  readonly card: Readonly<Card>;
  readonly type: 'card_funding' | 'card_withdrawal';
  readonly walletId: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly breakdown: readonly object[];
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  /** What announces it: the movement is part of something else, or all of it. */
  readonly event: CardEventType;
  readonly origin: EventOrigin;
  /** What the card was, where the movement is part of its end. */
  readonly previous?: CardStatus;
}

/** In which states money may go onto a card, and come back from it. What an expired one still has can be had back. */
const MOVABLE: Readonly<Record<CardMovement['type'], readonly CardStatus[]>> = {
  card_funding: ['active'],
  card_withdrawal: ['active', 'frozen', 'expired'],
};

const VERBS: Readonly<Record<CardMovement['type'], string>> = {
  card_funding: 'loaded',
  card_withdrawal: 'withdrawn from',
};

/** Throws `CardNotActive`. */
export function assertMovable(card: Readonly<Card>, { type }: Pick<CardMovement, 'type'>): void {
  if (!MOVABLE[type].includes(card.status)) throw new CardNotActive(card, VERBS[type]);
}

/** A movement on its way into the books, final at once: its lines, its record and its events. */
export class CardMoveDraft {
  readonly id = newId();
  made?: TransactionRecord;

  constructor(
    private readonly transactions: TransactionsService,
    readonly movement: CardMovement,
  ) {}

  /** The wallet's own line, and what stands against it. */
  get lines(): { readonly own: Line; readonly others: readonly Part[] } {
    const {
      card: { id: cardId, currency },
      type,
      walletId,
      amount,
      fee,
    } = this.movement;
    const isFunding = type === 'card_funding';
    const own = {
      ledgerAccountId: walletId,
      bucket: 'available',
      amount: isFunding ? -amount - fee : amount,
      transactionId: this.id,
    } as const;
    return {
      own,
      others: [
        ['card', cardId, isFunding ? amount : -amount - fee],
        ['fees', currency, fee],
      ],
    };
  }

  /** The event of the movement, and all of its rows with it. */
  rows(posted: Posted): { readonly event: Write; readonly writes: readonly Write[] } {
    const { card, walletId, type, event: name, origin, previous = card.status } = this.movement;
    const transaction = (this.made = this.record(posted));
    const event = cardEvent(card, name, origin, {
      account: posted.account(card.id),
      previous,
      transactionId: encodeId('txn', this.id),
    });
    const announced =
      type === 'card_funding'
        ? lowBalanceEvents(posted, origin)
        : [
            creditedEvent(
              posted.account(walletId),
              { transactionId: this.id, amount: transaction.amount, reference: transaction.reference },
              origin,
            ),
          ];
    return {
      event,
      writes: [
        this.transactions.writeOpen(transaction),
        event,
        transactionEvent(transaction, { previous: null, origin }),
        ...announced,
      ],
    };
  }

  private record(posted: Posted): TransactionRecord {
    const { card, type, walletId, amount, fee, breakdown, reference, metadata } = this.movement;
    const { available } = posted.account(walletId);
    const { accountId, livemode, currency, id: sourceId } = card;
    const isFunding = type === 'card_funding';
    const final = this.transactions.final({
      accountId,
      livemode,
      id: this.id,
      walletId,
      type,
      direction: isFunding ? 'debit' : 'credit',
      amount,
      fee,
      currency,
      sourceId,
      reference,
      metadata: { ...metadata },
      balanceBefore: isFunding ? available + amount + fee : available - amount,
      balanceAfter: available,
      at: posted.at,
    });
    return { ...final, recipient: encodeId('crd', sourceId), details: { breakdown } };
  }
}
