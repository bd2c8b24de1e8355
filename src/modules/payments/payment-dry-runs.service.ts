import { Injectable } from '@nestjs/common';
import { encodeId, newId } from '../../core/http/ids';
import { LedgerService } from '../ledger/ledger.service';
import { TransactionResources } from '../transactions/transaction-resources.service';
import { creditOf, linesOf, sharesOf } from './payment-postings.batch';
import type { Payment } from './payment.entity';
import { PlatformAccounts } from './platform-accounts.service';

/** What the ledger would do. */
@Injectable()
export class PaymentDryRuns {
  constructor(
    private readonly ledger: LedgerService,
    private readonly platform: PlatformAccounts,
    private readonly transactions: TransactionResources,
  ) {}

  async linesOf(payment: Readonly<Payment>): Promise<object[]> {
    const { accountId, livemode, currency, gateways, id } = payment;
    const lines = linesOf(
      payment.walletId,
      sharesOf(creditOf(payment)),
      await this.platform.of(payment, gateways[0]),
      id,
      1n,
    );
    const posting = { id: newId(), accountId, livemode, currency, lines, claim: null };
    return this.transactions.lines(
      await this.ledger.preview(posting, (wallet) => ({ id: encodeId('wal', wallet), param: '/wallet_id' })),
      accountId,
    );
  }
}
