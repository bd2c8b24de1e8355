import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Cells } from '../../core/cells/cells';
import { Rewinds } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { ChangedElsewhere, retryChanged } from '../../core/database/unit-of-work';
import { NotFound } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { slotOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { type CallbackRequest, heard } from '../../providers/answers';
import { Registry } from '../../providers/registry';
import { checkDelayMs, needsPerson } from '../../providers/client';
import { type Look, Requeries } from '../../providers/requeries';
import { sumOf } from './credit';
import type { Claimed, Gateway, GivenBack, NotReceived, QueryResult, Received, Reversal } from './gateway';
import { asCallbackResult, GatewayClient, keyOfGatewayReference } from './gateway-client';
import { callbackWrite, checkWrite, InvalidPaymentTransition, PaymentRefunds, PaymentStore } from './payment-store';
import {
  ABANDONED,
  isFinal,
  type Payment,
  type PaymentPolicy,
  type StoredReversal,
  TO_BE_REFUNDED,
} from './payment.entity';
import { type Notice, refundsOf, SettlementService } from './settlement.service';

/** What a person reversed by evidence; the gateway has another name for it, or none. */
const BY_REVIEW = 'review';

type Came = Pick<Received, 'amount' | 'currency' | 'gatewayReference' | 'fee'>;

const isWhatCame = ({ amountReceived, currencyReceived }: Payment, { amount, currency }: Came): boolean =>
  amount === amountReceived && currency === currencyReceived;

const cameOf = ({ amount, currency, gatewayReference, fee }: Came): Notice => ({
  amountReceived: amount,
  gatewayFee: fee ?? null,
  currencyReceived: currency,
  gatewayReference,
});

const shown = ({ amount, currency }: Came): string => `${currency} ${amount}`;

const partsOf = (reversals: readonly Reversal[]): string =>
  reversals.map(({ gatewayReference, amount }) => `${amount} as ${gatewayReference}`).join(', ');

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

/** With our refunds it would be more than what arrived. */
const tooMuch = ({ reversals }: GivenBack): string =>
  `the gateway gave back ${sumOf(reversals)} beside our refunds: more than what arrived`;

/** What was agreed for another amount than was asked for. */
const policyOf = ({ amount, onUnderpaid, onOverpaid }: Payment, received: bigint): PaymentPolicy =>
  received < amount ? onUnderpaid : onOverpaid;

/** Only alarms: what the gateway says later still counts. */
const NO_ANSWER = 'no answer after all questions';
const DENIED = 'a callback and the gateway contradict each other';
const ALARMS: readonly (string | null)[] = [null, NO_ANSWER, DENIED];
const DENIED_RECHECK_MS = 24 * 3_600_000;

/**
 * Whether the gateway's definite answer denies what a callback claims. A claim of what is over denies nothing: of an
 * attempt that failed before another one succeeded, or of the success before a reversal.
 */
const denies = ({ outcome }: QueryResult, claimed: Claimed): boolean =>
  claimed === 'reversed'
    ? outcome === 'successful' || outcome === 'failed'
    : claimed === 'successful' && outcome === 'failed';

/**
 * What becomes of payments: they are looked at when they are due, when a callback came, and when somebody asks. The
 * gateway says how they stand. Only its definite word moves money; a clock never does.
 */
@Injectable()
export class PaymentRun implements OnModuleInit {
  private readonly log = new Logger('payments');

  constructor(
    private readonly registry: Registry,
    private readonly store: PaymentStore,
    private readonly client: GatewayClient,
    private readonly settlement: SettlementService,
    private readonly refunds: PaymentRefunds,
    private readonly rewinds: Rewinds,
    private readonly requeries: Requeries,
    private readonly cells: Cells,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({ table: 'payments', columns: ['next_check_at'] });
    this.rewinds.include({ table: 'payments', columns: ['expires_at'], where: `status IN ('pending', 'processing')` });
    this.rewinds.include({ table: 'sandbox_gateway_orders', columns: ['ready_at'] });
    this.requeries.include({
      table: 'payments',
      look: (key) => this.look(key, { counts: 1 }),
      states: { kind: `'payment'`, status: 'w.status' },
    });
  }

  /**
   * Takes what a gateway says by itself. It is never believed: a genuine callback only has the gateway asked. Returns
   * once the callback is stored: whatever happens then, the gateway is asked until it answers. Throws `NotFound` for an
   * unknown gateway, `ForgedCallback`.
   */
  async receive(name: string, request: CallbackRequest): Promise<void> {
    const gateway = this.registry.find<Gateway>('payment', name);
    if (gateway === null) throw new NotFound('gateway');
    const result = await heard(name, () => gateway.adapter.verify(request), asCallbackResult);
    if (result === null) return;
    const key = keyOfGatewayReference(result.reference);
    if (key !== null) this.cells.requireHere(slotOf(key.accountId));
    const payment = key && (await this.store.find({ ...key, livemode: gateway.mode === 'live' }));
    // Answered all the same: the gateway would repeat it for ever.
    if (payment?.gateway !== name)
      return this.log.warn({ message: 'a callback is about no payment of its gateway', gateway: name });
    await this.store.makeDue(payment, callbackWrite(payment, result.says ?? null));
    await this.look(payment, { claimed: result.claims }).catch((error: unknown) => {
      this.log.error({
        message: 'a payment could not be looked at; the sweeper will',
        payment: payment.id,
        err: error,
      });
    });
  }

  /** Looks at a payment now, whenever it is due. `claimed`: what a callback said about it. Throws `NotFound`. */
  look(key: Key, { claimed, counts = 0 }: { claimed?: Claimed; counts?: Look['counts'] } = {}): Promise<Payment> {
    return retryChanged(async () => {
      const payment = await this.store.load(key);
      return this.lookAt(payment, { now: await this.store.now(payment), counts }, claimed);
    });
  }

  /**
   * Only while nothing was paid. Money that arrives later at an order that is open by then is for a person to settle.
   * `rows` are written with it. Throws `NotFound`, `InvalidPaymentTransition`.
   */
  async cancel(key: Key, rows: readonly Write[] = []): Promise<Payment> {
    const payment = await this.store.load(key);
    if (payment.status !== 'pending') throw new InvalidPaymentTransition(payment.id, payment.status, 'cancelled');
    try {
      return await this.store.end(payment, 'cancelled', null, { verdict: rows });
    } catch (error) {
      if (!(error instanceof ChangedElsewhere)) throw error;
      return this.cancel(key, rows);
    }
  }

  /** As `cancel`, for a request that may be sent again. Throws `IdempotencyKeyReused`, too. */
  cancelOnce(key: Key, request: RequestClaim): Promise<Made<Payment>> {
    return this.store.once(key, request, (rows) => this.cancel(key, rows));
  }

  private async lookAt(payment: Payment, look: Look, claimed?: Claimed): Promise<Payment> {
    if (payment.gateway === null) return this.expireWhenOver(payment, look.now);
    const found = await this.client.query(payment);
    await this.store.write([checkWrite(payment, 'query', found)]);
    if (!ALARMS.includes(payment.review)) return this.rest(payment);
    const after = await this.follow(payment, found, look);
    if (claimed === undefined || !denies(found, claimed)) return after;
    const nextCheckAt = new Date(look.now.getTime() + DENIED_RECHECK_MS);
    if (after.review === null) return this.store.flag(after, DENIED, { nextCheckAt });
    return after.review === DENIED ? this.store.step(after, { nextCheckAt }) : after;
  }

  private follow(payment: Payment, found: QueryResult, look: Look): Promise<Payment> {
    if (found.outcome === 'successful') return this.received(payment, found);
    if (found.outcome === 'reversed') return this.givenBack(payment, found, look);
    if (found.outcome === 'failed') return this.failed(payment, found);
    return this.wait(payment, found.outcome, look);
  }

  /** The gateway has money. Whether it is the money that was asked for decides. */
  private received(payment: Payment, found: Received): Promise<Payment> {
    const { amount, currency, status } = payment;
    const isExact = found.amount === amount && found.currency === currency;
    const told = shown(found);
    if (status === 'successful') {
      const isOne = payment.gatewayReference === null || found.gatewayReference === payment.gatewayReference;
      const isSame = isWhatCame(payment, found) && isOne && payment.reversals.length === 0;
      return isSame
        ? this.rest(payment)
        : this.store.flag(payment, `paid before, and the gateway now says ${told} as ${found.gatewayReference}`);
    }
    const came = cameOf(found);
    // A person decided that it goes back to the payer: until the gateway says so it still has it.
    if (payment.resolution === 'refund_payer' && isWhatCame(payment, found)) return this.rest(payment);
    if (status === 'reversed')
      return this.store.flag(payment, `reversed before, and the gateway now says that it has ${told}`);
    if (isFinal(status))
      return this.store.flag(payment, `${status} before, and the gateway now says that it has ${told}`, {
        ...came,
        nextCheckAt: null,
      });
    if (isExact) return this.credit(payment, came);
    const policy = found.currency === currency ? policyOf(payment, found.amount) : 'review';
    if (policy === 'accept_received' && found.amount > payment.fee)
      return this.credit(payment, { ...came, resolution: policy, creditWalletId: null });
    const back = policy === 'refund' && this.refunds.toPayer({ ...payment, ...came });
    if (back) return this.sendBack(payment, came, back);
    return this.store.flag(payment, `the gateway has ${told} instead of ${currency} ${amount}`, {
      ...came,
      nextCheckAt: null,
    });
  }

  private async credit(payment: Payment, came: Notice): Promise<Payment> {
    const credited = await this.settlement.credit(payment, came);
    return 'id' in credited ? credited : payment;
  }

  /** What arrived is not accepted: it goes back to the payer, as was agreed when the payment was made. */
  private async sendBack(
    payment: Payment,
    came: Notice,
    { patch, rows, begin }: NonNullable<ReturnType<PaymentRefunds['toPayer']>>,
  ): Promise<Payment> {
    const more = { ...came, ...patch, resolution: 'refund_payer' } as const;
    const ended = await this.store.end(payment, 'failed', TO_BE_REFUNDED, { more, verdict: rows });
    await begin();
    return this.store.load(ended);
  }

  private async givenBack(payment: Payment, said: GivenBack, look: Look): Promise<Payment> {
    const { status, currency, amount } = payment;
    const { reversals, isOpen, contradicting } = await this.refunds.foreignOf(payment, said);
    const found = { ...said, reversals };
    if (contradicting.length > 0)
      return this.store.flag(
        payment,
        `the gateway now says of our refunds that it gave back ${partsOf(contradicting)}`,
      );
    if (isOpen)
      return needsPerson(payment.checks + look.counts)
        ? this.store.flag(payment, 'given back, and nobody can say whether by a refund that is under way')
        : this.askAgain(payment, look);
    // All of it are refunds of ours.
    if (reversals.length === 0) return this.received(payment, { ...found, outcome: 'successful' });
    if (status === 'successful' || status === 'reversed') return this.reverse(payment, found);
    const isAll = sumOf(found.reversals) === found.amount;
    if (payment.resolution === 'refund_payer' && isWhatCame(payment, found)) return this.byHand(payment, found);
    if (isAll && isFinal(status)) return this.rest(payment);
    // It came and went before anybody heard of it: nothing was credited.
    if (isAll)
      return this.store.end(payment, 'failed', { code: found.code, message: found.message, recovery: 'retry_later' });
    const isExact = found.amount === amount && found.currency === currency && !isFinal(status);
    if (!isExact)
      return this.store.flag(
        payment,
        `${status} before, and the gateway now says that it had ${shown(found)} ` +
          `and gave ${sumOf(found.reversals)} of it back`,
        { ...cameOf(found), nextCheckAt: null },
      );
    const credited = await this.credit(payment, cameOf(found));
    return credited.status === 'successful' ? this.reverse(credited, found) : credited;
  }

  /** The gateway gave it back without a refund of ours. */
  private byHand(payment: Payment, found: GivenBack): Promise<Payment> {
    const told = refundsOf(payment, heardOf(payment, found));
    return told.amountRefunded + payment.refundsRunning > payment.amountReceived!
      ? this.store.flag(payment, tooMuch(found))
      : this.store.step(payment, { ...told, nextCheckAt: null });
  }

  /** Each reversal counts once. One that is another than before, or gone, is a contradiction. */
  private async reverse(payment: Payment, found: GivenBack): Promise<Payment> {
    const isKnown = payment.reversals.every(
      ({ reference, amount }) =>
        reference === BY_REVIEW ||
        found.reversals.some((one) => one.gatewayReference === reference && one.amount === BigInt(amount)),
    );
    if (!isWhatCame(payment, found) || !isKnown) {
      return this.store.flag(
        payment,
        `paid before, and the gateway now says that it had ${shown(found)} and gave back ${partsOf(found.reversals)}`,
      );
    }
    const reversals = heardOf(payment, found);
    if (refundsOf(payment, reversals).amountRefunded + payment.refundsRunning > payment.amountReceived!)
      return this.store.flag(payment, tooMuch(found));
    if (payment.status === 'reversed' || reversals.every(({ taken }) => taken !== null)) return this.rest(payment);
    const reversed = await this.settlement.reverse(payment, { code: found.code, message: found.message, reversals });
    return 'id' in reversed ? reversed : payment;
  }

  private failed(payment: Payment, { code, message, recovery }: NotReceived): Promise<Payment> {
    if (!isFinal(payment.status)) return this.store.end(payment, 'failed', { code, message, recovery });
    // Successful before and failed now contradict each other: a person must look.
    if (payment.status === 'successful')
      return this.store.flag(payment, `paid before, and the gateway now says ${code}`);
    return this.rest(payment);
  }

  private async wait(payment: Payment, outcome: QueryResult['outcome'], look: Look): Promise<Payment> {
    if (isFinal(payment.status))
      return outcome === 'unknown' && !needsPerson(payment.checks) ? this.askAgain(payment, look) : this.rest(payment);
    if (outcome === 'processing' && payment.status === 'pending') return this.askAgain(payment, look, 'processing');
    // What the payer began and left may be begun again until it expires.
    const isUnpaid = outcome === 'awaiting' || outcome === 'not_known';
    if (isUnpaid && payment.expiresAt <= look.now)
      return payment.status === 'pending'
        ? this.store.end(payment, 'expired', null)
        : this.store.end(payment, 'failed', ABANDONED);
    const checks = payment.checks + look.counts;
    if (isUnpaid || !needsPerson(checks) || payment.review !== null) return this.askAgain(payment, look);
    const nextCheckAt = new Date(look.now.getTime() + checkDelayMs(checks));
    return this.store.flag(payment, NO_ANSWER, { checks, nextCheckAt });
  }

  /** To be asked about again. What is not final is looked at when it expires, at the latest. */
  private askAgain(payment: Payment, { now, counts }: Look, status = payment.status): Promise<Payment> {
    const checks = payment.checks + counts;
    const next = now.getTime() + checkDelayMs(checks);
    const end = payment.expiresAt.getTime();
    const isBounded = !isFinal(status) && end > now.getTime();
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
    if (payment.expiresAt <= now) return this.store.end(payment, 'expired', null);
    return this.store.step(payment, { nextCheckAt: payment.expiresAt, updatedAt: payment.updatedAt });
  }
}
