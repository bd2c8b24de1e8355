import { Injectable } from '@nestjs/common';
import { LedgerAccountsService } from '../ledger/accounts.service';
import type { OuterAccounts } from './payment-postings.batch';
import type { Payment } from './payment.entity';

/** The platform's side of payments. */
@Injectable()
export class PlatformAccounts {
  constructor(private readonly accounts: LedgerAccountsService) {}

  /** Those of the payment's gateway; of `gateway` while none is chosen. */
  async of(
    { gateway, currency, livemode }: Pick<Payment, 'gateway' | 'currency' | 'livemode'>,
    otherwise = '',
  ): Promise<OuterAccounts> {
    const names = [`gateway:${gateway ?? otherwise}`, 'fees', 'payment_differences'] as const;
    const [owed, fees, differences] = await Promise.all(
      names.map((name) => this.accounts.platform(name, currency, livemode)),
    );
    return { gateway: owed!, fees: fees!, differences: differences! };
  }
}
