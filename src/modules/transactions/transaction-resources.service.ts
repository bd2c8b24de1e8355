import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { Presents, type Viewer } from '../../core/resources/resources';
import { ledgerLines } from '../ledger/ledger-lines.types';
import type { Posted } from '../ledger/ledger.types';
import { TransactionDto } from './transaction.dto';
import { type TransactionRecord, TransactionsService } from './transactions.service';

@Injectable()
export class TransactionResources {
  constructor(private readonly transactions: TransactionsService) {}

  @Presents('txn')
  async transaction(viewer: Viewer, id: string): Promise<TransactionDto> {
    return TransactionDto.of(await this.transactions.require(viewer, encodeId('txn', id)));
  }

  /** A transaction that a dry run would record. */
  preview({ transaction, posted }: { transaction: TransactionRecord; posted: Posted }): TransactionDto {
    return { ...TransactionDto.of(transaction), id: null, ledger: ledgerLines(posted, transaction.accountId) };
  }
}
