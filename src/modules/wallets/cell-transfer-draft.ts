import type { Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import type { Posted, Posting } from '../ledger/posting';
import { transactionEvent, type TransactionRecord, transactionWrite } from '../transactions/transactions.service';
import type { Payee } from './cell-credits.service';
import type { Crossing } from './cell-transfer-store';
import { CellTransfer } from './cell-transfer.entity';
import { TransferDraft } from './transfer-draft';
import { Transfer } from './transfer.entity';
import { lowBalanceEvents } from './wallets.service';

const transferWrite = rows(Transfer).insert({ name: 'insert_open_transfers' });
const wayWrite = rows(CellTransfer).insert();

/** A transfer to a wallet of another cell: its money is held until that cell has answered. */
export class CellTransferDraft extends TransferDraft {
  /** As it was written. */
  crossing?: Crossing;

  constructor(
    from: ConstructorParameters<typeof TransferDraft>,
    private readonly payee: Payee,
    private readonly firstLook: Date,
  ) {
    super(...from);
  }

  override posting(): Posting {
    const { accountId, livemode } = this.caller;
    const { debitId, from, order } = this;
    return {
      id: this.id,
      accountId,
      livemode,
      // Where the caller names another, it is the payee's that does not fit.
      currency: this.payee.currency,
      among: 'wallet',
      lines: [],
      holds: [{ kind: 'open', holdId: debitId, ledgerAccountId: from, amount: order.amount, transactionId: debitId }],
      claim: this.claim,
      writes: (posted) => this.writes(posted),
    };
  }

  override writes(posted: Posted): Write[] {
    const debit = posted.account(this.from);
    const {
      caller: { accountId, livemode, requestId },
      order: { amount, reference, narration, metadata, beneficiaryId },
    } = this;
    const said = { ...(narration !== null && { narration }), ...(beneficiaryId && { beneficiary_id: beneficiaryId }) };
    const transfer: Transfer = (this.made = {
      accountId,
      livemode,
      id: this.id,
      fromWalletId: this.from,
      toWalletId: this.to,
      toAccountId: this.payee.accountId,
      debitTransactionId: this.debitId,
      creditTransactionId: this.creditId,
      amount,
      fee: 0n,
      currency: debit.currency,
      reference,
      narration,
      metadata,
      status: 'processing',
      failure: null,
    });
    const paid: TransactionRecord = {
      accountId,
      livemode,
      id: this.debitId,
      walletId: this.from,
      type: 'transfer_out',
      direction: 'debit',
      status: 'processing',
      amount,
      fee: 0n,
      commission: 0n,
      currency: debit.currency,
      sourceId: this.id,
      counterpartyId: this.to,
      balanceBefore: debit.available + amount,
      balanceAfter: debit.available,
      reference,
      recipient: null,
      details: Object.keys(said).length === 0 ? null : said,
      secrets: null,
      providerName: null,
      providerReference: null,
      providerAttempts: 0,
      failure: null,
      nextCheckAt: null,
      reverses: null,
      reversedBy: null,
      needsReview: false,
      metadata,
      version: 1,
      updatedAt: posted.at,
      completedAt: null,
    };
    const origin = { requestId, idempotencyKey: this.request.key };
    const way: CellTransfer = {
      accountId,
      livemode,
      id: this.id,
      checks: 0,
      nextCheckAt: this.firstLook,
      requestId,
      idempotencyKey: this.request.key,
    };
    this.crossing = { transfer, way, debit: paid };
    return [
      transferWrite(transfer),
      wayWrite(way),
      transactionWrite(paid),
      transactionEvent(paid, { previous: null, origin }),
      ...this.pass.writes,
      ...lowBalanceEvents(posted, origin),
    ];
  }
}
