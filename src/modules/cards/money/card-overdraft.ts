import type { Write } from '../../../core/database/bulk';
import { FREE } from '../../../core/extension/extensions';
import { newIdOf } from '../../../core/http/ids';
import type { EventOrigin } from '../../../core/outbox/outbox';
import type { Cover, Posted } from '../../ledger/posting';
import { moved } from '../card-lifecycle';
import type { Card } from '../card.entity';
import { cardChange, cardEvent, debtPaid, transitionWrite } from '../cards.service';
import { CardMoveDraft } from './card-postings';

const OVERDRAWN = { actor: 'policy', actorId: null, reason: 'overdrawn' } as const;

/** What a clearing causes, in the words of events: the card transaction by its public id. */
interface Origin extends EventOrigin {
  readonly cardTransactionId: string;
}

/** Who paid what a card lacked. Minor units. */
interface Shares {
  readonly fromWallet: bigint;
  readonly fromDebt: bigint;
}

/**
 * More is cleared than a card holds for it. The network does not ask: the card pays, what it lacks is loaded from the
 * wallet that funds it, and what that has not is lent by the platform and is the card's debt.
 */
export class CardOverdraft {
  /** Of the load from the wallet. */
  private readonly transactionId: string;

  /**
   * `amount`: what is cleared beyond what is held, in minor units. `debts`: uuid of the ledger account of the owner's
   * debts.
   */
  constructor(
    private readonly card: Readonly<Card>,
    private readonly amount: bigint,
    private readonly debts: string,
  ) {
    this.transactionId = newIdOf(card.accountId);
  }

  get cover(): Cover {
    return {
      ledgerAccountId: this.card.id,
      amount: this.amount,
      by: [
        { ledgerAccountId: this.card.walletId, transactionId: this.transactionId },
        { ledgerAccountId: this.debts, transactionId: null },
      ],
    };
  }

  sharesOf({ entries }: Posted): Shares {
    const givenBy = (id: string) => -(entries.find((entry) => entry.ledgerAccountId === id)?.amount ?? 0n);
    return { fromWallet: givenBy(this.card.walletId), fromDebt: givenBy(this.debts) };
  }

  /** The record of the load with its events; the debt, for which the card is frozen, with its event. */
  writes(posted: Posted, origin: Origin): Write[] {
    const { fromWallet, fromDebt } = this.sharesOf(posted);
    if (fromWallet === 0n && fromDebt === 0n) return [];
    return [
      ...(fromWallet > 0n ? this.load(fromWallet, origin).rows(posted).writes : []),
      ...(fromDebt > 0n ? this.owed(fromDebt, posted, origin) : [debtPaid(this.card, 0n, { told: true })]),
    ];
  }

  private load(amount: bigint, { cardTransactionId, ...origin }: Origin): CardMoveDraft {
    const { card, transactionId: id } = this;
    const movement = {
      card,
      type: 'card_funding',
      walletId: card.walletId,
      amount,
      fee: 0n,
      breakdown: [],
      reference: null,
      metadata: {},
      event: 'card.funded',
      origin,
      cardTransactionId,
    } as const;
    return new CardMoveDraft(movement, { id, pass: FREE });
  }

  private owed(amount: bigint, posted: Posted, { cardTransactionId, ...origin }: Origin): Write[] {
    const { card } = this;
    const isFrozen = card.status === 'active';
    const after = {
      ...(isFrozen ? moved(card, 'frozen', OVERDRAWN.reason) : { ...card, version: card.version + 1 }),
      debt: card.debt + amount,
      updatedAt: posted.at,
    };
    const moment = { account: posted.account(card.id), previous: card.status, cardTransactionId };
    return [
      cardChange(after, card),
      ...(isFrozen ? [transitionWrite(after, card.status, OVERDRAWN)] : []),
      cardEvent(after, 'card.overdrawn', origin, moment),
    ];
  }
}
