import { Injectable } from '@nestjs/common';
import { Cells } from '../../core/cells/cells';
import { ReadPipeline, RowLookUp } from '../../core/database/pipeline';
import { rows } from '../../core/database/rows';
import { constraintOf, UnitOfWork } from '../../core/database/unit-of-work';
import type { Currency } from '../../core/money/money';
import { NO_ORIGIN } from '../../core/outbox/outbox';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Posting, Refusal } from '../ledger/posting';
import { CellCredit } from './cell-transfer.entity';
import { arrivalWrites } from './transfer-draft';
import { type WalletRecord, WalletsService, type WalletStatus } from './wallets.service';

/** A transfer from another cell, as that cell tells of it. */
export interface CreditOrder {
  readonly transferId: string;
  readonly livemode: boolean;
  readonly fromWalletId: string;
  readonly toWalletId: string;
  /** Chosen by the payer's cell, in the slot of the payee. */
  readonly creditTransactionId: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly reference: string | null;
  readonly narration: string | null;
}

/** Final: the same for whoever asks, however often. `refusal`: null where it was credited. */
export interface CreditOutcome {
  readonly refusal: Refusal['reason'] | null;
}

/** What another cell may know of a wallet. */
export interface Payee {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly currency: Currency;
  readonly status: WalletStatus;
}

const creditWrite = rows(CellCredit).insert();

/** Credits wallets of this cell with what accounts of other cells sent, each transfer once. */
@Injectable()
export class CellCredits {
  private readonly credits: RowLookUp<CellCredit>;

  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly wallets: WalletsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly cells: Cells,
    reads: ReadPipeline,
  ) {
    this.credits = new RowLookUp(reads, rows(CellCredit).lookUp());
  }

  /** Null: there is no such wallet. Throws `ServiceUnavailable` where the slot has moved. */
  async find(walletId: string): Promise<Payee | null> {
    const wallet = await this.walletOf(walletId);
    if (wallet === null) return null;
    const { accountId, livemode, currency, status } = wallet;
    return { accountId, livemode, currency, status };
  }

  /**
   * The row of the transfer, credited or refused, is the point from which on it is decided. Throws
   * `LedgerUnavailable`, and `ServiceUnavailable` where the slot has moved: then nobody knows, and asks again.
   */
  async credit(order: CreditOrder): Promise<CreditOutcome> {
    const wallet = await this.walletOf(order.toWalletId);
    // Ids are not given out twice: what is not there never will be, so nothing has to be kept of it.
    if (wallet === null || wallet.livemode !== order.livemode) return { refusal: 'account_not_found' };
    const decided = await this.decided(wallet.accountId, order);
    if (decided !== null) return decided;
    try {
      const outcome = await this.ledger.post(await this.posting(wallet.accountId, order));
      if (outcome.status !== 'refused') return { refusal: null };
      await this.refuse(wallet.accountId, order, outcome.refusal.reason);
    } catch (error) {
      if (!constraintOf(error)?.startsWith('cell_credits_pkey')) throw error;
    }
    // Of several who asked at once, one decided.
    return (await this.decided(wallet.accountId, order))!;
  }

  /** The table of slots of this process may be an old one: before it says that there is none, it asks the database. */
  private async walletOf(id: string): Promise<WalletRecord | null> {
    const wallet = await this.wallets.findAny(id);
    if (wallet === null) await this.unitOfWork.run((tx) => this.cells.keep(tx, id));
    return wallet;
  }

  private async decided(accountId: string, order: CreditOrder): Promise<CreditOutcome | null> {
    const { livemode, transferId } = order;
    const row = await this.credits.find({ accountId, livemode, id: transferId });
    if (row === null) return null;
    const isSame =
      row.toWalletId === order.toWalletId && row.amount === order.amount && row.currency === order.currency;
    if (!isSame) throw new Error(`transfer ${transferId} was asked for otherwise before`);
    return { refusal: row.refusal as Refusal['reason'] | null };
  }

  private async posting(accountId: string, order: CreditOrder): Promise<Posting> {
    const { transferId, livemode, currency, amount, toWalletId, creditTransactionId } = order;
    const inTransit = await this.accounts.platform('in_transit', currency, { accountId, livemode });
    return {
      id: transferId,
      accountId,
      livemode,
      currency,
      lines: [
        { ledgerAccountId: inTransit, bucket: 'available', amount: -amount, transactionId: null },
        { ledgerAccountId: toWalletId, bucket: 'available', amount, transactionId: creditTransactionId },
      ],
      claim: null,
      writes: (posted) => [
        creditWrite(creditOf(accountId, order, null)),
        ...arrivalWrites(order, posted, { sourceId: null, origin: NO_ORIGIN }),
      ],
    };
  }

  private async refuse(accountId: string, order: CreditOrder, refusal: Refusal['reason']): Promise<void> {
    await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, [creditWrite(creditOf(accountId, order, refusal))]));
  }
}

const creditOf = (
  accountId: string,
  { transferId: id, ...order }: CreditOrder,
  refusal: string | null,
): CellCredit => ({ ...order, id, accountId, refusal });
