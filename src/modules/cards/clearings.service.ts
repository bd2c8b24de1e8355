import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Key } from '../../core/http/caller';
import { Clock, Rewinds, Wakers } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { isRowChanged, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError } from '../../core/errors/domain-error';
import { encodeId, newId } from '../../core/http/ids';
import type { Claim, Made } from '../../core/idempotency/claim';
import { toJsonNumber } from '../../core/money/money';
import { forEach } from '../../core/process/work-under-way';
import { Recurring } from '../../core/queue/recurring-jobs';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { HoldStep, Line, Posting } from '../ledger/posting';
import { type CardTransaction, heldOf, type StepKind, stepOf } from './card-transaction.entity';
import {
  type CardTransactionChange,
  cardTransactionChange,
  cardTransactionEvent,
  CardTransactionsService,
  cardTransactionWrite,
  type Cause,
  claimOf,
  originOf,
  stepWrite,
} from './card-transactions.service';

/** In the words of a refusal. */
const DONE: Readonly<Record<StepKind, string>> = {
  clearing: 'cleared',
  void: 'voided',
  expiry: 'expired',
  refund: 'refunded',
};

/** Nothing of the card transaction is left for that. */
class InvalidCardTransactionTransition extends DomainError {
  constructor({ id, status, type }: CardTransaction, kind: StepKind) {
    const was = type === 'authorization' ? status : `${status} (${type})`;
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      detail: `${encodeId('ctx', id)} is ${was} with nothing left to be ${DONE[kind]}.`,
      recovery: 'none',
      resourceId: encodeId('ctx', id),
    });
  }
}

/** Less is left for that than is asked for. */
class CardAmountExceeded extends DomainError {
  constructor({ id }: CardTransaction, kind: StepKind, { left, amount }: { left: bigint; amount: bigint }) {
    super({
      code: 'card_amount_exceeded',
      kind: 'conflict',
      title: 'More than is left',
      detail: `Of ${encodeId('ctx', id)} ${left} is left to be ${DONE[kind]}; this asks for ${amount}.`,
      param: '/amount',
      resourceId: encodeId('ctx', id),
    });
  }
}

/** Others may take a step at the same time: each of them leaves less to do. */
const ROUNDS_MAX = 25;

/** Time for the refund to arrive first. */
const SOON_MS = 10_000;

const EXPIRE_EVERY_MS = 10_000;
const EXPIRE_CHUNK = 500;
const EXPIRE_PARALLEL = 16;

/** Time is the cause; that an authorization lapses once is seen to by its state. */
const NO_CAUSE: Cause = { key: null, fingerprint: Buffer.alloc(32), message: null, requestId: null };

const HOLD_STEP: Readonly<Record<StepKind, HoldStep['kind'] | null>> = {
  clearing: 'capture',
  void: 'release',
  expiry: 'release',
  refund: null,
};
const EVENT: Readonly<Record<StepKind, CardTransactionChange>> = {
  clearing: 'settled',
  void: 'voided',
  expiry: 'expired',
  refund: 'refunded',
};

/** Authorizations that lapsed by the clock of their account; `$1`: of this account only, `$2`: at most so many. */
const SELECT_LAPSED = `
  SELECT t.account_id AS "accountId", t.livemode, t.id
    FROM card_transactions t LEFT JOIN test_clocks c ON c.account_id = t.account_id AND NOT t.livemode
   WHERE t.next_check_at <= now() + coalesce(c.offset_ms, 0) * interval '1 millisecond'
     AND ($1::uuid IS NULL OR t.account_id = $1)
   ORDER BY t.next_check_at LIMIT $2`;

/** Has a card that ended looked at: account, mode, card, time of the account's clock. */
const LOOK_AT_CARD = `
  UPDATE cards SET next_check_at = $4
   WHERE account_id = $1 AND livemode = $2 AND id = $3 AND status IN ('terminated', 'failed')`;

export interface Step {
  readonly kind: StepKind;
  /** Minor units; null: all that is left for it. */
  readonly amount: bigint | null;
}

/** A step on its way into the ledger. */
interface Settling {
  readonly before: Readonly<CardTransaction>;
  readonly after: Readonly<CardTransaction>;
  readonly kind: StepKind;
  /** Minor units that move. */
  readonly amount: bigint;
  /** Uuid of the card transaction that a refund makes. */
  readonly refundId: string;
  /** The account's present. */
  readonly now: Date;
}

/** Takes, releases and returns the money of authorizations, and gives it back when nobody cleared them in time. */
@Injectable()
export class ClearingsService implements OnModuleInit {
  private readonly log = new Logger('cards');

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly transactions: CardTransactionsService,
    private readonly clock: Clock,
    private readonly rewinds: Rewinds,
    private readonly wakers: Wakers,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({
      table: 'card_transactions',
      columns: ['next_check_at', 'expires_at'],
      where: 'next_check_at IS NOT NULL',
    });
    this.wakers.include((accountId) => this.expire(accountId));
  }

  /**
   * One step of `amount`; null: of all that is left for it. Throws `NotFound`, `InvalidCardTransactionTransition`,
   * `CardAmountExceeded`, `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  step(key: Key, step: Step, cause: Cause): Promise<Made<CardTransaction>> {
    return this.transactions.answer(key, cause, () => this.take(key, step, cause));
  }

  @Recurring({ name: 'card_authorizations.expire', everyMs: EXPIRE_EVERY_MS })
  sweep(): Promise<void> {
    return this.expire(null);
  }

  private async take(key: Key, step: Step, cause: Cause): Promise<Made<CardTransaction>> {
    for (let round = 1; ; round++) {
      const settling = await this.next(key, step);
      const posting = await this.postingOf(settling, claimOf(key, cause), cause);
      try {
        const outcome = await this.ledger.require(posting, (id) => ({ id: encodeId('crd', id), param: null }));
        return outcome.status === 'posted'
          ? { made: settling.after, replayedBy: null }
          : await this.transactions.replayed(key, outcome);
      } catch (error) {
        if (round === ROUNDS_MAX || !(isOvertaken(error) || isPutAway(error))) throw error;
        if (isPutAway(error)) await this.reopen(settling.before);
      }
    }
  }

  /** The step on the sums as they are now. */
  private async next(key: Key, { kind, amount }: Step): Promise<Settling> {
    const before = await this.transactions.require(key, key.id);
    const step = before.type === 'authorization' ? stepOf(before, kind, amount) : ({ refused: 'wrong_state' } as const);
    if ('left' in step) throw new CardAmountExceeded(before, kind, { left: step.left, amount: amount! });
    if ('refused' in step) throw new InvalidCardTransactionTransition(before, kind);
    const now = await this.clock.now(before);
    const sums: CardTransaction = {
      ...before,
      ...step.after,
      updatedAt: new Date(),
      ...(kind === 'clearing' && { settledAt: now }),
    };
    const after = { ...sums, nextCheckAt: heldOf(sums) > 0n ? before.nextCheckAt : null };
    return { before, after, kind, amount: step.amount, refundId: newId(), now };
  }

  private async postingOf(settling: Settling, claim: Claim, cause: Cause): Promise<Posting> {
    const {
      before: { accountId, livemode, id, cardId, currency },
      kind,
      amount,
      refundId,
    } = settling;
    const hold = HOLD_STEP[kind];
    return {
      id: kind === 'refund' ? refundId : id,
      accountId,
      livemode,
      currency,
      claim,
      lines: await this.lines(settling),
      holds: hold === null ? [] : [{ kind: hold, holdId: id, ledgerAccountId: cardId, amount, transactionId: null }],
      writes: () => writesOf(settling, cause),
    };
  }

  /** What a clearing brings the issuer, and a refund takes from it. */
  private async lines({ before: { cardId, currency, livemode }, kind, amount }: Settling): Promise<Line[]> {
    if (kind === 'void' || kind === 'expiry') return [];
    const issuer = {
      ledgerAccountId: await this.accounts.platform('card_issuer', currency, livemode),
      bucket: 'available',
      transactionId: null,
    } as const;
    if (kind === 'clearing') return [{ ...issuer, amount }];
    return [
      { ...issuer, amount: -amount },
      { ledgerAccountId: cardId, bucket: 'available', amount, transactionId: null },
    ];
  }

  /**
   * Opens the ledger account of a card that ended, for a refund. The card is looked at soon: it gives the money to its
   * wallet, and is put away again.
   */
  private async reopen({ accountId, livemode, cardId }: CardTransaction): Promise<void> {
    const soon = new Date((await this.clock.now({ accountId, livemode })).getTime() + SOON_MS);
    await this.unitOfWork.run(async (tx) => {
      const account = await this.accounts.lock(tx, cardId);
      if (account?.status === 'closed') await this.accounts.setStatus(tx, account, 'active');
      await tx.query(LOOK_AT_CARD, [accountId, livemode, cardId, soon]);
    });
  }

  /** All that lapsed, of one account or of all. */
  private async expire(accountId: string | null): Promise<void> {
    const lapsed: Key[] = await this.dataSource.query(SELECT_LAPSED, [accountId, EXPIRE_CHUNK]);
    let ended = 0;
    await forEach(lapsed, EXPIRE_PARALLEL, async (key) => {
      if (await this.expireOne(key)) ended++;
    });
    if (lapsed.length === EXPIRE_CHUNK && ended > 0) await this.expire(accountId);
  }

  /** False: it failed, which is logged; the next sweep tries again. */
  private async expireOne(key: Key): Promise<boolean> {
    try {
      await this.step(key, { kind: 'expiry', amount: null }, NO_CAUSE);
    } catch (error) {
      // Otherwise the merchant was faster.
      if (!(error instanceof InvalidCardTransactionTransition)) {
        this.log.error({ message: 'an authorization could not be expired', card_transaction: key.id, err: error });
        return false;
      }
    }
    return true;
  }
}

/** The card ended and its empty ledger account was closed: a refund still arrives there, on its way to the wallet. */
const isPutAway = (error: unknown): boolean => error instanceof DomainError && error.details.code === 'wallet_closed';

/** Somebody else made a step since the sums were read: its hold or its row is not what it was. */
const isOvertaken = (error: unknown): boolean =>
  isRowChanged(error) || (error instanceof DomainError && error.details.code === 'invalid_state_transition');

function writesOf({ before, after, kind, amount, refundId, now }: Settling, cause: Cause): Write[] {
  const { message } = cause;
  const moved = {
    moved_amount: toJsonNumber(amount),
    ...(kind === 'refund' && { refund_id: encodeId('ctx', refundId) }),
  };
  const refund: CardTransaction = {
    ...after,
    id: refundId,
    type: 'refund',
    status: 'settled',
    amount,
    cleared: amount,
    released: 0n,
    refunded: 0n,
    originalId: before.id,
    issuerReference: null,
    madeAt: now,
    expiresAt: null,
    settledAt: now,
    nextCheckAt: null,
    requestId: cause.requestId,
    idempotencyKey: cause.key,
    version: 1,
  };
  return [
    cardTransactionChange(after, before),
    stepWrite(after, kind, { amount, message }),
    cardTransactionEvent(after, EVENT[kind], originOf(cause), moved),
    ...(kind === 'refund' ? [cardTransactionWrite(refund)] : []),
  ];
}
