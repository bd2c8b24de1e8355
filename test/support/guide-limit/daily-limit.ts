import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../src/core/clock/clock';
import { OnHook } from '../../../src/core/extension/decorators';
import type { AfterPayment, BeforePayment, PaymentRefused, Verdict } from '../../../src/core/extension/points';
import { Reservations } from '../../../src/core/extension/reservations';
import type { Operation } from '../../../src/vocabulary/products';

const operations: readonly Operation[] = ['airtime_purchase'];
/** Minor units that a wallet may spend on airtime in a day. */
const LIMIT = 100_000n;
const VETO = { veto: true, code: 'daily_limit', message: 'This wallet has bought its airtime for today.' } as const;

/** A wallet buys airtime for so much a day, by the account's clock. */
@Injectable()
export class DailyLimit {
  private readonly spending: Reservations;

  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    this.spending = new Reservations(dataSource, 'risk_spending');
  }

  @OnHook('svc_before_payment', { id: 'risk.daily-limit', operations })
  async count(payment: BeforePayment): Promise<Verdict> {
    const { walletId, amount } = payment.draft;
    const today = (await this.clock.now(payment)).toISOString().slice(0, 10);
    const share = { key: `${walletId}/${today}`, amount, limit: LIMIT };
    const fits = payment.dryRun
      ? (await this.spending.used(payment, share.key)) + amount <= LIMIT
      : await this.spending.reserve(payment, share);
    return fits ? undefined : VETO;
  }

  /** It never came to be. */
  @OnHook('svc_payment_refused', { id: 'risk.daily-limit-refused', operations })
  giveBack(payment: PaymentRefused): Promise<void> {
    return this.spending.release(payment);
  }

  /** It came to be, and this is how it ended. Told in any order: what was given back stays given back. */
  @OnHook('svc_after_payment', { id: 'risk.daily-limit-ended', operations })
  settle(payment: AfterPayment): Promise<void> {
    return payment.type === 'transaction.successful' ? this.spending.confirm(payment) : this.spending.release(payment);
  }
}
