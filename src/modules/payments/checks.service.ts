import { Injectable } from '@nestjs/common';
import { checkDelayMs, needsPerson } from '../../core/adapters/check-schedule';
import { EndingsService } from './endings.service';
import type { Claimed, GivenBack, NotReceived, QueryResult, Received } from './gateway';
import { GatewayClient } from './gateways/gateway-client';
import { sumOf } from './payment-postings.batch';
import { ChangedElsewhere } from './payment-step.batch';
import { PaymentStore } from './payment-store.service';
import { isFinal, type Payment, type PaymentKey, type StoredReversal } from './payment.entity';
import { checkWrite } from './payments.queries';
import { SettlementService, type Told, toldOf } from './settlement.service';

/** What a person reversed by evidence; the gateway has another name for it, or none. */
const BY_REVIEW = 'review';

type Came = Pick<Received, 'amount' | 'currency' | 'gatewayReference'>;

const isWhatCame = ({ amountReceived, currencyReceived }: Payment, { amount, currency }: Came): boolean =>
  amount === amountReceived && currency === currencyReceived;

const cameOf = ({ amount, currency, gatewayReference }: Came): Told => ({
  amountReceived: amount,
  currencyReceived: currency,
  gatewayReference,
});

const toldBy = ({ amount, currency }: Came): string => `${currency} ${amount}`;

/** What is known of a payment's reversals, and what is new. */
const heardOf = ({ reversals }: Payment, found: GivenBack): readonly StoredReversal[] => [
  ...reversals,
  ...found.reversals
    .filter((one) => !reversals.some(({ reference }) => reference === one.gatewayReference))
    .map(({ gatewayReference, amount }): StoredReversal => ({
      reference: gatewayReference,
      amount: amount.toString(),
      taken: null,
      transactionId: null,
    })),
];

/** Only alarms: what the gateway says later still counts. */
const NO_ANSWER = 'no answer after all questions';
const DENIED = 'a callback and the gateway contradict each other';
const ALARMS: readonly (string | null)[] = [null, NO_ANSWER, DENIED];
const DENIED_RECHECK_MS = 24 * 3_600_000;
/** Those who want to change one payment at the same time are few. */
const TRIES_MAX = 20;

/**
 * Whether the gateway's definite answer denies what a callback claims. A claim of what is over denies nothing: of an attempt that failed
 * before another one succeeded, or of the success before a reversal.
 */
const denies = ({ outcome }: QueryResult, claimed: Claimed): boolean =>
  claimed === 'reversed'
    ? outcome === 'successful' || outcome === 'failed'
    : claimed === 'successful' && outcome === 'failed';

/** Asks gateways what became of payments, and does what follows. Only a gateway's definite word moves money; a clock never does. */
@Injectable()
export class ChecksService {
  constructor(
    private readonly store: PaymentStore,
    private readonly calls: GatewayClient,
    private readonly settlement: SettlementService,
    private readonly endings: EndingsService,
  ) {}

  /** Looks at a payment now, whenever it is due. `claimed`: what a callback said about it. Throws `NotFound`. */
  async look(key: PaymentKey, claimed?: Claimed): Promise<Payment> {
    for (let tries = 1; ; tries++) {
      const payment = await this.store.load(key);
      try {
        return await this.lookAt(payment, claimed);
      } catch (error) {
        if (!(error instanceof ChangedElsewhere) || tries === TRIES_MAX) throw error;
      }
    }
  }

  private async lookAt(payment: Payment, claimed?: Claimed): Promise<Payment> {
    const now = await this.store.now(payment);
    if (payment.gateway === null) return this.expireWhenOver(payment, now);
    const found = await this.calls.query(payment);
    await this.store.write([checkWrite(payment, 'query', found)]);
    if (!ALARMS.includes(payment.review)) return this.rest(payment);
    const after = await this.follow(payment, found, now);
    if (claimed === undefined || !denies(found, claimed)) return after;
    const nextCheckAt = new Date(now.getTime() + DENIED_RECHECK_MS);
    if (after.review === null) return this.endings.review(after, DENIED, { nextCheckAt });
    return after.review === DENIED ? this.store.step(after, { nextCheckAt }) : after;
  }

  private follow(payment: Payment, found: QueryResult, now: Date): Promise<Payment> {
    if (found.outcome === 'successful') return this.received(payment, found);
    if (found.outcome === 'reversed') return this.givenBack(payment, found);
    if (found.outcome === 'failed') return this.failed(payment, found);
    return this.wait(payment, found.outcome, now);
  }

  /** The gateway has money. Whether it is the money that was asked for decides. */
  private received(payment: Payment, found: Received): Promise<Payment> {
    const { amount, currency, status } = payment;
    const isExact = found.amount === amount && found.currency === currency;
    const told = toldBy(found);
    if (status === 'successful') {
      const isOne = payment.gatewayReference === null || found.gatewayReference === payment.gatewayReference;
      const isSame = isWhatCame(payment, found) && isOne && payment.reversals.length === 0;
      return isSame
        ? this.rest(payment)
        : this.endings.review(payment, `paid before, and the gateway now says ${told} as ${found.gatewayReference}`);
    }
    const came = cameOf(found);
    // A person decided that it goes back to the payer: until the gateway says so it still has it.
    if (payment.resolution === 'refund_payer' && isWhatCame(payment, found)) return this.rest(payment);
    if (status === 'reversed')
      return this.endings.review(payment, `reversed before, and the gateway now says that it has ${told}`);
    if (isFinal(status))
      return this.endings.review(payment, `${status} before, and the gateway now says that it has ${told}`, {
        ...came,
        nextCheckAt: null,
      });
    if (isExact) return this.credited(payment, came);
    return this.endings.review(payment, `the gateway has ${told} instead of ${currency} ${amount}`, {
      ...came,
      nextCheckAt: null,
    });
  }

  private async credited(payment: Payment, came: Told): Promise<Payment> {
    const credited = await this.settlement.credit(payment, came);
    return 'id' in credited ? credited : payment;
  }

  private async givenBack(payment: Payment, found: GivenBack): Promise<Payment> {
    const { status, currency, amount } = payment;
    if (status === 'successful' || status === 'reversed') return this.takenBack(payment, found);
    const isAll = sumOf(found.reversals) === found.amount;
    if (payment.resolution === 'refund_payer' && isWhatCame(payment, found))
      return this.store.step(payment, { ...toldOf(heardOf(payment, found)), nextCheckAt: null });
    if (isAll && isFinal(status)) return this.rest(payment);
    // It came and went before anybody heard of it: nothing was credited.
    if (isAll)
      return this.endings.end(payment, 'failed', { code: found.code, message: found.message, recovery: 'retry_later' });
    const isExact = found.amount === amount && found.currency === currency && !isFinal(status);
    if (!isExact)
      return this.endings.review(
        payment,
        `${status} before, and the gateway now says that it had ${toldBy(found)} and gave ${sumOf(found.reversals)} of it back`,
        { ...cameOf(found), nextCheckAt: null },
      );
    const credited = await this.credited(payment, cameOf(found));
    return credited.status === 'successful' ? this.takenBack(credited, found) : credited;
  }

  /** Each reversal counts once. One that is another than before, or gone, is a contradiction. */
  private async takenBack(payment: Payment, found: GivenBack): Promise<Payment> {
    const isKnown = payment.reversals.every(
      ({ reference, amount }) =>
        reference === BY_REVIEW ||
        found.reversals.some((one) => one.gatewayReference === reference && one.amount === BigInt(amount)),
    );
    if (!isWhatCame(payment, found) || !isKnown) {
      const told = found.reversals.map(({ gatewayReference, amount }) => `${amount} as ${gatewayReference}`).join(', ');
      return this.endings.review(
        payment,
        `paid before, and the gateway now says that it had ${toldBy(found)} and gave back ${told}`,
      );
    }
    const reversals = heardOf(payment, found);
    if (payment.status === 'reversed' || reversals.every(({ taken }) => taken !== null)) return this.rest(payment);
    const reversed = await this.settlement.reverse(payment, { code: found.code, message: found.message, reversals });
    return 'id' in reversed ? reversed : payment;
  }

  private failed(payment: Payment, { code, message, recovery }: NotReceived): Promise<Payment> {
    if (!isFinal(payment.status)) return this.endings.end(payment, 'failed', { code, message, recovery });
    // Successful before and failed now contradict each other: a person must look.
    if (payment.status === 'successful')
      return this.endings.review(payment, `paid before, and the gateway now says ${code}`);
    return this.rest(payment);
  }

  private async wait(payment: Payment, outcome: QueryResult['outcome'], now: Date): Promise<Payment> {
    if (isFinal(payment.status))
      return outcome === 'unknown' && !needsPerson(payment.checks) ? this.again(payment, now) : this.rest(payment);
    if (outcome === 'processing' && payment.status === 'pending') return this.again(payment, now, 'processing');
    const isUntouched = payment.status === 'pending' && outcome !== 'unknown';
    if (isUntouched && payment.expiresAt <= now) return this.endings.end(payment, 'expired', null);
    if (isUntouched || !needsPerson(payment.checks + 1) || payment.review !== null) return this.again(payment, now);
    return this.endings.review(payment, NO_ANSWER, {
      checks: payment.checks + 1,
      nextCheckAt: new Date(now.getTime() + checkDelayMs(payment.checks + 1)),
    });
  }

  /** To be asked about again. What is pending is looked at when it expires, at the latest. */
  private again(payment: Payment, now: Date, status = payment.status): Promise<Payment> {
    const checks = payment.checks + 1;
    const next = now.getTime() + checkDelayMs(checks);
    const end = payment.expiresAt.getTime();
    const isBounded = status === 'pending' && end > now.getTime();
    const nextCheckAt = new Date(isBounded ? Math.min(next, end) : next);
    // That somebody asks again is no change of what is final.
    return this.store.step(payment, {
      status,
      checks,
      nextCheckAt,
      ...(isFinal(status) && { updatedAt: payment.updatedAt }),
    });
  }

  /** Nothing is left to be asked. */
  private async rest(payment: Payment): Promise<Payment> {
    return payment.nextCheckAt === null
      ? payment
      : this.store.step(payment, { nextCheckAt: null, updatedAt: payment.updatedAt });
  }

  private async expireWhenOver(payment: Payment, now: Date): Promise<Payment> {
    if (isFinal(payment.status)) return this.rest(payment);
    if (payment.expiresAt <= now) return this.endings.end(payment, 'expired', null);
    return this.store.step(payment, { nextCheckAt: payment.expiresAt, updatedAt: payment.updatedAt });
  }
}
