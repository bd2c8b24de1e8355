import { found } from '../../../../core/errors/domain-error';
import { field, Flag, OneOf, Text } from '../../../../core/http/fields';
import { decodeId } from '../../../../core/http/ids';
import { CARD_DECISIONS, type CardDecision } from '../../../cards/card-review.service';
import { CUSTOMER_DECISIONS, type CustomerDecision } from '../../../cards/customer-review.service';
import { DISPUTE_DECISIONS, type DisputeDecision } from '../../../cards/dispute-review.service';
import { isKycTier, KYC_TIERS, type KycTier } from '../../../cards/kyc-tier';
import { DECISIONS, type PaymentDecision } from '../../../payments/payment-review.service';
import { REFUND_DECISIONS, type RefundDecision } from '../../../payments/refund-review.service';
import { type Decision, PURCHASE_DECISIONS } from '../../../purchases/review.service';
import { DEPOSIT_DECISIONS, type DepositDecision } from '../../../virtual-accounts/deposit-review.service';

const ID_MAX = 64;
const NOTE_MAX = 1_000;
const REFERENCE_MAX = 200;
const LAST4 = 4;
const EXPIRY = 7;

/** What people decide about, by the prefix of its id. */
const REVIEWED = {
  pay: 'payment',
  rfd: 'refund',
  txn: 'transaction',
  dep: 'deposit',
  crd: 'card',
  dsp: 'dispute',
  cus: 'customer',
} as const;

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
  static keyOf(this: void, { account_id, livemode }: ReviewedDto, prefix: keyof typeof REVIEWED, id: string) {
    return {
      accountId: found(decodeId('acct', account_id), 'account', '/account_id'),
      livemode,
      id: found(decodeId(prefix, id), REVIEWED[prefix]),
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

export class ResolveDepositDto extends ReviewedDto {
  @OneOf(DEPOSIT_DECISIONS)
  outcome: DepositDecision;

  /** A wallet to credit instead of the virtual account's own: of the currency that came. */
  @Text(ID_MAX, { optional: true })
  wallet_id?: string;
}

export class ResolvePurchaseDto extends ReviewedDto {
  @OneOf(PURCHASE_DECISIONS)
  outcome: Decision;
}

export class ResolveRefundDto extends ReviewedDto {
  @OneOf(REFUND_DECISIONS)
  outcome: RefundDecision;
}

export class ResolveCardDto extends ReviewedDto {
  @OneOf(CARD_DECISIONS)
  outcome: CardDecision;

  /** Of an active one: the issuer's own id of it. */
  @Text(REFERENCE_MAX, { optional: true })
  issuer_reference?: string;

  /** Of an active one: the last four digits of its number. */
  @Text(LAST4, { optional: true })
  last4?: string;

  /** Of an active one: its last month, such as `11/2029`. */
  @Text(EXPIRY, { optional: true })
  expiry?: string;
}

export class ResolveDisputeDto extends ReviewedDto {
  @OneOf(DISPUTE_DECISIONS)
  outcome: DisputeDecision;
}

export class ResolveCustomerDto extends ReviewedDto {
  @OneOf(CUSTOMER_DECISIONS)
  outcome: CustomerDecision;

  @field(
    {
      type: 'integer',
      enum: [...KYC_TIERS],
      description: 'How far a verified one is proven; absent: as far as the kind of the document says.',
    },
    [{ name: 'kycTier', says: 'must be 1, 2 or 3', holds: isKycTier }],
    { optional: true },
  )
  tier?: KycTier | null;
}
