import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import type { Write } from '../../core/database/bulk';
import { RowLookUp } from '../../core/database/pipeline';
import { rows } from '../../core/database/rows';
import { retryAway } from '../../core/database/unit-of-work';
import { DomainError, found } from '../../core/errors/domain-error';
import { Extensions, FREE, type Pass } from '../../core/extension/extensions';
import type { PaymentDraft } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newId } from '../../core/http/ids';
import type { Claim, Likeness, Made, Replay, RequestClaim } from '../../core/idempotency/claim';
import { likenessValue } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Currency } from '../../core/money/money';
import { eventWrite, NO_ORIGIN } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { AccountsService } from '../accounts/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Line, Posted, Posting, Replayed } from '../ledger/posting';
import { finalTransaction, settledEvent, transactionWrite } from '../transactions/transactions.service';
import { Transfer } from './transfer.entity';
import { creditedEvent, lowBalanceEvents } from './wallets.service';

class SameWallet extends DomainError {
  constructor() {
    super({
      code: 'same_wallet',
      kind: 'unprocessable',
      title: 'Same wallet',
      detail: 'from_wallet and to_wallet are the same wallet.',
      param: '/to_wallet',
    });
  }
}

export interface NewTransfer {
  /** Public wallet ids as the caller gave them. */
  readonly fromWallet: string;
  readonly toWallet: string;
  /** Minor units. */
  readonly amount: bigint;
  /** Expected currency of both wallets. */
  readonly currency?: Currency;
  readonly reference: string | null;
  readonly narration: string | null;
  readonly metadata: Record<string, string>;
  /** A repetition of what was asked for moments ago is meant. */
  readonly allowDuplicate?: boolean;
}

/** A transfer that would take place, with the lines it would write. */
export interface TransferPreview {
  readonly transfer: Transfer;
  readonly posted: Posted;
}

@Injectable()
export class TransfersService {
  private readonly lookUp: RowLookUp<Transfer>;

  constructor(
    private readonly ledger: LedgerService,
    private readonly extensions: Extensions,
    private readonly idempotency: Idempotency,
    private readonly accounts: AccountsService,
    @InjectRepository(Transfer) private readonly transfers: Repository<Transfer>,
  ) {
    this.lookUp = new RowLookUp(transfers);
  }

  /**
   * Moves money between two wallets, final at once. Throws `NotFound`, `SameWallet`, `PostingRefused`
   * (`insufficient_funds`, `wallet_frozen`, …), `IdempotencyKeyReused`, `DuplicateReference`, `IdempotencyKeyRequired`,
   * `LikelyDuplicate`, `BlockedByHook`, `GateUnavailable`, `LedgerUnavailable`.
   */
  async transfer(caller: Caller, order: NewTransfer, request: RequestClaim): Promise<Made<Transfer>> {
    const draft = this.draft(caller, order, request, await this.likenessOf(caller, order, request));
    const outcome = await (this.hasGates ? this.postThroughGates(draft, caller) : this.post(draft, caller));
    if (outcome.status === 'replayed')
      return { made: await retryAway(() => this.require(caller, outcome.resourceId)), replayedBy: outcome.by };
    this.extensions.wake();
    return { made: draft.made!, replayedBy: null };
  }

  /** What `transfer` would do now; writes nothing. */
  async preview(caller: Caller, order: NewTransfer, request: RequestClaim): Promise<TransferPreview> {
    const draft = this.draft(caller, order, request, null);
    const posted = await this.ledger.preview(draft.posting(), draft.describe);
    await this.extensions.gate({ ...aboutOf(draft, caller), dryRun: true, draft: draftOf(draft.made!) });
    return { transfer: draft.made!, posted };
  }

  /** The caller's transfer. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<Transfer> {
    return found(id === null ? null : await this.lookUp.find({ accountId, livemode, id }), 'transfer');
  }

  /** Newest first, below `before`. */
  list({ accountId, livemode }: Viewer, before: string | null, take: number): Promise<Transfer[]> {
    return this.transfers.find({
      where: { accountId, livemode, ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take,
    });
  }

  private draft(caller: Caller, order: NewTransfer, request: RequestClaim, likeness: Likeness | null): TransferDraft {
    return new TransferDraft(caller, order, request, { extensions: this.extensions, likeness });
  }

  private likenessOf(
    caller: Caller,
    { reference, allowDuplicate, fromWallet, toWallet, amount }: NewTransfer,
    { key }: RequestClaim,
  ): Promise<Likeness | null> {
    return this.accounts.likenessOf(caller, { key, reference, allowDuplicate }, () =>
      likenessValue('transfer', fromWallet, toWallet, amount),
    );
  }

  /**
   * Somebody wants to be asked before a transfer: only then is there more to find out than the ledger does by itself.
   */
  private get hasGates(): boolean {
    return !this.extensions.isEmpty('svc_before_payment', 'transfer');
  }

  /**
   * A request that was carried out before is not asked about again. A new one is looked at as the ledger would see it
   * now. Throws `BlockedByHook`, `GateUnavailable`.
   */
  private async postThroughGates(draft: TransferDraft, caller: Caller): Promise<Posted | Replayed> {
    const work = async (): Promise<Pass> => {
      await retryAway(() => this.ledger.preview(draft.posting(), draft.describe));
      return this.extensions.gate({ ...aboutOf(draft, caller), dryRun: false, draft: draftOf(draft.made!) });
    };
    const earlier = await this.idempotency.answer<Pass | Replay>(draft.claim, work, (replay) => replay);
    if ('resourceId' in earlier) return { status: 'replayed', ...earlier };
    draft.pass = earlier;
    return earlier.make(
      () => this.post(draft, caller),
      ({ status }) => status === 'posted',
    );
  }

  private async post(draft: TransferDraft, caller: Caller): Promise<Posted | Replayed> {
    try {
      return await this.ledger.require(draft.posting(), draft.describe);
    } catch (error) {
      this.extensions.onFault(error, {
        ...aboutOf(draft, caller),
        dryRun: false,
        draft: draft.made ? draftOf(draft.made) : null,
      });
      throw error;
    }
  }
}

export const aboutOf = ({ id }: TransferDraft, { accountId, livemode, requestId }: Caller) =>
  ({ operation: 'transfer', accountId, livemode, objectType: 'trf', objectId: id, requestId }) as const;

export const draftOf = (transfer: Transfer): PaymentDraft => ({
  amount: transfer.amount,
  currency: transfer.currency,
  walletId: transfer.fromWalletId,
  recipient: transfer.toWalletId,
  network: null,
  reference: transfer.reference,
  metadata: transfer.metadata,
  details: { to_account_id: transfer.toAccountId, narration: transfer.narration },
});

/** Whom a draft asks for the rows that are not its own. */
interface RowSources {
  readonly extensions: Extensions;
  readonly likeness: Likeness | null;
}

/**
 * One transfer on its way into the ledger: its posting, and the rows that go with it. Throws `NotFound`, `SameWallet`.
 */
export class TransferDraft {
  readonly id = newId();
  private readonly debitId = newId();
  private readonly creditId = newId();
  private readonly from: string;
  private readonly to: string;
  /** Found out here: a batch runs in the name of whoever began it. */
  private readonly causes: readonly string[];
  /** That of the gates, once they were asked. */
  pass = FREE;
  made?: Transfer;

  constructor(
    private readonly caller: Caller,
    private readonly order: NewTransfer,
    private readonly request: RequestClaim,
    private readonly sources: RowSources,
  ) {
    this.causes = sources.extensions.causes();
    this.from = found(decodeId('wal', order.fromWallet), 'wallet', '/from_wallet');
    this.to = found(decodeId('wal', order.toWallet), 'wallet', '/to_wallet');
    if (this.from === this.to) throw new SameWallet();
  }

  readonly describe = (id: string) => ({
    id: encodeId('wal', id),
    param: id === this.from ? '/from_wallet' : '/to_wallet',
  });

  get claim(): Claim {
    const {
      caller: { accountId, livemode },
      sources: { likeness },
    } = this;
    return {
      accountId,
      livemode,
      ...this.request,
      reference: this.order.reference,
      resource: 'trf',
      resourceId: this.id,
      likeness,
    };
  }

  posting(): Posting {
    const { accountId, livemode } = this.caller;
    const { amount, currency } = this.order;
    const line = (ledgerAccountId: string, sum: bigint, transactionId: string): Line => ({
      ledgerAccountId,
      bucket: 'available',
      amount: sum,
      transactionId,
    });
    return {
      id: this.id,
      accountId,
      livemode,
      currency,
      among: 'wallet',
      lines: [line(this.from, -amount, this.debitId), line(this.to, amount, this.creditId)],
      claim: this.claim,
      writes: (posted) => this.writes(posted),
    };
  }

  /** The rows that go with its two lines. */
  writes(posted: Posted): Write[] {
    const [debit, credit] = [posted.account(this.from), posted.account(this.to)];
    const {
      caller: { accountId, livemode, requestId },
      order: { amount, reference, narration, metadata },
    } = this;
    const transfer: Transfer = (this.made = {
      accountId,
      livemode,
      id: this.id,
      fromWalletId: this.from,
      toWalletId: this.to,
      toAccountId: credit.accountId,
      debitTransactionId: this.debitId,
      creditTransactionId: this.creditId,
      amount,
      fee: 0n,
      currency: debit.currency,
      reference,
      narration,
      metadata,
    });
    const same = { livemode, amount, currency: debit.currency, at: posted.at } as const;
    const isOwn = credit.accountId === accountId;
    const origin = { requestId, idempotencyKey: this.request.key };
    const paid = finalTransaction({
      ...same,
      accountId,
      id: this.debitId,
      walletId: this.from,
      type: 'transfer_out',
      direction: 'debit',
      sourceId: this.id,
      counterpartyId: this.to,
      reference,
      metadata,
      details: narration === null ? null : { narration },
      balanceBefore: debit.available + amount,
      balanceAfter: debit.available,
    });
    const received = finalTransaction({
      ...same,
      accountId: credit.accountId,
      id: this.creditId,
      walletId: this.to,
      type: 'transfer_in',
      direction: 'credit',
      sourceId: isOwn ? this.id : null,
      counterpartyId: this.from,
      details: narration === null && reference === null ? null : { narration, sender_reference: reference },
      balanceBefore: credit.available - amount,
      balanceAfter: credit.available,
    });
    const event = eventWrite({
      accountId,
      livemode,
      type: 'transfer.successful',
      objectType: 'trf',
      objectId: this.id,
      origin,
    });
    // The account that receives did not call.
    const itsOrigin = isOwn ? origin : NO_ORIGIN;
    return [
      transferWrite(transfer),
      transactionWrite(paid),
      transactionWrite(received),
      event,
      settledEvent(paid, origin),
      settledEvent(received, itsOrigin),
      ...this.told(event),
      ...this.pass.writes,
      creditedEvent(credit, { transactionId: this.creditId, amount, sender: this.from, reference }, itsOrigin),
      ...lowBalanceEvents(posted, origin),
    ];
  }

  private told(event: Write): Write[] {
    const { accountId, livemode } = this.caller;
    const payment = { operation: 'transfer', accountId, livemode, objectType: 'trf', objectId: this.id } as const;
    return this.sources.extensions.afterPayment(event, payment, this.causes);
  }
}

const transferWrite = rows(Transfer).insert();
