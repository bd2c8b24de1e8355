import { Module } from '@nestjs/common';
import { LedgerAccountsService } from './accounts.service';
import { LedgerEntriesService } from './entries.service';
import { LedgerService } from './ledger.service';
import { SealService } from './seal.service';

@Module({
  providers: [LedgerService, LedgerAccountsService, LedgerEntriesService, SealService],
  exports: [LedgerService, LedgerAccountsService, LedgerEntriesService],
})
export class LedgerModule {}
