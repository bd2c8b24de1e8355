import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { retryAway } from '../../core/database/sqlstate';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import type { Replay, RequestClaim } from '../../core/idempotency/claim';
import type { Viewer } from '../../core/resources/resources';
import { LedgerService } from '../ledger/ledger.service';
import type { Posted } from '../ledger/ledger.types';
import { TransactionsService } from '../transactions/transactions.service';
import { Transfer } from './transfer.entity';
import { type NewTransfer, TransferDraft } from './transfer-draft.batch';

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
  constructor(
    private readonly ledger: LedgerService,
    private readonly transactions: TransactionsService,
    @InjectRepository(Transfer) private readonly transfers: Repository<Transfer>,
  ) {}

  /**
   * Moves money between two wallets, final at once. Throws `NotFound`, `SameWallet`, `PostingRefused`
   * (`insufficient_funds`, `wallet_frozen`, …), `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  async transfer(caller: Caller, order: NewTransfer, request: RequestClaim): Promise<TransferResult> {
    const draft = new TransferDraft(caller, order, request, this.transactions);
    const outcome = await this.ledger.require(draft.posting(), draft.describe);
    if (outcome.status === 'posted') return { transfer: draft.made!, replayedBy: null };
    return { transfer: await retryAway(() => this.require(caller, outcome.resourceId)), replayedBy: outcome.by };
  }

  /** What `transfer` would do now; writes nothing. */
  async preview(caller: Caller, order: NewTransfer, request: RequestClaim): Promise<TransferPreview> {
    const draft = new TransferDraft(caller, order, request, this.transactions);
    const posted = await this.ledger.preview(draft.posting(), draft.describe);
    return { transfer: draft.made!, posted };
  }

  /** The caller's transfer. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<Transfer> {
    return found(id === null ? null : await this.transfers.findOneBy({ accountId, livemode, id }), 'transfer');
  }

  /** Newest first, below `before`. */
  list({ accountId, livemode }: Viewer, before: string | null, take: number): Promise<Transfer[]> {
    return this.transfers.find({
      where: { accountId, livemode, ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take,
    });
  }
}
