import { Injectable } from '@nestjs/common';
import type { Write } from '../../../core/database/bulk';
import { retryAway, retryChanged, UnitOfWork } from '../../../core/database/unit-of-work';
import { DomainError } from '../../../core/errors/domain-error';
import type { Caller, Key } from '../../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../../core/http/ids';
import type { Claim, Made, Replay, RequestClaim } from '../../../core/idempotency/claim';
import { Idempotency } from '../../../core/idempotency/idempotency';
import type { CardTransaction } from '../card-transaction.entity';
import { CardTransactionsService, disputedChange } from '../card-transactions.service';
import type { Card } from '../card.entity';
import { IssuerClient } from '../issuers/issuer-client';
import type { NewDispute } from './dispute.dto';
import { type Dispute, isResolved } from './dispute.entity';
import { DisputeRun } from './dispute-run';
import { disputeEvent, disputeStep, DisputeStore, disputeWrite, InvalidDisputeTransition } from './dispute-store';

/** With what is in dispute already, or came back, it would be more than was taken. */
class DisputeExceedsTransaction extends DomainError {
  constructor(paid: CardTransaction, wanted: bigint | null) {
    const id = encodeId('ctx', paid.id);
    super({
      code: 'dispute_exceeds_transaction',
      kind: 'unprocessable',
      title: 'Dispute exceeds card transaction',
      param: '/amount',
      resourceId: id,
      detail: `${id} has ${disputableOf(paid)} left to dispute; this asks for ${wanted ?? 'what is left'}.`,
    });
  }
}

/** The card's issuer cannot be asked to take a dispute up. */
class DisputeNotSupported extends DomainError {
  constructor({ id, issuer }: Card) {
    super({
      code: 'dispute_not_supported',
      kind: 'unprocessable',
      title: 'Dispute not supported',
      recovery: 'account_must_act',
      resourceId: encodeId('crd', id),
      detail: `${issuer} takes no disputes from here: tell it to the issuer yourself.`,
    });
  }
}

/** What of a card transaction can still be disputed, in minor units: what a merchant took and did not give back. */
const disputableOf = ({ type, cleared, refunded, disputed }: CardTransaction): bigint =>
  type === 'authorization' || type === 'clearing' ? cleared - refunded - disputed : 0n;

/** Opens disputes and has them withdrawn. `DisputeRun` then asks the issuer. */
@Injectable()
export class DisputesService {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly transactions: CardTransactionsService,
    private readonly issuer: IssuerClient,
    private readonly store: DisputeStore,
    private readonly runs: DisputeRun,
  ) {}

  /**
   * Answers when the issuer has taken it up or decided, or `waitMs` have passed; it goes on after that. Throws
   * `NotFound`, `DisputeExceedsTransaction`, `DisputeNotSupported`, `IdempotencyKeyReused`, `DuplicateReference`.
   */
  async open(
    caller: Caller,
    publicId: string,
    { wanted, request, waitMs }: { wanted: NewDispute; request: RequestClaim; waitMs: number },
  ): Promise<Made<Dispute>> {
    const { accountId, livemode } = caller;
    const resourceId = newIdOf(accountId);
    const claim: Claim = { accountId, livemode, ...request, reference: wanted.reference, resource: 'dsp', resourceId };
    const work = () => this.record(caller, publicId, wanted, claim);
    const replay = await this.idempotency.answer<Replay | null>(claim, work, (seen) => seen);
    const key = { accountId, livemode, id: replay?.resourceId ?? resourceId };
    if (replay === null) await this.runs.carryOut(key, waitMs);
    return { made: await this.present(key), replayedBy: replay?.by ?? null };
  }

  /** What `open` would record now; writes nothing and asks no issuer. */
  async preview(caller: Caller, publicId: string, wanted: NewDispute): Promise<Dispute> {
    const { card, paid, amount } = await this.agree(caller, publicId, wanted);
    return newDispute({ caller, card, paid }, wanted, { id: newIdOf(caller.accountId), key: null, amount });
  }

  /**
   * Asks the issuer to let a dispute go. Answers when it said so, or `waitMs` have passed. Throws `NotFound`,
   * `InvalidDisputeTransition`, `IdempotencyKeyReused`.
   */
  async withdraw(
    caller: Caller,
    publicId: string,
    { request, waitMs }: { request: RequestClaim; waitMs: number },
  ): Promise<Made<Dispute>> {
    const { accountId, livemode } = caller;
    const { id } = await this.store.require(caller, publicId);
    const key = { accountId, livemode, id };
    const claim: Claim = { ...key, ...request, reference: null, resource: 'dsp', resourceId: id };
    const replay = await this.idempotency.answer<Replay | null>(
      claim,
      () => this.giveUp(key, claim),
      (seen) => seen,
    );
    // While it is not known whether the issuer has it, somebody else may be asking: it is looked at when that is over.
    const { status, attempts } = await this.present(key);
    if (replay === null && (status === 'under_review' || attempts === 0)) await this.runs.carryOut(key, waitMs);
    return { made: await this.present(key), replayedBy: replay?.by ?? null };
  }

  /** The dispute, with what of the card transaction it takes: of two at once the second finds less left. */
  private record(caller: Caller, publicId: string, wanted: NewDispute, claim: Claim): Promise<Replay | null> {
    return retryChanged(async () => {
      const { card, paid, amount } = await this.agree(caller, publicId, wanted);
      const dispute = newDispute({ caller, card, paid }, wanted, { id: claim.resourceId, key: claim.key, amount });
      return this.write(claim, [
        disputeWrite(dispute),
        disputedChange(paid, amount),
        disputeEvent(dispute, 'open', null),
      ]);
    });
  }

  private giveUp(key: Key, claim: Claim): Promise<Replay | null> {
    return retryChanged(async () => {
      const before = await this.store.load(key);
      const { status, withdrawal } = before;
      if (isResolved(status)) throw new InvalidDisputeTransition(before, 'withdrawn');
      const writes = withdrawal === 'requested' ? [] : [disputeStep(before, { withdrawal: 'requested' }).write];
      return this.write(claim, writes);
    });
  }

  private write(claim: Claim, writes: readonly Write[]): Promise<Replay | null> {
    return this.idempotency.once(claim, (tx) => this.unitOfWork.write(tx, writes));
  }

  private async agree(
    { accountId, livemode }: Caller,
    publicId: string,
    { amount: wanted }: NewDispute,
  ): Promise<{ card: Card; paid: CardTransaction; amount: bigint }> {
    const paid = await this.transactions.require({ accountId, livemode }, decodeId('ctx', publicId));
    const left = disputableOf(paid);
    const amount = wanted ?? left;
    if (amount <= 0n || amount > left) throw new DisputeExceedsTransaction(paid, wanted);
    const card = await this.transactions.requireCard({ accountId, livemode }, paid.cardId);
    if (!this.issuer.canDispute(card)) throw new DisputeNotSupported(card);
    return { card, paid, amount };
  }

  /** As it is now. */
  private present(key: Key): Promise<Dispute> {
    return retryAway(() => this.store.load(key));
  }
}

const newDispute = (
  { caller, card, paid }: { caller: Caller; card: Card; paid: CardTransaction },
  { reason, evidence, reference, metadata }: NewDispute,
  { id, key, amount }: { id: string; key: string | null; amount: bigint },
): Dispute => {
  const at = new Date();
  return {
    accountId: caller.accountId,
    livemode: caller.livemode,
    id,
    cardId: card.id,
    cardTransactionId: paid.id,
    status: 'open',
    amount,
    currency: paid.currency,
    reason,
    evidence,
    issuer: card.issuer,
    issuerReference: null,
    provisionalCredit: null,
    wonAmount: null,
    withdrawal: null,
    failure: null,
    reference,
    metadata: { ...metadata },
    attempts: 0,
    checks: 0,
    nextCheckAt: at,
    review: null,
    reviews: 0,
    version: 1,
    requestId: caller.requestId,
    idempotencyKey: key,
    updatedAt: at,
    resolvedAt: null,
  };
};
