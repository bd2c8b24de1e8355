import { Module } from '@nestjs/common';
import { LedgerAccountsService } from './accounts.service';
import { LedgerEntriesService } from './entries.service';
import { LedgerService } from './ledger.service';

@Module({
  providers: [LedgerService, LedgerAccountsService, LedgerEntriesService],
  exports: [LedgerService, LedgerAccountsService, LedgerEntriesService],
})
export class LedgerModule {}
