import { Injectable } from '@nestjs/common';
import { Extensions } from '../../core/extension/extensions';
import type { PaymentContext } from '../../core/extension/points';
import { toJsonNumber } from '../../core/money/money';
import { FeesService } from './fees.service';
import type { NewPurchase } from './purchases.types';

export interface Price {
  /** Minor units. */
  readonly fee: bigint;
  /** For `details.breakdown`: where each part comes from, with every filter that changed one. */
  readonly breakdown: readonly object[];
}

@Injectable()
export class PricingService {
  constructor(
    private readonly fees: FeesService,
    private readonly extensions: Extensions,
  ) {}

  /** The fee of the table after the filters of `svc_transaction_fee`. */
  async of({ product, currency, amount, commission }: NewPurchase, context: PaymentContext): Promise<Price> {
    const listed = await this.fees.feeOf(product, currency, context.accountId, amount);
    const breakdown: object[] = [{ kind: 'fee', amount: toJsonNumber(listed), by: 'fee_table' }];
    let fee = listed;
    if (!this.extensions.isEmpty('svc_transaction_fee', context.operation)) {
      const filtered = await this.extensions.fee({ amount: listed, currency }, context);
      fee = filtered.value.amount;
      breakdown.push(...filtered.changes.map((change) => ({ kind: 'fee_filter', ...change })));
    }
    if (commission > 0n) breakdown.push({ kind: 'commission', amount: toJsonNumber(commission), by: 'catalogue' });
    return { fee, breakdown };
  }
}
