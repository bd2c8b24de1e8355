import type { Write } from '../../core/database/bulk';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import type { Currency } from '../../core/money/currencies';
import { eventWrite } from '../../core/outbox/outbox';
import type { Line, Posted, Posting } from '../ledger/ledger.types';
import type { TransactionsService } from '../transactions/transactions.service';
import type { Transfer } from './transfer.entity';
import { SameWallet } from './wallets.errors';
import { creditedEvent, lowBalanceEvents } from './wallets.events';
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

/** One transfer on its way into the ledger: its posting, and the rows that go with it. Throws `NotFound`, `SameWallet`. */
export class TransferDraft {
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
