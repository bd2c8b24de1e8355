import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { newId } from '../../core/http/ids';
import type { Currency } from '../../core/money/currencies';
import { type AccountRecord, AccountsService } from '../accounts/accounts.service';
import { WalletOpeningService } from './wallet-opening.service';

/** What every account starts with, in each mode. */
const FIRST_CURRENCY: Currency = 'NGN';

@Injectable()
export class AccountOpeningService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: AccountsService,
    private readonly wallets: WalletOpeningService,
  ) {}

  /** Opens an account with its first wallet in test and in live mode. */
  async openAccount(name: string): Promise<AccountRecord> {
    const id = newId();
    await this.unitOfWork.run(async (tx) => {
      await this.accounts.create(tx, id, name);
      for (const livemode of [false, true]) {
        const blank = {
          currency: FIRST_CURRENCY,
          label: null,
          reference: null,
          lowBalanceThreshold: null,
          metadata: {},
        };
        await this.wallets.open(
          tx,
          { ...blank, accountId: id, livemode, id: newId() },
          { requestId: null, idempotencyKey: null },
        );
      }
    });
    return this.accounts.require(id);
  }
}
