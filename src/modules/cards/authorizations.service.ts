import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Key } from '../../core/http/caller';
import { Clock } from '../../core/clock/clock';
import { bulkUpdate, type Write } from '../../core/database/bulk';
import { ReadPipeline } from '../../core/database/pipeline';
import { constraintOf, isRowChanged, type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError, found } from '../../core/errors/domain-error';
import { InTurn } from '../../core/process/work-under-way';
import { newIdOf } from '../../core/http/ids';
import type { Made } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Currency } from '../../core/money/money';
import type { EventOrigin } from '../../core/outbox/outbox';
import { LedgerService } from '../ledger/ledger.service';
import type { Refusal } from '../ledger/posting';
import { CardLifecycle } from './card-lifecycle';
import { cardEvent, presentUntil } from './cards.service';
import {
  type CardTransaction,
  type Decision,
  type DeclineReason,
  NOTHING_TOLD,
  toldOf,
} from './card-transaction.entity';
import {
  type AuthorizationOrder,
  cardTransactionEvent,
  CardTransactionsService,
  cardTransactionWrite,
  type Cause,
  claimOf,
  ISSUER_KEY,
  newCardTransaction,
  originOf,
  type UsedCard,
  type Verdict,
  type Weighing,
} from './card-transactions.service';
import { Card, type CardStatus, type Controls, type LimitInterval } from './card.entity';
import { CardPostings } from './money/card-postings';

/** Two messages of an issuer, with ids of their own, begin the same authorization. */
class AuthorizationKnown extends DomainError {
  constructor() {
    super({
      code: 'duplicate_reference',
      kind: 'conflict',
      title: 'Reference used before',
      detail: "The issuer's id of this authorization belongs to another one on the same card.",
    });
  }
}

/** Other processes may authorize on the same card: each round one of them is through. */
const ROUNDS_MAX = 25;

/** What was read of a card so long ago is read again before money is held on it. Milliseconds. */
const FRESH_MS = 100;

/** How long an authorization holds its money when nobody clears it, by the account's clock. */
const EXPIRES_AFTER_MS = 7 * 24 * 3_600_000;

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

/** Intervals over which several authorizations add up. */
export type SummedInterval = Exclude<LimitInterval, 'per_authorization'>;

/** Minor units that a card has spent in the interval that is under way: what is held and what was cleared. */
export type Spent = Readonly<Record<SummedInterval, bigint>>;

/** What a merchant asks a card for. */
interface Ask {
  /** Minor units. */
  readonly amount: bigint;
  readonly merchant: { readonly mcc: string; readonly country: string };
}

type ControlRefusal = 'country_blocked' | 'mcc_blocked' | 'spending_limit';

/** Why the owner's controls refuse an authorization; null: they do not. */
export function refusalOf({ amount, merchant }: Ask, controls: Controls, spent: Spent): ControlRefusal | null {
  if (!isAllowed(merchant.country, controls.allowed_countries, controls.blocked_countries)) return 'country_blocked';
  if (!isAllowed(merchant.mcc, controls.allowed_mccs, controls.blocked_mccs)) return 'mcc_blocked';
  const total = (interval: LimitInterval) => amount + (interval === 'per_authorization' ? 0n : spent[interval]);
  return controls.limits.some((limit) => total(limit.interval) > BigInt(limit.amount)) ? 'spending_limit' : null;
}

const isAllowed = (value: string, allowed: readonly string[], blocked: readonly string[]): boolean =>
  !blocked.includes(value) && (allowed.length === 0 || allowed.includes(value));

const EPOCH = new Date(0);

/** When the interval that `now` (of the account's clock) lies in began. */
export function startOf(interval: SummedInterval, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (interval === 'all_time') return EPOCH;
  if (interval === 'monthly') return new Date(Date.UTC(year, month, 1));
  if (interval === 'daily') return new Date(Date.UTC(year, month, day));
  const daysSinceMonday = (now.getUTCDay() + 6) % 7;
  return new Date(Date.UTC(year, month, day - daysSinceMonday));
}

/**
 * A card with what it spent since four moments, on one snapshot: account, mode, card, start of day, week, month and of
 * the longest interval that a limit asks for, and when the present ends, which only that one looks beyond.
 */
const SELECT_SPENDING = {
  name: 'select_card_spending',
  text: `SELECT c.currency, c.status, c.expires_at, c.spending_controls, c.authorizations, a.available, s.*,
           (SELECT e.id || '/' || e.version FROM card_authorization_endpoints e
             WHERE e.account_id = c.account_id AND e.livemode = c.livemode) AS asks
    FROM cards c JOIN ledger_accounts a ON a.account_id = c.account_id AND a.id = c.id CROSS JOIN LATERAL (
      SELECT coalesce(sum(t.amount) FILTER (WHERE t.made_at >= $4 AND t.made_at <= $8), 0) AS daily,
             coalesce(sum(t.amount) FILTER (WHERE t.made_at >= $5 AND t.made_at <= $8), 0) AS weekly,
             coalesce(sum(t.amount) FILTER (WHERE t.made_at >= $6 AND t.made_at <= $8), 0) AS monthly,
             coalesce(sum(t.amount), 0) AS all_time
        FROM (SELECT made_at, over + CASE WHEN decline_reason IS NULL THEN amount - released ELSE 0 END AS amount
                FROM card_transactions
               WHERE account_id = c.account_id AND livemode = c.livemode AND card_id = c.id
                 AND type IN ('authorization', 'clearing') AND made_at >= $7) t
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

const POLICY = { actor: 'policy', actorId: null, reason: 'too_many_declines' } as const;

/** Counts a decline: account, mode, card. */
const COUNT_DECLINE = `
  UPDATE cards SET declines = declines + 1, version = version + 1
   WHERE account_id = $1 AND livemode = $2 AND id = $3 AND status = 'active'
  RETURNING declines, warn_at AS "warnAt", terminate_at AS "terminateAt"`;

/** What the issuer does to a card whose authorizations fail again and again for want of money; null: nothing. */
export interface DeclinePolicy {
  /** Declines in a row at which the owner is warned. */
  readonly warnAt: number | null;
  /** Declines in a row at which the card is terminated. */
  readonly terminateAt: number | null;
}

export type DeclineStep = 'warn' | 'terminate';

/** Only a card without money counts: every other decline is the owner's own wish, or the merchant's. */
export const isCounted = (reason: string): boolean => reason === 'insufficient_funds';

/**
 * What follows from the decline that makes `declines` in a row. The warning is given once, and always before the
 * termination: a policy that terminates at the same number warns with the decline before.
 */
export function declineStepOf({ warnAt, terminateAt }: DeclinePolicy, declines: number): DeclineStep | null {
  if (terminateAt !== null && declines >= terminateAt) return 'terminate';
  const warnsAt = warnAt !== null && terminateAt !== null ? Math.min(warnAt, terminateAt - 1) : warnAt;
  return declines === warnsAt ? 'warn' : null;
}

/** A card as an authorization is decided on it. */
interface Spending extends UsedCard {
  /** Number of authorizations that were given so far. */
  readonly authorizations: bigint;
  readonly refusal: (ask: Ask) => DeclineReason | null;
  /** Minor units. */
  readonly available: bigint;
  /** The endpoint, with its version, at which the account decides itself. */
  readonly asks: string | null;
}

interface SpendingRow extends Record<keyof Spent, string> {
  currency: Currency;
  status: CardStatus;
  expires_at: Date | null;
  spending_controls: Controls;
  authorizations: string;
  available: string;
  asks: string | null;
}

/** An order with what is known of it beside. */
interface Weighed extends AuthorizationOrder {
  /** Uuid of its card transaction; made when it is absent. */
  readonly id?: string;
  readonly decision?: Decision;
}

const askedOf = ({ id, decision }: Weighed) => ({ ...(id !== undefined && { id }), ...(decision && { decision }) });

type Declined = Weighed & { readonly reason: DeclineReason };

/**
 * Decides whether a merchant gets money promised, and charges what the issuer takes. Each call works once per cause:
 * repeated, it answers with what it did. All of them throw `NotFound`, `IdempotencyKeyReused`, `DuplicateReference`,
 * `LedgerUnavailable`.
 */
@Injectable()
export class AuthorizationsService {
  private readonly log = new Logger('cards');
  private readonly cards = new InTurn();
  private weigh: ((weighing: Weighing) => Promise<Verdict | null>) | null = null;

  constructor(
    private readonly ledger: LedgerService,
    private readonly postings: CardPostings,
    private readonly reads: ReadPipeline,
    private readonly clock: Clock,
    private readonly transactions: CardTransactionsService,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly lifecycle: CardLifecycle,
  ) {}

  /**
   * Called once, by whoever asks accounts what they say of authorizations. Asked outside of any database transaction,
   * and never throws.
   */
  include(weigh: (weighing: Weighing) => Promise<Verdict | null>): void {
    this.weigh = weigh;
  }

  /**
   * Holds the money, or declines, which is an answer too: the transaction's status tells. Throws also
   * `AuthorizationKnown`.
   */
  authorize(card: Key, order: AuthorizationOrder, cause: Cause): Promise<Made<CardTransaction>> {
    return this.inTurn(card, cause, () => this.decide(card, order, cause));
  }

  /** Records a refusal that somebody else gave. Throws also `AuthorizationKnown`. */
  decline(card: Key, order: Declined, cause: Cause): Promise<Made<CardTransaction>> {
    return this.inTurn(card, cause, async () => this.refuse(await this.spending(card), order, cause));
  }

  /**
   * Takes a fee of the issuer from the card: a card transaction and the account's record `card_fee`, under one uuid.
   * Throws also `PostingRefused` (`insufficient_funds`, …).
   */
  async charge(key: Key, amount: bigint, cause: Cause): Promise<Made<CardTransaction>> {
    const card = await this.spending(key);
    const fee = newCardTransaction(card, cause, {
      type: 'fee',
      status: 'settled',
      amount,
      cleared: amount,
      settledAt: card.now,
    });
    const outcome = await this.postings.charge(fee, cause);
    return outcome.status === 'posted' ? { made: fee, replayedBy: null } : this.transactions.replayed(key, outcome);
  }

  private inTurn(card: Key, cause: Cause, work: () => Promise<Made<CardTransaction>>): Promise<Made<CardTransaction>> {
    return this.cards.run(card.id, async () => {
      try {
        return await this.transactions.answer(card, cause, work);
      } catch (error) {
        throw constraintOf(error) === ISSUER_KEY ? new AuthorizationKnown() : error;
      }
    });
  }

  private async decide(card: Key, order: AuthorizationOrder, cause: Cause): Promise<Made<CardTransaction>> {
    let weighed: Weighed = order;
    for (let round = 1; ; round++) {
      const spending = await this.spending(card);
      const reason = spending.refusal(order);
      if (reason !== null) return this.refuse(spending, { ...weighed, reason }, cause);
      // What the books would refuse is nothing to decide about.
      if (spending.asks !== null && weighed.decision === undefined && weighed.amount <= spending.available) {
        // Told before under another id: that was decided, and nobody need say so again.
        if (order.issuerReference !== null && (await this.transactions.findOfIssuer(card, order.issuerReference)))
          throw new AuthorizationKnown();
        const askedAt = performance.now();
        const asked = await this.verdict(spending, spending.asks, order);
        if ('reason' in asked) return this.refuse(spending, asked, cause);
        weighed = asked;
        // Meanwhile the card may have been given other rules. That it was frozen or used, the write itself notices.
        if (performance.now() - askedAt > FRESH_MS) continue;
      }
      try {
        return await this.hold(spending, weighed, cause);
      } catch (error) {
        // The card was authorized, frozen or changed since it was read: what was decided on is gone.
        if (!isRowChanged(error) || round === ROUNDS_MAX) throw error;
        await sleep(Math.random() * 10 * round);
      }
    }
  }

  /** What the card may still be used for. */
  private async spending({ accountId, livemode, id }: Key): Promise<Spending> {
    const now = await this.clock.now({ accountId, livemode });
    const starts = (['daily', 'weekly', 'monthly', 'all_time'] as const).map((interval) => startOf(interval, now));
    const values = [accountId, livemode, id, ...starts, presentUntil(now)];
    const { rows } = await this.reads.query<SpendingRow>(SELECT_SPENDING, values);
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
      available: BigInt(row.available),
      asks: row.asks,
      refusal,
      now,
    };
  }

  /** The order as the account's endpoint has it: with a reason when it is declined. */
  private async verdict(card: Spending, endpoint: string, order: AuthorizationOrder): Promise<Weighed | Declined> {
    const id = newIdOf(card.accountId);
    const verdict = await this.weigh?.({ card, endpoint, id, order });
    if (!verdict) return order;
    const { isApproved, amount, decision } = verdict;
    if (isApproved) return { ...order, id, amount, decision };
    return {
      ...order,
      id,
      decision,
      reason: decision.by === 'endpoint' ? 'endpoint_declined' : 'endpoint_unavailable',
    };
  }

  /** The hold, with all that is written beside it; what the books refuse is a decline. */
  private async hold(card: Spending, order: Weighed, cause: Cause): Promise<Made<CardTransaction>> {
    const { accountId, livemode, id, currency, authorizations, now } = card;
    const expiresAt = new Date(now.getTime() + EXPIRES_AFTER_MS);
    const { amount, merchant, issuerReference, told } = order;
    const made = newCardTransaction(card, cause, {
      ...askedOf(order),
      type: 'authorization',
      status: 'authorized',
      amount,
      merchant,
      ...toldOf(NOTHING_TOLD, told),
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
    if (outcome.status === 'posted') return { made, replayedBy: null };
    if (outcome.status === 'replayed') return this.transactions.replayed(card, outcome);
    const reason = DECLINED_BY_LEDGER[outcome.refusal.reason];
    if (reason === undefined) throw new Error(`the books refuse an authorization: ${outcome.refusal.reason}`);
    return this.refuse(card, { ...order, reason }, cause);
  }

  /** Records a refusal, and does what follows from too many of them. */
  private async refuse(card: UsedCard, order: Declined, cause: Cause): Promise<Made<CardTransaction>> {
    const { amount, merchant, issuerReference, told, reason: declineReason } = order;
    const transaction = newCardTransaction(card, cause, {
      ...askedOf(order),
      type: 'authorization',
      status: 'declined',
      amount,
      merchant,
      ...toldOf(NOTHING_TOLD, told),
      declineReason,
      issuerReference,
    });
    let step: DeclineStep | null = null;
    const replay = await this.idempotency.once(claimOf(transaction, cause), async (tx) => {
      const counted = await this.count(tx, transaction, cause);
      ({ step } = counted);
      await this.unitOfWork.write(tx, [
        cardTransactionWrite(transaction),
        cardTransactionEvent(transaction, 'declined', originOf(cause)),
        ...counted.writes,
      ]);
    });
    if (replay) return this.transactions.replayed(card, replay);
    if (step === 'terminate') await this.terminate(card, originOf(cause));
    return { made: transaction, replayedBy: null };
  }

  /** One more in the row: the count is taken under the card's lock, so each number comes up once. */
  private async count(
    tx: Tx,
    { accountId, livemode, cardId: id, declineReason }: CardTransaction,
    cause: Cause,
  ): Promise<{ step: DeclineStep | null; writes: Write[] }> {
    if (!isCounted(declineReason!)) return { step: null, writes: [] };
    const account = await this.postings.lock(tx, { id });
    const [rows]: [(DeclinePolicy & { declines: number })[]] = await tx.query(COUNT_DECLINE, [accountId, livemode, id]);
    const policy = rows[0];
    const step = policy ? declineStepOf(policy, policy.declines) : null;
    if (step !== 'warn') return { step, writes: [] };
    const card = await tx.findOneByOrFail(Card, { accountId, livemode, id });
    const moment = { account, previous: card.status };
    return { step, writes: [cardEvent(card, 'card.decline_warning', originOf(cause), moment)] };
  }

  /** The decline stands whatever comes of this: a failure is logged, and the next decline tries again. */
  private async terminate({ accountId, livemode, id }: Key, origin: EventOrigin): Promise<void> {
    const key = { accountId, livemode, id };
    try {
      await this.lifecycle.terminate(key, { by: POLICY, origin, claim: null, evenWithHolds: true });
    } catch (error) {
      this.log.error({ message: 'a card could not be terminated by its decline policy', card: id, err: error });
    }
  }
}
