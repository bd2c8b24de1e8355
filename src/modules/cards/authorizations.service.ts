import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { bulkUpdate } from '../../core/database/bulk';
import { ReadPipeline } from '../../core/database/database.module';
import { constraintOf, isRowChanged } from '../../core/database/sqlstate';
import { found } from '../../core/errors/not-found';
import { encodeId } from '../../core/http/ids';
import type { Currency } from '../../core/money/currencies';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Posted, Posting, Refusal } from '../ledger/ledger.types';
import { transactionEvent } from '../transactions/transaction-event';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import type { CardTransaction, DeclineReason } from './card-transaction.entity';
import {
  type CardTransactionResult,
  CardTransactionsService,
  type Cause,
  claimOf,
  originOf,
} from './card-transactions.service';
import type { CardKey, CardStatus } from './card.entity';
import { AuthorizationKnown } from './cards.errors';
import { type Ask, type Controls, refusalOf, type Spent, startOf } from './controls/spending-controls';
import {
  type AuthorizationOrder,
  cardTransactionEvent,
  cardTransactionWrite,
  newCardTransaction,
  type UsedCard,
} from './transactions/card-transaction-rows';
import { DeclinesService } from './transactions/declines.service';

/** Other processes may authorize on the same card: each round one of them is through. */
const ROUNDS_MAX = 25;

/** How long an authorization holds its money when nobody clears it, by the account's clock. */
const EXPIRES_AFTER_MS = 7 * 24 * 3_600_000;

/** An issuer's id of an authorization is that of one card transaction. */
const ISSUER_KEY = 'card_transactions_by_issuer';

/** Why the books refuse a hold on a card, in the words of a decline. */
const DECLINED_BY_LEDGER: Partial<Record<Refusal['reason'], DeclineReason>> = {
  insufficient_funds: 'insufficient_funds',
  account_frozen: 'card_frozen',
  account_closed: 'card_terminated',
};

/** Why a card in a state declines; null: it does not. */
export const DECLINED_BY_STATUS: Readonly<Record<CardStatus, DeclineReason | null>> = {
  active: null,
  pending: 'card_not_active',
  failed: 'card_not_active',
  frozen: 'card_frozen',
  blocked: 'card_blocked',
  expired: 'card_expired',
  terminated: 'card_terminated',
};

/**
 * A card with what it spent since four moments, on one snapshot: account, mode, card, start of day, week, month and of
 * the longest interval that a limit asks for.
 */
const SELECT_SPENDING = {
  name: 'select_card_spending',
  text: `SELECT c.currency, c.status, c.expires_at, c.spending_controls, c.authorizations, s.*
    FROM cards c CROSS JOIN LATERAL (
      SELECT coalesce(sum(t.amount - t.released) FILTER (WHERE t.made_at >= $4), 0) AS daily,
             coalesce(sum(t.amount - t.released) FILTER (WHERE t.made_at >= $5), 0) AS weekly,
             coalesce(sum(t.amount - t.released) FILTER (WHERE t.made_at >= $6), 0) AS monthly,
             coalesce(sum(t.amount - t.released), 0) AS all_time
        FROM card_transactions t
       WHERE t.account_id = c.account_id AND t.livemode = c.livemode AND t.card_id = c.id
         AND t.type = 'authorization' AND t.status <> 'declined' AND t.made_at >= $7
    ) s WHERE c.account_id = $1 AND c.livemode = $2 AND c.id = $3`,
};

// `authorizations` is the turn-taking of a card: who decides on its limits writes the number that it read plus one. The
// write fails when there was another one since, or the card is not active.
const authorizeCard = bulkUpdate(
  'cards',
  { account_id: 'uuid', livemode: 'boolean', id: 'uuid', authorizations_before: 'bigint' },
  {
    name: 'authorize_cards',
    key: ['account_id', 'livemode', 'id'],
    set: { authorizations: 't.authorizations + 1', declines: '0', version: 't.version + 1' },
    where: `t.authorizations = v.authorizations_before AND t.status = 'active'`,
  },
);

/**
 * One after the other in this process for each card. Only a courtesy that spares retries: between processes the card's
 * counter of authorizations decides.
 */
class PerCardQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(cardId: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.last.get(cardId) ?? Promise.resolve()).then(work);
    const ended = mine.catch(() => undefined);
    this.last.set(cardId, ended);
    try {
      return await mine;
    } finally {
      if (this.last.get(cardId) === ended) this.last.delete(cardId);
    }
  }
}

/** A card as an authorization is decided on it. */
interface Spending extends UsedCard {
  /** Number of authorizations that were given so far. */
  readonly authorizations: bigint;
  readonly refusal: (ask: Ask) => DeclineReason | null;
}

interface SpendingRow extends Record<keyof Spent, string> {
  currency: Currency;
  status: CardStatus;
  expires_at: Date | null;
  spending_controls: Controls;
  authorizations: string;
}

/**
 * Decides whether a merchant gets money promised, and charges what the issuer takes. Each call works once per cause:
 * repeated, it answers with what it did. All of them throw `NotFound`, `IdempotencyKeyReused`, `DuplicateReference`,
 * `LedgerUnavailable`.
 */
@Injectable()
export class AuthorizationsService {
  private readonly queue = new PerCardQueue();

  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly reads: ReadPipeline,
    private readonly clock: Clock,
    private readonly declines: DeclinesService,
    private readonly transactions: CardTransactionsService,
    private readonly records: TransactionsService,
  ) {}

  /**
   * Holds the money, or declines, which is an answer too: the transaction's status tells. Throws also
   * `AuthorizationKnown`.
   */
  authorize(card: CardKey, order: AuthorizationOrder, cause: Cause): Promise<CardTransactionResult> {
    return this.inTurn(card, cause, () => this.decide(card, order, cause));
  }

  /** Records a refusal that somebody else gave. Throws also `AuthorizationKnown`. */
  decline(
    card: CardKey,
    order: AuthorizationOrder & { readonly reason: DeclineReason },
    cause: Cause,
  ): Promise<CardTransactionResult> {
    return this.inTurn(card, cause, async () => this.declines.record(await this.spending(card), order, cause));
  }

  /**
   * Takes a fee of the issuer from the card: a card transaction and the account's record `card_fee`, under one uuid.
   * Throws also `PostingRefused` (`insufficient_funds`, …).
   */
  async charge(key: CardKey, amount: bigint, cause: Cause): Promise<CardTransactionResult> {
    const card = await this.spending(key);
    const fee = newCardTransaction(card, cause, {
      type: 'fee',
      status: 'settled',
      amount,
      cleared: amount,
      settledAt: card.now,
    });
    const outcome = await this.ledger.require(await this.postingOfFee(fee, cause), (id) => ({
      id: encodeId('crd', id),
      param: '/amount',
    }));
    return outcome.status === 'posted'
      ? { transaction: fee, replayedBy: null }
      : this.transactions.replayed(key, outcome);
  }

  private inTurn(
    card: CardKey,
    cause: Cause,
    work: () => Promise<CardTransactionResult>,
  ): Promise<CardTransactionResult> {
    return this.queue.run(card.id, async () => {
      try {
        return await this.transactions.answer(card, cause, work);
      } catch (error) {
        throw constraintOf(error) === ISSUER_KEY ? new AuthorizationKnown() : error;
      }
    });
  }

  private async decide(card: CardKey, order: AuthorizationOrder, cause: Cause): Promise<CardTransactionResult> {
    for (let round = 1; ; round++) {
      const spending = await this.spending(card);
      const reason = spending.refusal(order);
      if (reason !== null) return this.declines.record(spending, { ...order, reason }, cause);
      try {
        return await this.hold(spending, order, cause);
      } catch (error) {
        // The card was authorized, frozen or changed since it was read: what was decided on is gone.
        if (!isRowChanged(error) || round === ROUNDS_MAX) throw error;
        await sleep(Math.random() * 10 * round);
      }
    }
  }

  /** What the card may still be used for. */
  private async spending({ accountId, livemode, id }: CardKey): Promise<Spending> {
    const now = await this.clock.now({ accountId, livemode });
    const starts = (['daily', 'weekly', 'monthly', 'all_time'] as const).map((interval) => startOf(interval, now));
    const { rows } = await this.reads.query<SpendingRow>(SELECT_SPENDING, [accountId, livemode, id, ...starts]);
    const row = found(rows[0], 'card');
    const spent: Spent = {
      daily: BigInt(row.daily),
      weekly: BigInt(row.weekly),
      monthly: BigInt(row.monthly),
      all_time: BigInt(row.all_time),
    };
    const isPast = row.expires_at !== null && row.expires_at <= now;
    const refusal = (ask: Ask) =>
      DECLINED_BY_STATUS[row.status] ?? (isPast ? 'card_expired' : refusalOf(ask, row.spending_controls, spent));
    return {
      accountId,
      livemode,
      id,
      currency: row.currency,
      authorizations: BigInt(row.authorizations),
      refusal,
      now,
    };
  }

  /** The hold, with all that is written beside it; what the books refuse is a decline. */
  private async hold(card: Spending, order: AuthorizationOrder, cause: Cause): Promise<CardTransactionResult> {
    const { accountId, livemode, id, currency, authorizations, now } = card;
    const expiresAt = new Date(now.getTime() + EXPIRES_AFTER_MS);
    const { amount, merchant, issuerReference } = order;
    const made = newCardTransaction(card, cause, {
      type: 'authorization',
      status: 'authorized',
      amount,
      merchant,
      issuerReference,
      expiresAt,
      nextCheckAt: expiresAt,
    });
    const outcome = await this.ledger.post({
      id: made.id,
      accountId,
      livemode,
      currency,
      lines: [],
      holds: [{ kind: 'open', holdId: made.id, ledgerAccountId: id, amount, transactionId: null }],
      claim: claimOf(made, cause),
      writes: () => [
        cardTransactionWrite(made),
        authorizeCard.row({ account_id: accountId, livemode, id, authorizations_before: authorizations }),
        cardTransactionEvent(made, 'authorized', originOf(cause)),
      ],
    });
    if (outcome.status === 'posted') return { transaction: made, replayedBy: null };
    if (outcome.status === 'replayed') return this.transactions.replayed(card, outcome);
    const reason = DECLINED_BY_LEDGER[outcome.refusal.reason];
    if (reason === undefined) throw new Error(`the books refuse an authorization: ${outcome.refusal.reason}`);
    return this.declines.record(card, { ...order, reason }, cause);
  }

  private async postingOfFee(fee: CardTransaction, cause: Cause): Promise<Posting> {
    const { accountId, livemode, id, cardId, amount, currency } = fee;
    const feesId = await this.accounts.platform('fees', currency, livemode);
    return {
      id,
      accountId,
      livemode,
      currency,
      claim: claimOf(fee, cause),
      lines: [
        { ledgerAccountId: cardId, bucket: 'available', amount: -amount, transactionId: id },
        { ledgerAccountId: feesId, bucket: 'available', amount, transactionId: null },
      ],
      writes: (posted) => {
        const [record, origin] = [this.recordOfFee(fee, posted), originOf(cause)];
        return [
          cardTransactionWrite(fee),
          this.records.writeOpen(record),
          cardTransactionEvent(fee, 'settled', origin),
          transactionEvent(record, { previous: null, origin }),
        ];
      },
    };
  }

  private recordOfFee(
    { accountId, livemode, id, cardId, amount, currency }: CardTransaction,
    posted: Posted,
  ): TransactionRecord {
    const { available } = posted.account(cardId);
    const record = this.records.final({
      accountId,
      livemode,
      id,
      walletId: cardId,
      sourceId: cardId,
      type: 'card_fee',
      direction: 'debit',
      amount,
      currency,
      balanceBefore: available + amount,
      balanceAfter: available,
      at: posted.at,
    });
    return { ...record, details: { card_transaction_id: encodeId('ctx', id) } };
  }
}
