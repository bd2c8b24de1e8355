import { Injectable } from '@nestjs/common';
import type { PaymentContext } from '../../core/extension/points';
import { toJsonNumber } from '../../core/money/money';
import { FeesService } from '../terms/fees.service';
import type { Priced } from '../terms/terms.types';
import type { NewPurchase } from './purchases.types';

@Injectable()
export class PricingService {
  constructor(private readonly fees: FeesService) {}

  /** The fee, and in the breakdown also the commission of the catalogue. */
  async of({ product, commission }: NewPurchase, context: PaymentContext): Promise<Priced> {
    const { fee, breakdown } = await this.fees.priced(product, context);
    if (commission === 0n) return { fee, breakdown };
    return {
      fee,
      breakdown: [...breakdown, { kind: 'commission', amount: toJsonNumber(commission), by: 'catalogue' }],
    };
  }
}
