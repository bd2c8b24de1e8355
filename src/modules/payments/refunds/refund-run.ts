import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Rewinds } from '../../../core/clock/clock';
import { unnested, type Write } from '../../../core/database/bulk';
import { ChangedElsewhere, constraintOf, retryAway, retryChanged } from '../../../core/database/unit-of-work';
import type { Key } from '../../../core/http/caller';
import { newIdOf } from '../../../core/http/ids';
import { WorkUnderWay } from '../../../core/process/work-under-way';
import { Endings, type WaitForEnd } from '../../../core/resources/endings';
import { ABANDONED_AFTER_MS, checkDelayMs, needsPerson, neverArrived } from '../../../providers/client';
import { Registry } from '../../../providers/registry';
import { Requeries } from '../../../providers/requeries';
import type { Gateway, GivenBack, RefundFound, Reversal } from '../gateway';
import { GatewayClient } from '../gateway-client';
import { type Foreign, InvalidPaymentTransition, PaymentRefunds, PaymentStore } from '../payment-store';
import type { Payment } from '../payment.entity';
import { awaitsApproval, isRunning, type Refund } from './refund.entity';
import { RefundSettlement } from './refund-settlement';
import { refundCheckWrite, refundReferenceOf, RefundStore, refundWrite } from './refund-store';

/** Only an alarm: what the gateway says later still counts. */
const NO_ANSWER = 'no answer after all questions';

/** Only a person settles it. */
const awaitsPerson = ({ review }: Readonly<Refund>): boolean => review !== null && review !== NO_ANSWER;

/** Of these refunds, those that are final. */
const SELECT_ENDED = {
  name: 'select_ended_refunds',
  text: `SELECT r.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v
    JOIN refunds r USING (account_id, livemode, id)
    WHERE r.status NOT IN ('pending', 'processing')`,
};

/**
 * Carries refunds from their hold to an end, or to a person: asks the gateway, outside of any transaction, and asks
 * again what became of it when nobody could say. Payments are told here which reversals are refunds of ours.
 */
@Injectable()
export class RefundRun extends PaymentRefunds implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('refunds');
  private readonly underWay = new WorkUnderWay();
  private readonly waitForEnd: WaitForEnd;

  constructor(
    private readonly store: RefundStore,
    private readonly payments: PaymentStore,
    private readonly client: GatewayClient,
    private readonly settlement: RefundSettlement,
    private readonly requeries: Requeries,
    private readonly rewinds: Rewinds,
    private readonly registry: Registry,
    endings: Endings,
  ) {
    super();
    this.waitForEnd = endings.of(SELECT_ENDED);
  }

  onModuleInit(): void {
    this.rewinds.include({ table: 'refunds', columns: ['next_check_at', 'approve_by', 'asked_at'] });
    this.rewinds.include({ table: 'sandbox_gateway_refunds', columns: ['ready_at'] });
    this.requeries.include({
      table: 'refunds',
      look: (key) => this.look(key),
      states: { kind: `'refund'`, status: 'w.status' },
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  /** Whether the payment's gateway can be asked to refund it. */
  canRefund({ gateway, gatewayReference, livemode }: Readonly<Payment>): boolean {
    const adapter = gateway === null ? null : this.registry.findOf<Gateway>('payment', gateway, livemode)?.adapter;
    return gatewayReference !== null && adapter?.refund !== undefined && adapter.findRefund !== undefined;
  }

  /** As `begin`, for whoever waits for the end, at most `ms`. */
  async carryOut(key: Key, ms: number): Promise<void> {
    const { accountId, livemode, id } = key;
    const isOpen = async () => isRunning((await this.store.load(key)).status);
    await this.waitForEnd({ accountId, livemode, id, ms, ours: this.begin(key), isRunning: isOpen });
  }

  /** Looks at a refund that was just recorded. Never throws: what a fault leaves undone is found when it is due. */
  begin(key: Key): Promise<void> {
    return this.goOn(key, this.look(key));
  }

  /** As it is now. */
  present(key: Key): Promise<Refund> {
    return retryAway(() => this.store.load(key));
  }

  /**
   * A second person let it go: the gateway is asked, for which nobody waits. `rows` are written with that. Throws
   * `InvalidPaymentTransition`, `ChangedElsewhere`.
   */
  async approve(refund: Refund, rows: readonly Write[]): Promise<void> {
    const payment = await this.payments.load({ ...refund, id: refund.paymentId });
    requirePaid(payment);
    const asked = await this.toBeAsked(refund, rows, { approval: 'approved' });
    void this.goOn(refund, this.send(asked, payment));
  }

  /** Nobody lets it go: what is held goes back, with `rows`. Throws `ChangedElsewhere`. */
  async cancel(
    refund: Refund,
    approval: 'declined' | 'expired' | 'cancelled',
    rows: readonly Write[] = [],
  ): Promise<Refund> {
    return this.settlement.end(refund, { status: 'cancelled', gatewayReference: null, failure: null, approval, rows });
  }

  /** Looks at a refund now, whenever it is due. Throws `NotFound`. */
  look(key: Key): Promise<void> {
    return retryChanged(async () => this.lookAt(await this.store.load(key)));
  }

  override async foreignOf(payment: Readonly<Payment>, found: GivenBack): Promise<Foreign> {
    const before = await this.store.ofPayment(payment);
    if (before.length === 0) return { reversals: found.reversals, isOpen: false, contradicting: [] };
    for (const refund of before.filter(({ status }) => isRunning(status))) {
      const told = ownOf(refund, found.reversals);
      if (told) await this.settleTold(refund, found, told);
      else await this.begin(refund);
    }
    const refunds = await this.store.ofPayment(payment);
    const made = refunds
      .filter(({ status }) => status === 'successful')
      .map((refund) => ({ refund, own: ownOf(refund, found.reversals) }));
    const contradicting = made.flatMap(({ refund, own }) => (own && own.amount !== refund.amount ? [own] : []));
    const isNew = ({ gatewayReference }: Reversal) =>
      !payment.reversals.some(({ reference }) => reference === gatewayReference);
    const reversals = withoutMade(found.reversals, made, isNew);
    const isOpen = reversals.some(isNew) && refunds.some((one) => isRunning(one.status) && !awaitsApproval(one));
    return { reversals, isOpen, contradicting };
  }

  override toPayer(payment: Readonly<Payment>): ReturnType<PaymentRefunds['toPayer']> {
    const amount = (payment.amountReceived ?? 0n) - payment.amountRefunded - payment.refundsRunning;
    if (amount <= 0n || !this.canRefund(payment)) return null;
    const { accountId, livemode, currencyReceived, gateway, requestId } = payment;
    const now = new Date();
    const refund: Refund = {
      accountId,
      livemode,
      id: newIdOf(accountId),
      paymentId: payment.id,
      status: 'pending',
      walletId: null,
      transactionId: null,
      amount,
      fee: 0n,
      currency: currencyReceived!,
      gateway: gateway!,
      gatewayReference: null,
      reference: null,
      reason: 'Not what was asked for.',
      metadata: {},
      breakdown: [],
      failure: null,
      approval: null,
      approveBy: null,
      attempts: 0,
      askedAt: null,
      checks: 0,
      notKnown: 0,
      nextCheckAt: now,
      review: null,
      reviews: 0,
      version: 1,
      requestId,
      idempotencyKey: null,
      updatedAt: now,
      completedAt: null,
    };
    return {
      patch: { refundsRunning: payment.refundsRunning + amount },
      rows: [refundWrite(refund)],
      begin: () => this.begin(refund),
    };
  }

  private goOn(key: Key, work: Promise<void>): Promise<void> {
    const settled = work.catch((error: unknown) => {
      this.log.error({ message: 'a refund was left to its requery', refund: key.id, err: error });
    });
    return this.underWay.add(settled);
  }

  private async lookAt(refund: Refund): Promise<void> {
    if (!isRunning(refund.status)) {
      if (refund.nextCheckAt !== null)
        await this.settlement.note(refund, { patch: { nextCheckAt: null, updatedAt: refund.updatedAt } });
      return;
    }
    if (awaitsApproval(refund)) return this.expireWhenOver(refund);
    const payment = await this.payments.load({ ...refund, id: refund.paymentId });
    if (refund.status === 'pending') return this.ask(refund, payment);
    const found = await this.client.findRefund(payment, orderOf(refund));
    const row = refundCheckWrite(refund, 'find_refund', found);
    if (found.outcome !== 'not_known') return this.follow(refund, found, row);
    // Who is slow may list it later; and a person who decides must not be overtaken. Nothing new is asked for then.
    const now = await this.payments.now(refund);
    const isLost = refund.askedAt !== null && neverArrived(refund.notKnown + 1, refund.askedAt, now);
    if (isLost && refund.review === null) await this.ask(refund, payment, row);
    else await this.wait(refund, found, row);
  }

  private async expireWhenOver(refund: Refund): Promise<void> {
    if (refund.approveBy! <= (await this.payments.now(refund))) await this.cancel(refund, 'expired');
  }

  /** The gateway is asked to refund; that it is about to be is stored first. */
  private async ask(refund: Refund, payment: Payment, ...rows: Write[]): Promise<void> {
    await this.send(await this.toBeAsked(refund, rows), payment);
  }

  /** That the gateway is about to be asked. */
  private async toBeAsked(refund: Refund, rows: readonly Write[], more: Partial<Refund> = {}): Promise<Refund> {
    const now = await this.payments.now(refund);
    return this.settlement.note(refund, {
      patch: {
        status: 'processing',
        attempts: refund.attempts + 1,
        askedAt: now,
        notKnown: 0,
        nextCheckAt: new Date(now.getTime() + ABANDONED_AFTER_MS),
        ...more,
      },
      ...(refund.status === 'pending' && {
        what: 'processing',
        shown: { status: 'processing', providerName: refund.gateway, providerAttempts: 1 },
      }),
      rows,
    });
  }

  private async send(asked: Refund, payment: Payment): Promise<void> {
    const result = await this.client.refund(payment, orderOf(asked));
    await this.follow(asked, result, refundCheckWrite(asked, 'refund', result));
  }

  private async follow(
    refund: Refund,
    found: Exclude<RefundFound, { outcome: 'not_known' }>,
    row: Write,
  ): Promise<void> {
    if (awaitsPerson(refund)) {
      await this.settlement.note(refund, { patch: { nextCheckAt: null }, rows: [row] });
      return;
    }
    if (found.outcome === 'refunded') return this.refunded(refund, found, row);
    if (found.outcome !== 'not_refunded') return this.wait(refund, found, row);
    const { code, message, recovery } = found;
    await this.settlement.end(refund, {
      status: 'failed',
      gatewayReference: refund.gatewayReference,
      failure: { code, message, recovery },
      rows: [row],
    });
  }

  private async refunded(
    refund: Refund,
    { amount, gatewayReference }: Pick<Reversal, 'amount' | 'gatewayReference'>,
    row: Write,
  ): Promise<void> {
    if (amount !== refund.amount)
      return this.leaveToPerson(refund, `the gateway gave back ${amount} as ${gatewayReference}`, row);
    const { reversals } = await this.payments.load({ ...refund, id: refund.paymentId });
    if (reversals.some(({ reference }) => reference === gatewayReference))
      return this.leaveToPerson(refund, `the gateway says ${gatewayReference}, which is a reversal`, row);
    try {
      await this.settlement.end(refund, { status: 'successful', gatewayReference, failure: null, rows: [row] });
    } catch (error) {
      if (constraintOf(error) !== 'refunds_by_gateway_reference') throw error;
      await this.leaveToPerson(refund, `the gateway says ${gatewayReference}, which is another refund`, row);
    }
  }

  private async leaveToPerson(refund: Refund, reason: string, row: Write): Promise<void> {
    await this.settlement.flag(refund, reason, {}, [row]);
  }

  /**
   * The payment's own state tells of the refund: that settles it as an answer to a question about it does. What waits
   * for a person is neither settled nor flagged again.
   */
  private async settleTold(refund: Refund, found: GivenBack, told: Reversal): Promise<void> {
    const row = refundCheckWrite(refund, 'query', found);
    if (refund.status === 'pending' || awaitsPerson(refund)) return;
    await this.refunded(refund, told, row).catch((error: unknown) => {
      if (!(error instanceof ChangedElsewhere)) throw error;
    });
  }

  /** Nobody can say, or the gateway is at it: asked again. After the last question a person is called, once. */
  private async wait(refund: Refund, found: RefundFound, row: Write): Promise<void> {
    const now = await this.payments.now(refund);
    const checks = refund.checks + 1;
    const told = 'gatewayReference' in found ? found.gatewayReference : undefined;
    const patch: Partial<Refund> = {
      checks,
      notKnown: found.outcome === 'not_known' ? refund.notKnown + 1 : 0,
      // A version before did not note when it asked.
      askedAt: refund.askedAt ?? now,
      nextCheckAt: new Date(now.getTime() + checkDelayMs(checks - 1)),
      gatewayReference: refund.gatewayReference ?? told ?? null,
    };
    const after =
      needsPerson(checks) && refund.review === null
        ? await this.settlement.flag(refund, NO_ANSWER, patch, [row])
        : await this.settlement.note(refund, { patch, rows: [row] });
    await this.requeries.setAlarms('refunds', after);
  }
}

/** Only what was paid, and nobody has to look at, goes back. Throws `InvalidPaymentTransition`. */
export function requirePaid({ id, status, review }: Readonly<Payment>): void {
  if (status === 'successful' && review === null) return;
  throw new InvalidPaymentTransition(id, review === null ? status : `${status}, in review,`, 'refunded');
}

/** What a gateway is asked about a refund. */
const orderOf = (refund: Readonly<Refund>) => ({
  reference: refundReferenceOf(refund),
  amount: refund.amount,
  currency: refund.currency,
  reason: refund.reason,
  ...(refund.gatewayReference !== null && { gatewayReference: refund.gatewayReference }),
});

/** The one that a refund is: by what the gateway calls it; where it tells of none of that name, by what we did. */
const ownOf = (refund: Readonly<Refund>, reversals: readonly Reversal[]): Reversal | undefined =>
  reversals.find(({ gatewayReference }) => gatewayReference === refund.gatewayReference) ??
  reversals.find(({ reference }) => reference === refundReferenceOf(refund));

/**
 * Each refund is one reversal, whatever else bears its reference. One that a person settled by evidence may have no
 * name at the gateway: one reversal of its amount, of which nobody has heard before, is this refund.
 */
function withoutMade(
  reversals: readonly Reversal[],
  made: readonly { readonly refund: Refund; readonly own: Reversal | undefined }[],
  isNew: (one: Reversal) => boolean,
): readonly Reversal[] {
  let left = reversals.filter((one) => !made.some(({ own }) => own === one));
  const names = made.map(({ refund }) => refundReferenceOf(refund));
  for (const { refund, own } of made) {
    if (own !== undefined || refund.gatewayReference !== null) continue;
    const same = left.find(
      (one) => one.amount === refund.amount && isNew(one) && names.every((name) => name !== one.reference),
    );
    if (same) left = left.filter((one) => one !== same);
  }
  return left;
}
