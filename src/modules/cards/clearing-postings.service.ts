import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { encodeId } from '../../core/http/ids';
import type { Claim } from '../../core/idempotency/claim';
import { toJsonNumber } from '../../core/money/money';
import { LedgerAccountsService } from '../ledger/accounts.service';
import type { HoldStep, Line, Posting } from '../ledger/ledger.types';
import { type Cause, originOf } from './authorizations.types';
import type { CardTransaction } from './card-transaction.entity';
import { type CardTransactionChange, cardTransactionEvent } from './card-transactions.events';
import { cardTransactionChange, cardTransactionWrite, LOOK_AT_CARD, stepWrite } from './card-transactions.queries';
import type { StepKind } from './card-transactions.states';

/** A step on its way into the ledger. */
export interface Settling {
  readonly before: Readonly<CardTransaction>;
  readonly after: Readonly<CardTransaction>;
  readonly kind: StepKind;
  /** Minor units that move. */
  readonly amount: bigint;
  /** Uuid of the card transaction that a refund makes. */
  readonly refundId: string;
}

/** Time for the refund to arrive first. */
const SOON_MS = 10_000;

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

/** Words the steps of card transactions as postings. */
@Injectable()
export class ClearingPostings {
  constructor(
    private readonly accounts: LedgerAccountsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async of(settling: Settling, claim: Claim, cause: Cause): Promise<Posting> {
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

  /** Opens the ledger account of a card that ended, for a refund. The card is looked at soon: it gives the money to its wallet, and is put away again. */
  async reopen({ accountId, livemode, cardId }: CardTransaction): Promise<void> {
    const soon = new Date((await this.clock.now({ accountId, livemode })).getTime() + SOON_MS);
    await this.unitOfWork.run(async (tx) => {
      const account = await this.accounts.lock(tx, cardId);
      if (account?.status === 'closed') await this.accounts.setStatus(tx, account, 'active');
      await tx.query(LOOK_AT_CARD, [accountId, livemode, cardId, soon]);
    });
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
}

function writesOf({ before, after, kind, amount, refundId }: Settling, cause: Cause): Write[] {
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
    madeAt: after.updatedAt,
    expiresAt: null,
    settledAt: after.updatedAt,
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
