import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../core/clock/clock';
import type { Write } from '../../../core/database/bulk';
import { ChangedElsewhere, isRowChanged, retryChanged, UnitOfWork } from '../../../core/database/unit-of-work';
import { encodeId, newIdOf } from '../../../core/http/ids';
import { LedgerAccountsService } from '../../ledger/accounts.service';
import { LedgerService } from '../../ledger/ledger.service';
import type { Line, Posted } from '../../ledger/posting';
import type { CardTransaction } from '../card-transaction.entity';
import {
  cardTransactionEvent,
  CardTransactionsService,
  cardTransactionWrite,
  disputedChange,
  newCardTransaction,
} from '../card-transactions.service';
import type { Card } from '../card.entity';
import { debtPaid } from '../cards.service';
import { ClearingsService, isPutAway, NO_CAUSE } from '../clearings.service';
import { CardOverdraft } from '../money/card-overdraft';
import { debtPaidBy, debtsOf } from '../money/card-postings';
import { creditedOf, type Dispute, disputedOf, type DisputeStatus } from './dispute.entity';
import { disputeEvent, disputeStep, DisputeStore, originOf } from './dispute-store';

/** A step of a dispute. What it moves on the card follows from what the card has been credited before and after it. */
interface DisputeChange {
  readonly patch: Partial<Dispute>;
  /** What announces it; nothing when absent. */
  readonly what?: DisputeStatus | 'needs_review';
  readonly rows?: readonly Write[];
}

/** Stores what becomes of disputes, with what it brings their cards or takes from them, in one posting. */
@Injectable()
export class DisputeSettlement {
  private readonly log = new Logger('disputes');

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly store: DisputeStore,
    private readonly transactions: CardTransactionsService,
    private readonly clearings: ClearingsService,
    private readonly clock: Clock,
  ) {}

  /** Once, whoever hears of it. Throws `ChangedElsewhere`. */
  step(before: Readonly<Dispute>, change: DisputeChange): Promise<Dispute> {
    const wasChanged = async (error: unknown): Promise<boolean> => {
      if (isPutAway(error)) await this.clearings.reopen(before);
      else if (!isRowChanged(error)) return false;
      // The card moved meanwhile, or somebody else settled this one.
      const stored = await this.store.load(before);
      if (stored.version !== before.version) throw new ChangedElsewhere();
      return true;
    };
    return retryChanged(() => this.stepOnce(before, change), wasChanged);
  }

  /** The end: nobody waits for the issuer any more. Throws `ChangedElsewhere`. */
  async end(
    before: Readonly<Dispute>,
    status: 'won' | 'lost' | 'withdrawn',
    { patch, rows }: { patch: Partial<Dispute>; rows: readonly Write[] },
  ): Promise<Dispute> {
    const resolvedAt = new Date();
    const ended = { status, resolvedAt, updatedAt: resolvedAt, nextCheckAt: null, review: null, checks: 0 };
    const after = await this.step(before, { patch: { ...patch, ...ended }, what: status, rows });
    this.log.log({ message: 'a dispute was resolved', dispute: before.id, status });
    return after;
  }

  /** Raises the alarm: a person decides. Throws `ChangedElsewhere`. */
  flag(before: Readonly<Dispute>, reason: string, { patch = {}, rows = [] }: Partial<DisputeChange>): Promise<Dispute> {
    this.log.error({ message: 'a dispute needs a person', dispute: before.id, reason });
    const flagged = { review: reason, reviews: before.reviews + 1, nextCheckAt: null };
    return this.step(before, { patch: { ...flagged, ...patch }, what: 'needs_review', rows });
  }

  private async stepOnce(before: Readonly<Dispute>, { patch, what, rows = [] }: DisputeChange): Promise<Dispute> {
    const { after, write } = disputeStep(before, patch);
    const { accountId, livemode, cardTransactionId: id } = after;
    const givenUp = disputedOf(before) - disputedOf(after);
    const writes = [
      write,
      ...(what ? [disputeEvent(after, what, before.status)] : []),
      ...(givenUp > 0n ? [disputedChange({ accountId, livemode, id }, -givenUp)] : []),
      ...rows,
    ];
    const change = creditedOf(after) - creditedOf(before);
    if (change === 0n) await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes));
    else await this.move(after, change, writes);
    return after;
  }

  /** Between the issuer and the card: a card transaction of its own. Below zero: the card gives it back. */
  private async move(dispute: Readonly<Dispute>, change: bigint, writes: readonly Write[]): Promise<void> {
    const { accountId, livemode, currency, cardTransactionId: originalId, id: disputeId } = dispute;
    const card = await this.transactions.requireCard(dispute, dispute.cardId);
    const { merchant } = await this.transactions.require(dispute, originalId);
    const now = await this.clock.now(card);
    const isCredit = change > 0n;
    const amount = isCredit ? change : -change;
    const paid = isCredit ? debtPaidBy(amount, card) : 0n;
    const debts = await this.accounts.platform(debtsOf(accountId), currency, dispute);
    const issuer = await this.accounts.platform(`card_issuer:${card.issuer}`, currency, dispute);
    const moved = newCardTransaction({ ...card, now }, NO_CAUSE, {
      id: newIdOf(accountId),
      type: isCredit ? 'dispute_credit' : 'dispute_reversal',
      status: 'settled',
      amount,
      cleared: amount,
      debtPaid: paid,
      merchant,
      originalId,
      disputeId,
      settledAt: now,
    });
    const overdraft = isCredit ? null : new CardOverdraft(card, amount, debts);
    const lines: readonly [string, bigint][] = [
      [issuer, -change],
      [card.id, change - paid],
      [debts, paid],
    ];
    await this.ledger.require(
      {
        id: moved.id,
        accountId,
        livemode,
        currency,
        claim: null,
        lines: lines.filter(([, sum]) => sum !== 0n).map(lineOf),
        ...(overdraft && { cover: overdraft.cover }),
        writes: (posted) => [...writes, ...movedWrites(moved, { card, dispute, posted, overdraft })],
      },
      (id) => ({ id: encodeId('crd', id), param: null }),
    );
  }
}

/** The issuer does not ask, and says what is so. */
const lineOf = ([ledgerAccountId, amount]: readonly [string, bigint]): Line => ({
  ledgerAccountId,
  bucket: 'available',
  amount,
  transactionId: null,
  passesFreezes: true,
});

interface Moment {
  readonly card: Card;
  readonly dispute: Readonly<Dispute>;
  readonly posted: Posted;
  readonly overdraft: CardOverdraft | null;
}

function movedWrites(moved: CardTransaction, { card, dispute, posted, overdraft }: Moment): Write[] {
  const origin = originOf(dispute);
  const made = { ...moved, ...overdraft?.sharesOf(posted) };
  return [
    cardTransactionWrite(made),
    cardTransactionEvent(made, 'settled', origin),
    ...(overdraft === null
      ? [debtPaid(card, moved.debtPaid)]
      : overdraft.writes(posted, { ...origin, cardTransactionId: encodeId('ctx', moved.id) })),
  ];
}
