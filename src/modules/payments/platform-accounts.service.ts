import { Injectable } from '@nestjs/common';
import { LedgerAccountsService } from '../ledger/accounts.service';
import type { Payment } from './payment.entity';
import type { OuterAccounts } from './payment-postings.batch';

/** The platform's side of payments. */
@Injectable()
export class PlatformAccounts {
  constructor(private readonly accounts: LedgerAccountsService) {}

  /** Those of the payment's gateway; of `gateway` while none is chosen. */
  async of({ gateway, currency, livemode }: Pick<Payment, 'gateway' | 'currency' | 'livemode'>, otherwise = ''): Promise<OuterAccounts> {
    const [owed, fees] = await Promise.all([
      this.accounts.platform(`gateway:${gateway ?? otherwise}`, currency, livemode), this.accounts.platform('fees', currency, livemode),
    ]);
    return { gateway: owed, fees };
  }
}
