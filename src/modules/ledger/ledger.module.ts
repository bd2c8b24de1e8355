import { Module } from '@nestjs/common';
import { LedgerAccountsService } from './accounts.service';
import { LedgerEntriesService } from './entries.service';
import { LedgerService } from './ledger.service';
import { SealService } from './seal.service';
import { Verifications } from './verifications';

@Module({
  providers: [LedgerService, LedgerAccountsService, LedgerEntriesService, SealService, Verifications],
  exports: [LedgerService, LedgerAccountsService, LedgerEntriesService, Verifications],
})
export class LedgerModule {}
