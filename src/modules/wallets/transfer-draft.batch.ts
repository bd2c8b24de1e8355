import { bulkInsert, type Write } from '../../core/database/bulk';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newId } from '../../core/http/ids';
import type { Claim, Likeness, RequestClaim } from '../../core/idempotency/claim';
import type { Currency } from '../../core/money/currencies';
import { eventWrite } from '../../core/outbox/outbox';
import type { Line, Posted, Posting } from '../ledger/ledger.types';
import type { TransactionsService } from '../transactions/transactions.service';
import type { Transfer } from './transfer.entity';
import type { TransferHooks } from './transfers.hooks';
import { SameWallet } from './wallets.errors';
import { creditedEvent, lowBalanceEvents } from './wallets.events';

const insertTransfer = bulkInsert('transfers', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  from_wallet_id: 'uuid',
  to_wallet_id: 'uuid',
  to_account_id: 'uuid',
  debit_transaction_id: 'uuid',
  credit_transaction_id: 'uuid',
  amount: 'bigint',
  fee: 'bigint',
  currency: 'text',
  reference: 'text?',
  narration: 'text?',
  metadata: 'jsonb',
});

const transferWrite = (transfer: Transfer): Write =>
  insertTransfer.row({
    account_id: transfer.accountId,
    livemode: transfer.livemode,
    id: transfer.id,
    from_wallet_id: transfer.fromWalletId,
    to_wallet_id: transfer.toWalletId,
    to_account_id: transfer.toAccountId,
    debit_transaction_id: transfer.debitTransactionId,
    credit_transaction_id: transfer.creditTransactionId,
    amount: transfer.amount,
    fee: transfer.fee,
    currency: transfer.currency,
    reference: transfer.reference,
    narration: transfer.narration,
    metadata: transfer.metadata,
  });

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

/** Whom a draft asks for the rows that are not its own. */
interface Helpers {
  readonly transactions: TransactionsService;
  readonly hooks: TransferHooks;
  readonly likeness: Likeness | null;
}

/**
 * One transfer on its way into the ledger: its posting, and the rows that go with it. Throws `NotFound`, `SameWallet`.
 */
export class TransferDraft {
  private readonly id = newId();
  private readonly debitId = newId();
  private readonly creditId = newId();
  private readonly from: string;
  private readonly to: string;
  /** Found out here: a batch runs in the name of whoever began it. */
  private readonly causes: readonly string[];
  made?: Transfer;

  constructor(
    private readonly caller: Caller,
    private readonly order: NewTransfer,
    private readonly request: RequestClaim,
    private readonly helpers: Helpers,
  ) {
    this.causes = helpers.hooks.causes();
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
      helpers: { likeness },
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

  private writes(posted: Posted): Write[] {
    const [debit, credit] = [posted.account(this.from), posted.account(this.to)];
    const {
      caller: { accountId, livemode, requestId },
      order: { amount, reference, narration, metadata },
    } = this;
    const { transactions, hooks } = this.helpers;
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
    const paid = transactions.final({
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
    const received = transactions.final({
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
    return [
      transferWrite(transfer),
      transactions.write(paid),
      transactions.write(received),
      event,
      ...hooks.rows(event, transfer, this.causes),
      creditedEvent(
        credit,
        { transactionId: this.creditId, amount, sender: this.from, reference },
        isOwn ? origin : { requestId: null, idempotencyKey: null },
      ),
      ...lowBalanceEvents(posted, origin),
    ];
  }
}
