import { Injectable } from '@nestjs/common';
import { checkDelayMs, needsPerson } from '../../core/adapters/check-schedule';
import { EndingsService } from './endings.service';
import { GatewayCalls } from './gateway-calls.service';
import type { Payment } from './payment.entity';
import { ChangedElsewhere } from './payment-step.batch';
import { PaymentStore } from './payment-store.service';
import { checkWrite } from './payments.queries';
import { isFinal } from './payments.states';
import type { NotReceived, PaymentKey, QueryResult, Received } from './payments.types';
import { SettlementService, type Told } from './settlement.service';

const isWhatCame = ({ amountReceived, currencyReceived }: Payment, { amount, currency }: Received): boolean =>
  amount === amountReceived && currency === currencyReceived;

/** Only an alarm: what the gateway says later still counts. */
const NO_ANSWER = 'no answer after all questions';
/** Those who want to change one payment at the same time are few. */
const TRIES_MAX = 20;

/** Asks gateways what became of payments, and does what follows. Only a gateway's definite word moves money; a clock never does. */
@Injectable()
export class ChecksService {
  constructor(
    private readonly store: PaymentStore,
    private readonly calls: GatewayCalls,
    private readonly settlement: SettlementService,
    private readonly endings: EndingsService,
  ) {}

  /** Looks at a payment now, whenever it is due. Throws `NotFound`. */
  async look(key: PaymentKey): Promise<Payment> {
    for (let tries = 1; ; tries++) {
      const payment = await this.store.load(key);
      try {
        return await this.lookAt(payment);
      } catch (error) {
        if (!(error instanceof ChangedElsewhere) || tries === TRIES_MAX) throw error;
      }
    }
  }

  private async lookAt(payment: Payment): Promise<Payment> {
    const now = await this.store.now(payment);
    if (payment.gateway === null) return this.expireWhenOver(payment, now);
    const found = await this.calls.query(payment);
    await this.store.write([checkWrite(payment, 'query', found)]);
    if (payment.review !== null && payment.review !== NO_ANSWER) return this.rest(payment);
    if (found.outcome === 'successful') return this.received(payment, found);
    if (found.outcome === 'reversed') return this.givenBack(payment, found);
    if (found.outcome === 'failed') return this.failed(payment, found);
    return this.wait(payment, found.outcome, now);
  }

  /** The gateway has money. Whether it is the money that was asked for decides. */
  private received(payment: Payment, found: Received): Promise<Payment> {
    const { amount, currency, status } = payment;
    const isExact = found.amount === amount && found.currency === currency;
    const told = `${found.currency} ${found.amount}`;
    if (status === 'successful') {
      const isSame = isWhatCame(payment, found) && found.gatewayReference === payment.gatewayReference;
      return isSame ? this.rest(payment) : this.endings.review(payment, `paid before, and the gateway now says ${told} as ${found.gatewayReference}`);
    }
    const came = { amountReceived: found.amount, currencyReceived: found.currency, gatewayReference: found.gatewayReference };
    // A person decided that it goes back to the payer: until the gateway says so it still has it.
    if (payment.resolution === 'refund_payer' && isWhatCame(payment, found)) return this.rest(payment);
    if (status === 'reversed') return this.endings.review(payment, `reversed before, and the gateway now says that it has ${told}`);
    if (isFinal(status)) return this.endings.review(payment, `${status} before, and the gateway now says that it has ${told}`, { ...came, nextCheckAt: null });
    if (isExact) return this.credited(payment, came);
    return this.endings.review(payment, `the gateway has ${told} instead of ${currency} ${amount}`, { ...came, nextCheckAt: null });
  }

  private async credited(payment: Payment, came: Told): Promise<Payment> {
    const credited = await this.settlement.credit(payment, came);
    return 'id' in credited ? credited : payment;
  }

  private async givenBack(payment: Payment, found: { code: string; message: string }): Promise<Payment> {
    if (payment.status === 'successful') {
      const reversed = await this.settlement.reverse(payment, found);
      return 'id' in reversed ? reversed : payment;
    }
    // It came and went before anybody heard of it: nothing was credited.
    if (!isFinal(payment.status)) return this.endings.end(payment, 'failed', { code: found.code, message: found.message, recovery: 'retry_later' });
    return this.rest(payment);
  }

  private failed(payment: Payment, { code, message, recovery }: NotReceived): Promise<Payment> {
    if (!isFinal(payment.status)) return this.endings.end(payment, 'failed', { code, message, recovery });
    // Successful before and failed now contradict each other: a person must look.
    if (payment.status === 'successful') return this.endings.review(payment, `paid before, and the gateway now says ${code}`);
    return this.rest(payment);
  }

  private async wait(payment: Payment, outcome: QueryResult['outcome'], now: Date): Promise<Payment> {
    if (isFinal(payment.status)) return outcome === 'unknown' && !needsPerson(payment.checks) ? this.again(payment, now) : this.rest(payment);
    if (outcome === 'processing' && payment.status === 'pending') return this.again(payment, now, 'processing');
    const isUntouched = payment.status === 'pending' && outcome !== 'unknown';
    if (isUntouched && payment.expiresAt <= now) return this.endings.end(payment, 'expired', null);
    if (isUntouched || !needsPerson(payment.checks + 1) || payment.review !== null) return this.again(payment, now);
    return this.endings.review(payment, NO_ANSWER, { checks: payment.checks + 1, nextCheckAt: new Date(now.getTime() + checkDelayMs(payment.checks + 1)) });
  }

  /** To be asked about again. What is pending is looked at when it expires, at the latest. */
  private again(payment: Payment, now: Date, status = payment.status): Promise<Payment> {
    const checks = payment.checks + 1;
    const next = now.getTime() + checkDelayMs(checks);
    const end = payment.expiresAt.getTime();
    const isBounded = status === 'pending' && end > now.getTime();
    return this.store.step(payment, { status, checks, nextCheckAt: new Date(isBounded ? Math.min(next, end) : next) });
  }

  /** Nothing is left to be asked. */
  private async rest(payment: Payment): Promise<Payment> {
    return payment.nextCheckAt === null ? payment : this.store.step(payment, { nextCheckAt: null, updatedAt: payment.updatedAt });
  }

  private async expireWhenOver(payment: Payment, now: Date): Promise<Payment> {
    if (isFinal(payment.status)) return this.rest(payment);
    if (payment.expiresAt <= now) return this.endings.end(payment, 'expired', null);
    return this.store.step(payment, { nextCheckAt: payment.expiresAt, updatedAt: payment.updatedAt });
  }
}
