import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import { PaymentReviewService } from '../payments/payment-review.service';
import { RefundReviewService } from '../payments/refund-review.service';
import { type FeeRule, FeesService } from '../accounts/fees.service';
import { type CallCount, Client } from '../../providers/client';
import { type RouteKey, Routes, type StoredRoute } from '../../providers/routes';
import { ReviewService } from '../purchases/review.service';
import { DepositReviewService, type ReturnDue } from '../virtual-accounts/deposit-review.service';
import { AuditService } from './audit.service';
import { FeeDto, type ProviderCallsDto } from './operators/operators.dto';
import type { SignedIn } from './people/sessions.service';

const REVIEWS_MAX = 200;

/** What operators of the platform see and change. Every change is written down. */
@Injectable()
export class OperatorsService {
  constructor(
    private readonly fees: FeesService,
    private readonly providerRoutes: Routes,
    private readonly providers: Client,
    private readonly payments: PaymentReviewService,
    private readonly purchases: ReviewService,
    private readonly refunds: RefundReviewService,
    private readonly deposits: DepositReviewService,
    private readonly audit: AuditService,
  ) {}

  listFees(): Promise<FeeRule[]> {
    return this.fees.listRules();
  }

  async setFee(me: SignedIn, rule: FeeRule, ip: string): Promise<void> {
    const before = await this.fees.setRule(rule);
    await this.note(me, 'fee.set', {
      target: nameOf(rule),
      ip,
      detail: { before: before && FeeDto.of(before), after: FeeDto.of(rule) },
    });
  }

  routes(): Promise<StoredRoute[]> {
    return this.providerRoutes.list();
  }

  /** By provider, the busiest of a product first. */
  async calls(minutes: number): Promise<ProviderCallsDto[]> {
    const byProvider = Map.groupBy(
      await this.providers.calls(minutes),
      ({ product, provider, livemode }) => `${product}/${provider}/${livemode}`,
    );
    return [...byProvider.values()]
      .map(presentCalls)
      .sort((a, b) => a.product.localeCompare(b.product) || b.calls - a.calls);
  }

  /** Throws `NotFound`. */
  async switchRoute(me: SignedIn, key: RouteKey, { enabled, ip }: { enabled: boolean; ip: string }): Promise<void> {
    await this.providerRoutes.enable(key, enabled);
    await this.note(me, enabled ? 'route.enabled' : 'route.disabled', { target: key.provider, ip, detail: key });
  }

  /** All that waits for a person. */
  async openReviews(): Promise<object> {
    const [payments, due, purchases, refunds, deposits, returns] = await Promise.all([
      this.payments.list(REVIEWS_MAX),
      this.payments.listRefundsDue(REVIEWS_MAX),
      this.purchases.list(REVIEWS_MAX),
      this.refunds.list(REVIEWS_MAX),
      this.deposits.list(REVIEWS_MAX),
      this.deposits.listReturnsDue(REVIEWS_MAX),
    ]);
    return {
      payments: payments.map(({ accountId, id, amount, amountReceived, currencyReceived, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        payment_id: encodeId('pay', id),
        ...facts,
        amount: minor(amount),
        amount_received: amountReceived === null ? null : minor(amountReceived),
        currency_received: currencyReceived,
      })),
      refunds_due: due.map(({ accountId, id, amount, gatewayReference, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        payment_id: encodeId('pay', id),
        ...facts,
        amount: minor(amount),
        gateway_reference: gatewayReference,
      })),
      refunds: refunds.map(({ accountId, id, paymentId, amount, gatewayReference, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        refund_id: encodeId('rfd', id),
        payment_id: encodeId('pay', paymentId),
        ...facts,
        amount: minor(amount),
        gateway_reference: gatewayReference,
      })),
      purchases: purchases.map(({ accountId, id, amount, ...facts }) => ({
        account_id: encodeId('acct', accountId),
        transaction_id: encodeId('txn', id),
        ...facts,
        amount: minor(amount),
      })),
      deposits: deposits.map(({ reason, status, decisions, ...one }) => ({
        ...presentDeposit(one),
        reason,
        status,
        decisions,
      })),
      returns_due: returns.map(presentDeposit),
    };
  }

  private note(
    { homeAccountId: accountId, userId, email: actor }: SignedIn,
    action: string,
    more: { target: string; ip: string; detail: object },
  ): Promise<void> {
    return this.audit.record({ accountId, userId, actor, action, ...more });
  }
}

const nameOf = ({ product, tier, currency }: FeeRule): string => `${product}/${tier}/${currency}`;

function presentCalls(counts: readonly CallCount[]): ProviderCallsDto {
  const { product, provider, livemode } = counts[0]!;
  const calls = counts.reduce((sum, one) => sum + one.calls, 0);
  const unknown = counts.reduce((sum, one) => sum + (one.outcome === 'unknown' ? one.calls : 0), 0);
  return {
    product,
    provider,
    livemode,
    calls,
    unknown_rate: unknown / calls,
    mean_ms: Math.round(counts.reduce((sum, one) => sum + one.meanMs * one.calls, 0) / calls),
    outcomes: counts.map(({ call, outcome, calls: times, meanMs, lastAt }) => ({
      call,
      outcome,
      calls: times,
      mean_ms: Math.round(meanMs),
      last_at: lastAt,
    })),
  };
}

/** A deposit as those who must see to it are shown it. */
const presentDeposit = ({ accountId, id, virtualAccountId, providerReference, amount, ...facts }: ReturnDue) => ({
  account_id: encodeId('acct', accountId),
  deposit_id: encodeId('dep', id),
  virtual_account_id: encodeId('vac', virtualAccountId),
  ...facts,
  amount: minor(amount),
  provider_reference: providerReference,
});

/** Minor units as a JSON number. */
const minor = (amount: string): number => toJsonNumber(BigInt(amount));
