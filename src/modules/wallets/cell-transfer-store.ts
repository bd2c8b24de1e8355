import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock, Rewinds } from '../../core/clock/clock';
import { rows } from '../../core/database/rows';
import { UnitOfWork } from '../../core/database/unit-of-work';
import type { Key, Tenant } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import { CellTransfer } from './cell-transfer.entity';
import { Transfer } from './transfer.entity';

/** A transfer to a wallet of another cell, as it is stored. */
export interface Crossing {
  readonly transfer: Transfer;
  readonly way: CellTransfer;
  readonly debit: TransactionRecord;
}

export const wayChange = rows(CellTransfer).update({
  name: 'update_cell_transfers',
  change: ['checks', 'nextCheckAt'],
});

/** Reads transfers to wallets of other cells, and keeps when they are looked at. */
@Injectable()
export class CellTransferStore implements OnModuleInit {
  constructor(
    @InjectRepository(Transfer) private readonly transfers: Repository<Transfer>,
    @InjectRepository(CellTransfer) private readonly ways: Repository<CellTransfer>,
    private readonly transactions: TransactionsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rewinds: Rewinds,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({ table: 'cell_transfers', columns: ['next_check_at'], where: 'next_check_at IS NOT NULL' });
  }

  find({ accountId, livemode, id }: Key): Promise<Transfer> {
    return this.transfers.findOneByOrFail({ accountId, livemode, id });
  }

  async load({ accountId, livemode, id }: Key): Promise<Crossing> {
    const transfer = await this.find({ accountId, livemode, id });
    const [way, debit] = await Promise.all([
      this.ways.findOneByOrFail({ accountId, livemode, id }),
      this.transactions.require({ accountId, livemode }, encodeId('txn', transfer.debitTransactionId)),
    ]);
    return { transfer, way, debit };
  }

  keep(way: CellTransfer): Promise<void> {
    return this.unitOfWork.run((tx) => this.unitOfWork.write(tx, [wayChange(way)]));
  }

  /** By the account's clock. */
  now(owner: Tenant): Promise<Date> {
    return this.clock.now(owner);
  }
}
