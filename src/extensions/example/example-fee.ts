import { Injectable } from '@nestjs/common';
import { Filter } from '../../core/extension/decorators';
import type { FeeContext } from '../../core/extension/points';
import type { Money } from '../../core/money/money';

/** Takes the fee off a bill payment of the sandbox that says `{"example": "free"}`. */
@Injectable()
export class ExampleFee {
  @Filter('svc_transaction_fee', { id: 'example.free-fee', operations: ['bill_payment'] })
  free(fee: Money, { livemode, draft }: FeeContext): Money {
    return !livemode && draft.metadata.example === 'free' ? { ...fee, amount: 0n } : fee;
  }
}
