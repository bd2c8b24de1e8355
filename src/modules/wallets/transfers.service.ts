import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { RowLookUp } from '../../core/database/row-look-up';
import { retryAway } from '../../core/database/sqlstate';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import type { Likeness, Replay, RequestClaim } from '../../core/idempotency/claim';
import { likenessValue } from '../../core/idempotency/claims';
import type { Viewer } from '../../core/resources/resources';
import { KeylessRequests } from '../accounts/keyless.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Posted, Replayed } from '../ledger/ledger.types';
import { TransactionsService } from '../transactions/transactions.service';
import { Transfer } from './transfer.entity';
import { type NewTransfer, TransferDraft } from './transfer-draft.batch';
import { TransferHooks } from './transfers.hooks';

export interface TransferResult {
  readonly transfer: Transfer;
  readonly replayedBy: Replay['by'] | null;
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
    private readonly transactions: TransactionsService,
    private readonly hooks: TransferHooks,
    private readonly keyless: KeylessRequests,
    @InjectRepository(Transfer) private readonly transfers: Repository<Transfer>,
  ) {
    this.lookUp = new RowLookUp(transfers);
  }

  /**
   * Moves money between two wallets, final at once. Throws `NotFound`, `SameWallet`, `PostingRefused` (`insufficient_funds`,
   * `wallet_frozen`, …), `IdempotencyKeyReused`, `DuplicateReference`, `IdempotencyKeyRequired`, `LikelyDuplicate`, `BlockedByHook`, `GateUnavailable`, `LedgerUnavailable`.
   */
  async transfer(caller: Caller, order: NewTransfer, request: RequestClaim): Promise<TransferResult> {
    const draft = this.draft(caller, order, request, await this.likenessOf(caller, order, request));
    const earlier = this.hooks.hasGates ? await this.askGates(draft, caller) : null;
    const outcome = earlier ?? (await this.post(draft, caller));
    if (outcome.status === 'replayed')
      return { transfer: await retryAway(() => this.require(caller, outcome.resourceId)), replayedBy: outcome.by };
    this.hooks.wake();
    return { transfer: draft.made!, replayedBy: null };
  }

  /** What `transfer` would do now; writes nothing. */
  async preview(caller: Caller, order: NewTransfer, request: RequestClaim): Promise<TransferPreview> {
    const draft = this.draft(caller, order, request, null);
    const posted = await this.ledger.preview(draft.posting(), draft.describe);
    await this.hooks.ask(draft.made!, caller, true);
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
    return new TransferDraft(caller, order, request, { transactions: this.transactions, hooks: this.hooks, likeness });
  }

  private likenessOf(
    caller: Caller,
    { reference, allowDuplicate, fromWallet, toWallet, amount }: NewTransfer,
    { key }: RequestClaim,
  ): Promise<Likeness | null> {
    return this.keyless.likeness(caller, { key, reference, allowDuplicate }, () =>
      likenessValue('transfer', fromWallet, toWallet, amount),
    );
  }

  /** A request that was carried out before is not asked about again. A new one is looked at as the ledger would see it now. */
  private async askGates(draft: TransferDraft, caller: Caller): Promise<Replayed | null> {
    return this.hooks.answer(draft.claim, async () => {
      await retryAway(() => this.ledger.preview(draft.posting(), draft.describe));
      await this.hooks.ask(draft.made!, caller, false);
      return null;
    });
  }

  private async post(draft: TransferDraft, caller: Caller): Promise<Posted | Replayed> {
    try {
      return await this.ledger.require(draft.posting(), draft.describe);
    } catch (error) {
      this.hooks.failed(error, draft.made, caller);
      throw error;
    }
  }
}
