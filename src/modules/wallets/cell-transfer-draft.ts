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
    const { origin } = this;
    const transfer = this.make(posted, this.payee.accountId, 'processing');
    const debit: TransactionRecord = { ...this.paid(posted), status: 'processing', completedAt: null };
    const { accountId, livemode, id } = transfer;
    const way: CellTransfer = { accountId, livemode, id, checks: 0, nextCheckAt: this.firstLook, ...origin };
    this.crossing = { transfer, way, debit };
    return [
      transferWrite(transfer),
      wayWrite(way),
      transactionWrite(debit),
      transactionEvent(debit, { previous: null, origin }),
      ...this.pass.writes,
      ...lowBalanceEvents(posted, origin),
    ];
  }
}
