import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { found } from '../../core/errors/not-found';
import { HIGHEST_ID, lowestIdAt } from '../../core/http/ids';
import type { Claim, Replay, ReplayedBy, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { EventOrigin } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { CardTransaction } from './card-transaction.entity';
import { Card, type CardKey } from './card.entity';
import type { CardTransactionStatus, CardTransactionType } from './transactions/card-transaction-step';

/** What makes a request or a message work once, and what its events are told to come from. */
export interface Cause extends RequestClaim {
  /** An issuer's message: the value under which it is claimed for ever. */
  readonly message: string | null;
  /** Request uuid. */
  readonly requestId: string | null;
}

/** Binds a cause to the card transaction that it makes or changes. */
export const claimOf = ({ accountId, livemode, id }: CardKey, { key, fingerprint, message }: Cause): Claim => ({
  accountId,
  livemode,
  key,
  fingerprint,
  reference: message,
  resource: 'ctx',
  resourceId: id,
});

export const originOf = ({ requestId, key }: Cause): EventOrigin => ({ requestId, idempotencyKey: key });

/** A card transaction after a request or a message, and whether that had been carried out before. */
export interface CardTransactionResult {
  readonly transaction: Readonly<CardTransaction>;
  readonly replayedBy: ReplayedBy | null;
}

export interface CardTransactionFilters {
  readonly status?: CardTransactionStatus;
  readonly type?: CardTransactionType;
  readonly created_gte?: Date;
  readonly created_lt?: Date;
}

/** Reads card transactions. */
@Injectable()
export class CardTransactionsService {
  constructor(
    @InjectRepository(CardTransaction) private readonly transactions: Repository<CardTransaction>,
    @InjectRepository(Card) private readonly cards: Repository<Card>,
    private readonly idempotency: Idempotency,
  ) {}

  /** The owner's card. Throws `NotFound`. */
  async requireCard({ accountId, livemode }: Viewer, id: string | null): Promise<CardKey> {
    found(id !== null && (await this.cards.existsBy({ accountId, livemode, id })) ? id : null, 'card');
    return { accountId, livemode, id: id! };
  }

  /** The owner's, of this card if one is named. Throws `NotFound`. */
  require(owner: Viewer, id: string | null, cardId?: string): Promise<CardTransaction> {
    return this.one(owner, { id: id ?? HIGHEST_ID, ...(cardId !== undefined && { cardId }) });
  }

  /** By the issuer's own id of the authorization. Throws `NotFound`. */
  requireOfIssuer(card: CardKey, issuerReference: string): Promise<CardTransaction> {
    return this.one(card, { cardId: card.id, issuerReference });
  }

  /** Newest first, below the uuid `before`. */
  list(
    { accountId, livemode, id: cardId }: CardKey,
    filters: CardTransactionFilters,
    before: string | null,
    take: number,
  ): Promise<CardTransaction[]> {
    const { status, type, created_gte, created_lt } = filters;
    const query = this.transactions
      .createQueryBuilder('t')
      .where('t.account_id = :accountId AND t.livemode = :livemode AND t.card_id = :cardId', {
        accountId,
        livemode,
        cardId,
      })
      .orderBy('t.id', 'DESC')
      .take(take);
    if (before) query.andWhere('t.id < :before', { before });
    if (status) query.andWhere('t.status = :status', { status });
    if (type) query.andWhere('t.type = :type', { type });
    if (created_gte) query.andWhere('t.id >= :from', { from: lowestIdAt(created_gte) });
    if (created_lt) query.andWhere('t.id < :to', { to: lowestIdAt(created_lt) });
    return query.getMany();
  }

  /**
   * What a cause did before, else what `work` does now. Throws `IdempotencyKeyReused`, `DuplicateReference`, and what
   * `work` throws.
   */
  answer(owner: Viewer, cause: Cause, work: () => Promise<CardTransactionResult>): Promise<CardTransactionResult> {
    return this.idempotency.answer(claimOf({ ...owner, id: HIGHEST_ID }, cause), work, (replay) =>
      this.replayed(owner, replay),
    );
  }

  async replayed(owner: Viewer, { resourceId, by }: Replay): Promise<CardTransactionResult> {
    return { transaction: await this.require(owner, resourceId), replayedBy: by };
  }

  private async one(
    { accountId, livemode }: Viewer,
    where: FindOptionsWhere<CardTransaction>,
  ): Promise<CardTransaction> {
    return found(
      await this.transactions.findOneBy({ accountId, livemode, ...where }),
      'card transaction',
      '/card_transaction_id',
    );
  }
}
