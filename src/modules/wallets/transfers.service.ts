import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import type { Write } from '../../core/database/bulk';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import type { Replay } from '../../core/idempotency/claims';
import type { Currency } from '../../core/money/currencies';
import { eventWrite } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { LedgerService } from '../ledger/ledger.service';
import type { Line, Posted, Posting } from '../ledger/ledger.types';
import { TransactionsService } from '../transactions/transactions.service';
import { Transfer } from './transfer.entity';
import { creditedEvent, lowBalanceEvents } from './wallets.events';
import { SameWallet } from './wallets.errors';
import { transferWrite } from './wallets.queries';

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
}

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
    return { transfer: await this.require(caller, outcome.resourceId), replayedBy: outcome.by };
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

/** One transfer on its way into the ledger: its posting, and the rows that go with it. */
class TransferDraft {
  private readonly id = newId();
  private readonly debitId = newId();
  private readonly creditId = newId();
  private readonly from: string;
  private readonly to: string;
  made?: Transfer;

  constructor(
    private readonly caller: Caller,
    private readonly order: NewTransfer,
    private readonly request: RequestClaim,
    private readonly transactions: TransactionsService,
  ) {
    this.from = found(decodeId('wal', order.fromWallet), 'wallet', '/from_wallet');
    this.to = found(decodeId('wal', order.toWallet), 'wallet', '/to_wallet');
    if (this.from === this.to) throw new SameWallet();
  }

  readonly describe = (id: string) => ({ id: encodeId('wal', id), param: id === this.from ? '/from_wallet' : '/to_wallet' });

  posting(): Posting {
    const { accountId, livemode } = this.caller;
    const { amount, currency, reference } = this.order;
    const line = (ledgerAccountId: string, sum: bigint, transactionId: string): Line =>
      ({ ledgerAccountId, bucket: 'available', amount: sum, transactionId });
    return {
      id: this.id,
      accountId,
      livemode,
      currency,
      lines: [line(this.from, -amount, this.debitId), line(this.to, amount, this.creditId)],
      claim: { accountId, livemode, ...this.request, reference, resource: 'trf', resourceId: this.id },
      writes: (posted) => this.writes(posted),
    };
  }

  private writes(posted: Posted): Write[] {
    const [debit, credit] = [posted.account(this.from), posted.account(this.to)];
    const { caller: { accountId, livemode, requestId }, order: { amount, reference, narration, metadata } } = this;
    const transfer: Transfer = (this.made = {
      accountId, livemode, id: this.id, fromWalletId: this.from, toWalletId: this.to, toAccountId: credit.accountId,
      debitTransactionId: this.debitId, creditTransactionId: this.creditId, amount, fee: 0n, currency: debit.currency,
      reference, narration, metadata,
    });
    const same = { livemode, amount, currency: debit.currency, at: posted.at } as const;
    const isOwn = credit.accountId === accountId;
    const origin = { requestId, idempotencyKey: this.request.key };
    const paid = this.transactions.final({
      ...same, accountId, id: this.debitId, walletId: this.from, type: 'transfer_out', direction: 'debit', sourceId: this.id,
      counterpartyId: this.to, reference, metadata, balanceBefore: debit.available + amount, balanceAfter: debit.available,
    });
    const received = this.transactions.final({
      ...same, accountId: credit.accountId, id: this.creditId, walletId: this.to, type: 'transfer_in', direction: 'credit',
      sourceId: isOwn ? this.id : null, counterpartyId: this.from,
      balanceBefore: credit.available - amount, balanceAfter: credit.available,
    });
    return [
      transferWrite(transfer),
      this.transactions.write(paid),
      this.transactions.write(received),
      eventWrite({ accountId, livemode, type: 'transfer.successful', objectType: 'trf', objectId: this.id, origin }),
      creditedEvent(credit, this.creditId, isOwn ? origin : { requestId: null, idempotencyKey: null }),
      ...lowBalanceEvents(posted, origin),
    ];
  }
}
