import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere, Repository } from 'typeorm';
import type { Key } from '../../core/http/caller';
import { bulkInsert, bulkUpdate, type Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { found } from '../../core/errors/domain-error';
import { HIGHEST_ID, lowestIdAt, newIdOf } from '../../core/http/ids';
import type { Claim, Made, Replay, RequestClaim } from '../../core/idempotency/claim';
import { everyRow } from '../../core/http/pages';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Currency } from '../../core/money/money';
import type { EventType } from '../../vocabulary/event-types';
import { type EventOrigin, eventWrite } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { CardTransactionDto } from './card-transaction.dto';
import {
  CardTransaction,
  type CardTransactionStatus,
  type CardTransactionType,
  type Decision,
  type Merchant,
  NOTHING_TOLD,
  type StepKind,
  type Told,
} from './card-transaction.entity';
import { Card } from './card.entity';

/** What makes a request or a message work once, and what its events are told to come from. */
export interface Cause extends RequestClaim {
  /** An issuer's message: the value under which it is claimed for ever. */
  readonly message: string | null;
  /** Request uuid. */
  readonly requestId: string | null;
}

/** Binds a cause to the card transaction that it makes or changes. */
export const claimOf = ({ accountId, livemode, id }: Key, { key, fingerprint, message }: Cause): Claim => ({
  accountId,
  livemode,
  key,
  fingerprint,
  reference: message,
  resource: 'ctx',
  resourceId: id,
});

export const originOf = ({ requestId, key }: Cause): EventOrigin => ({ requestId, idempotencyKey: key });

export interface CardTransactionFilters {
  readonly status?: CardTransactionStatus;
  readonly type?: CardTransactionType;
  readonly created_gte?: Date;
  readonly created_lt?: Date;
}

/** A merchant asks a card for money. */
export interface AuthorizationOrder {
  /** Minor units of the card's currency. */
  readonly amount: bigint;
  readonly merchant: Merchant;
  /** The issuer's own id of the authorization, by which its later messages name it. */
  readonly issuerReference: string | null;
  readonly told?: Partial<Told> | undefined;
}

/** The card that a transaction happens on, at its account's present. */
export interface UsedCard extends Key {
  readonly currency: Currency;
  readonly now: Date;
}

/** An authorization that the rules would give. `id`: uuid that its card transaction will have. */
export interface Weighing {
  readonly card: UsedCard;
  /** Id and version of the endpoint that is asked. */
  readonly endpoint: string;
  readonly id: string;
  readonly order: AuthorizationOrder;
}

/** What its account says: whether the money may be held, and how much of it. */
export interface Verdict {
  readonly isApproved: boolean;
  /** Minor units; at most what was asked for. */
  readonly amount: bigint;
  readonly decision: Decision;
}

/** A card transaction of now, by what it has beside that of every new one. */
export const newCardTransaction = (
  { accountId, livemode, id: cardId, currency, now }: UsedCard,
  { requestId, key: idempotencyKey }: Cause,
  given: Pick<CardTransaction, 'type' | 'status' | 'amount'> & Partial<CardTransaction>,
): CardTransaction => ({
  accountId,
  livemode,
  id: newIdOf(accountId),
  cardId,
  cleared: 0n,
  over: 0n,
  fromWallet: 0n,
  fromDebt: 0n,
  debtPaid: 0n,
  released: 0n,
  refunded: 0n,
  disputed: 0n,
  disputeId: null,
  currency,
  merchant: null,
  ...NOTHING_TOLD,
  declineReason: null,
  decision: null,
  originalId: null,
  issuerReference: null,
  madeAt: now,
  expiresAt: null,
  settledAt: null,
  nextCheckAt: null,
  requestId,
  idempotencyKey,
  version: 1,
  updatedAt: new Date(),
  ...given,
});

/** An issuer's id of an authorization is that of one card transaction. */
export const ISSUER_KEY = 'card_transactions_by_issuer';

const cardTransactions = rows(CardTransaction);

export const cardTransactionWrite = cardTransactions.insert({ except: ['version'] });

/**
 * A changed card transaction. A step is about the sums that it read: of two at once, the second fails here even if the
 * ledger's hold let it pass.
 */
export const cardTransactionChange = cardTransactions.update({
  name: 'update_card_transactions',
  change: [
    'status',
    'cleared',
    'over',
    'fromWallet',
    'fromDebt',
    'debtPaid',
    'released',
    'refunded',
    'merchantAmount',
    'merchantCurrency',
    'fxRate',
    'fees',
    'settledAt',
    'nextCheckAt',
    'updatedAt',
  ],
  was: ['cleared', 'released', 'refunded'],
  set: { version: 't.version + 1' },
});

// By so much, from whatever it is: only the sum of all must fit, and that the row itself says.
const updateDisputed = bulkUpdate(
  'card_transactions',
  { account_id: 'uuid', livemode: 'boolean', id: 'uuid', change: 'bigint' },
  {
    name: 'update_disputed',
    key: ['account_id', 'livemode', 'id'],
    set: { disputed: 't.disputed + v.change', version: 't.version + 1', updated_at: 'now()' },
    where: '(v.change < 0 OR t.disputed + v.change <= t.cleared - t.refunded)',
  },
);

/**
 * So much more of a card transaction is in dispute, or less; minor units. Fails when more would be than was cleared and
 * did not come back.
 */
export const disputedChange = ({ accountId, livemode, id }: Key, change: bigint): Write =>
  updateDisputed.row({ account_id: accountId, livemode, id, change });

const insertClearing = bulkInsert('card_clearings', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  card_transaction_id: 'uuid',
  kind: 'text',
  amount: 'bigint',
  issuer_reference: 'text?',
  merchant_amount: 'bigint?',
  merchant_currency: 'text?',
  fx_rate: 'text?',
  fees: 'jsonb?',
});

/** A step of a card transaction, kept for good. */
export const stepWrite = (
  t: Readonly<CardTransaction>,
  kind: StepKind,
  { amount, message, told = {} }: { amount: bigint; message: string | null; told?: Partial<Told> | undefined },
): Write =>
  insertClearing.row({
    account_id: t.accountId,
    livemode: t.livemode,
    id: newIdOf(t.accountId),
    card_id: t.cardId,
    card_transaction_id: t.id,
    kind,
    amount,
    issuer_reference: message,
    merchant_amount: told.merchantAmount ?? null,
    merchant_currency: told.merchantCurrency ?? null,
    fx_rate: told.fxRate ?? null,
    fees: told.fees ?? null,
  });

export type CardTransactionChange = 'authorized' | 'settled' | 'declined' | 'voided' | 'expired' | 'refunded';

/** `card.transaction.<what>`: the snapshot keeps the transaction as it stood then, and what moved. */
export function cardTransactionEvent(
  t: Readonly<CardTransaction>,
  what: CardTransactionChange,
  origin: EventOrigin,
  moved: object = {},
): Write {
  const { id: _id, object: _object, livemode: _livemode, ...shown } = CardTransactionDto.of(t);
  const snapshot = { ...shown, ...moved };
  const { accountId, livemode, id } = t;
  return eventWrite({
    accountId,
    livemode,
    type: `card.transaction.${what}` as EventType,
    objectType: 'ctx',
    objectId: id,
    snapshot,
    origin,
  });
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
  async requireCard({ accountId, livemode }: Viewer, id: string | null): Promise<Card> {
    return found(id === null ? null : await this.cards.findOneBy({ accountId, livemode, id }), 'card');
  }

  /** The owner's, of this card if one is named. Throws `NotFound`. */
  require(owner: Viewer, id: string | null, cardId?: string): Promise<CardTransaction> {
    return this.one(owner, { id: id ?? HIGHEST_ID, ...(cardId !== undefined && { cardId }) });
  }

  /** By the issuer's own id of the authorization; null when it is not known. */
  findOfIssuer({ accountId, livemode, id: cardId }: Key, issuerReference: string): Promise<CardTransaction | null> {
    return this.transactions.findOneBy({ accountId, livemode, cardId, issuerReference });
  }

  /** Newest first, below the uuid `before`. */
  list(
    { accountId, livemode, id: cardId }: Key,
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

  /** All that match, newest first. */
  stream(card: Key, filters: CardTransactionFilters): AsyncGenerator<CardTransaction> {
    return everyRow(
      (before: string | null, take) => this.list(card, filters, before, take),
      ({ id }) => id,
    );
  }

  /**
   * What a cause did before, else what `work` does now. Throws `IdempotencyKeyReused`, `DuplicateReference`, and what
   * `work` throws.
   */
  answer(owner: Viewer, cause: Cause, work: () => Promise<Made<CardTransaction>>): Promise<Made<CardTransaction>> {
    return this.idempotency.answer(claimOf({ ...owner, id: HIGHEST_ID }, cause), work, (replay) =>
      this.replayed(owner, replay),
    );
  }

  async replayed(owner: Viewer, { resourceId, by }: Replay): Promise<Made<CardTransaction>> {
    return { made: await this.require(owner, resourceId), replayedBy: by };
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
