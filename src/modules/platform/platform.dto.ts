import { found } from '../../core/errors/domain-error';
import { Amount, CurrencyCode, Flag, OneOf, PublicId, Reference, Text } from '../../core/http/fields';
import { DateTime } from '../../core/http/query-fields';
import { decodeId, encodeId } from '../../core/http/ids';
import type { IdPrefix } from '../../vocabulary/id-prefixes';
import type { OperatorCaller } from '../../core/http/doors';
import type { Currency } from '../../core/money/money';
import { FREEZE_DIRECTIONS, type FreezeDirection } from '../../vocabulary/freezes';
import { type AccountRecord, freezeOf } from '../accounts/accounts.service';
import { DECISIONS, type PaymentDecision } from '../payments/payment-review.service';
import { REFUND_DECISIONS, type RefundDecision } from '../payments/refund-review.service';
import { type Decision, PURCHASE_DECISIONS } from '../purchases/review.service';
import { DEPOSIT_DECISIONS, type DepositDecision } from '../virtual-accounts/deposit-review.service';
import type { OperatorOrder } from './operator-orders.service';

const REASON_MAX = 500;
const NAME_MAX = 64;
const EMAIL_MAX = 254;
const CARDS_MAX = 10_000;

/** Every order has one: it goes to the audit log. */
export class ReasonedDto {
  /** Why: goes to the audit log. Of a review, the evidence. */
  @Text(REASON_MAX)
  reason: string;

  /** Who orders is whose key it is. */
  static orderOf(this: void, { reason }: ReasonedDto, { userId, email, ip }: OperatorCaller): OperatorOrder {
    return { operator: { userId, email }, name: email, reason, ip };
  }
}

export class EnableLiveDto extends ReasonedDto {
  /** Whatever `live:check` finds missing. */
  @Flag({ optional: true })
  force?: boolean;
}

export class SetTierDto extends ReasonedDto {
  @Text(NAME_MAX)
  tier: string;
}

export class SetTimeZoneDto extends ReasonedDto {
  @Text(NAME_MAX)
  time_zone: string;
}

export class RequireKeyDto extends ReasonedDto {
  @Flag()
  required: boolean;
}

export class RefundLimitsDto extends ReasonedDto {
  @Flag()
  livemode: boolean;

  @CurrencyCode()
  currency: Currency;

  /** Minor units; absent: no limit. */
  @Amount({ optional: true })
  approval_above?: number | null;
}

export class PayoutLimitsDto extends RefundLimitsDto {
  @Amount({ optional: true })
  single_limit?: number | null;

  @Amount({ optional: true })
  daily_limit?: number | null;
}

export class TierLimitsDto extends ReasonedDto {
  @Flag()
  livemode: boolean;

  /** 1 to 3; 0: of who is not verified. */
  @Amount({ min: 0, max: 3 })
  tier: number;

  /** Absent: no limit, as of each. */
  @Amount({ optional: true, min: 0, max: CARDS_MAX })
  cards_max?: number | null;

  /** Minor units. */
  @Amount({ optional: true, min: 0 })
  load_single_max?: number | null;

  @Amount({ optional: true, min: 0 })
  load_daily_max?: number | null;

  @Amount({ optional: true, min: 0 })
  balance_max?: number | null;
}

export class SetOperatorDto extends ReasonedDto {
  @Text(EMAIL_MAX)
  email: string;

  @Flag()
  operator: boolean;
}

export class WalletDepositDto extends ReasonedDto {
  @PublicId('wal')
  wallet_id: string;

  @Amount()
  amount: number;

  /** Names the deposit: it is done once, however often it is sent. */
  @Reference()
  reference: string;
}

export class FreezeAccountDto extends ReasonedDto {
  @OneOf(FREEZE_DIRECTIONS)
  direction: FreezeDirection;

  /** When it ends by itself. */
  @DateTime({ optional: true })
  until?: Date | null;
}

export class CreditLimitDto extends ReasonedDto {
  /** Minor units; 0: none. */
  @Amount({ min: 0 })
  credit_limit: number;
}

class ReviewDto extends ReasonedDto {
  @PublicId('acct')
  account_id: string;

  @Flag()
  livemode: boolean;

  /** Throws `NotFound` where an id is none. */
  static keyOf(this: void, { account_id: account, livemode }: ReviewDto, id: string) {
    return { accountId: idOf('acct', account, 'account', '/account_id'), livemode, id };
  }
}

export class ReviewPurchaseDto extends ReviewDto {
  @OneOf(PURCHASE_DECISIONS)
  outcome: Decision;
}

export class ReviewPaymentDto extends ReviewDto {
  @OneOf(DECISIONS)
  outcome: PaymentDecision;

  /** Instead of the wallet that the payment names. */
  @PublicId('wal', { optional: true })
  wallet_id?: string | null;
}

export class ReviewDepositDto extends ReviewDto {
  @OneOf(DEPOSIT_DECISIONS)
  outcome: DepositDecision;

  /** Instead of the wallet that the virtual account names. */
  @PublicId('wal', { optional: true })
  wallet_id?: string | null;
}

export class ReviewRefundDto extends ReviewDto {
  @OneOf(REFUND_DECISIONS)
  outcome: RefundDecision;
}

export class AnonymizeDto extends ReasonedDto {
  @Flag({ optional: true })
  dry_run?: boolean | null;
}

/** Throws `NotFound` for a malformed id. */
export const idOf = (prefix: IdPrefix, text: string, what: string, param: string | null = null): string =>
  found(decodeId(prefix, text), what, param);

export const presentAccount = (account: AccountRecord): object => ({
  object: 'platform_account',
  id: encodeId('acct', account.id),
  name: account.name,
  live_enabled: account.liveEnabled,
  tier: account.tier,
  time_zone: account.timeZone,
  freeze: freezeOf(account, Date.now()),
  require_idempotency_key: account.requireIdempotencyKey,
  created_at: account.createdAt,
});
