import { found } from '../../core/errors/not-found';
import { Flag, OneOf, Text } from '../../core/http/fields';
import { decodeId } from '../../core/http/ids';
import { DECISIONS, type PaymentDecision } from '../payments/payment-review.service';
import { type Decision, PURCHASE_DECISIONS } from '../purchases/review.service';

const ID_MAX = 64;
const NOTE_MAX = 1_000;

class ReviewedDto {
  /** Whose it is: `acct_…`. */
  @Text(ID_MAX)
  account_id: string;

  @Flag()
  livemode: boolean;

  /** The evidence: what the other side said, and where. */
  @Text(NOTE_MAX)
  note: string;

  /** Throws `NotFound` where an id is none. */
  static keyOf(this: void, { account_id, livemode }: ReviewedDto, prefix: 'pay' | 'txn', id: string) {
    return {
      accountId: found(decodeId('acct', account_id), 'account', '/account_id'),
      livemode,
      id: found(decodeId(prefix, id), prefix === 'pay' ? 'payment' : 'transaction'),
    };
  }
}

export class ResolvePaymentDto extends ReviewedDto {
  @OneOf(DECISIONS)
  outcome: PaymentDecision;

  /** A wallet to credit instead of the one that the payment names: of the currency that came. */
  @Text(ID_MAX, { optional: true })
  wallet_id?: string;
}

export class ResolvePurchaseDto extends ReviewedDto {
  @OneOf(PURCHASE_DECISIONS)
  outcome: Decision;
}
