import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Key } from '../../core/http/caller';
import { Clock } from '../../core/clock/clock';
import { bulkInsert, type Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { asChangedElsewhere, type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError, found } from '../../core/errors/domain-error';
import { Extensions } from '../../core/extension/extensions';
import { encodeId, newIdOf } from '../../core/http/ids';
import type { Claim, Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { EventType } from '../../vocabulary/event-types';
import { eventWrite } from '../../core/outbox/outbox';
import type { Refused } from '../../providers/answers';
import type { GivenBack, QueryResult, Reversal, StartResult } from './gateway';
import { PaymentDto } from './payment.dto';
import { assertTransition, Payment, type PaymentStatus } from './payment.entity';

const payments = rows(Payment);

/** What becomes known of a payment after it was asked for. */
const LATER = [
  'gatewayReference',
  'page',
  'amountReceived',
  'gatewayFee',
  'currencyReceived',
  'amountRefunded',
  'refundsMade',
  'refundsRunning',
  'reversals',
  'resolution',
  'creditWalletId',
  'failure',
  'review',
  'reviews',
  'transactionId',
  'paidAt',
] as const;

export const paymentWrite = payments.insert({ except: LATER });

/**
 * A changed payment. A step is about the version that it read: of two that heard the same callback, one credits and the
 * other fails here.
 */
const paymentChange = payments.update({
  name: 'update_payments',
  change: ['status', 'gateway', ...LATER, 'nextCheckAt', 'checks', 'version', 'updatedAt'],
  was: ['version'],
});

const insertCheck = bulkInsert('payment_checks', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  payment_id: 'uuid',
  gateway: 'text',
  call: 'text',
  outcome: 'text',
  code: 'text?',
  amount: 'bigint?',
  currency: 'text?',
});

/** What a gateway answered. */
export const checkWrite = (p: Readonly<Payment>, call: 'start' | 'query', result: StartResult | QueryResult): Write =>
  insertCheck.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: newIdOf(p.accountId),
    payment_id: p.id,
    gateway: p.gateway!,
    call,
    outcome: result.outcome,
    code: 'code' in result ? result.code : null,
    amount: 'amount' in result ? result.amount : null,
    currency: 'amount' in result ? result.currency : null,
  });

const insertCallback = bulkInsert('payment_callbacks', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  payment_id: 'uuid',
  gateway: 'text',
  says: 'text?',
});

/** A callback that its gateway signed. */
export const callbackWrite = (p: Readonly<Payment>, says: string | null): Write =>
  insertCallback.row({
    account_id: p.accountId,
    livemode: p.livemode,
    id: newIdOf(p.accountId),
    payment_id: p.id,
    gateway: p.gateway!,
    says,
  });

/** The payment is in a state in which this cannot be done. */
export class InvalidPaymentTransition extends DomainError {
  constructor(paymentId: string, status: string, wanted: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('pay', paymentId)} is ${status} and cannot be ${wanted}.`,
      resourceId: encodeId('pay', paymentId),
    });
  }
}

/** An order that is open at a gateway is asked about once more: money that shows up later is for a person to see. */
const LATE_RECHECK_MS = 24 * 3_600_000;

/** Of what a gateway gave back, what no refund of ours is. */
export interface Foreign {
  readonly reversals: readonly Reversal[];
  /** One of them may still turn out to be a refund that is under way. */
  readonly isOpen: boolean;
  /** Of other amounts than the refunds of ours that they are. */
  readonly contradicting: readonly Reversal[];
}

/** What goes back to a payer of whom nothing was credited. */
interface ToPayer {
  /** Of the payment. */
  readonly patch: Partial<Payment>;
  readonly rows: readonly Write[];
  /** Asks the gateway, once the rows are stored. Does not reject. */
  readonly begin: () => Promise<void>;
}

/** The refunds of payments, as payments know them: those who make them (`refunds/`) say what is theirs. */
export abstract class PaymentRefunds {
  /** Of a gateway's answer. What it says of refunds of ours is settled before this answers. */
  abstract foreignOf(payment: Readonly<Payment>, found: GivenBack): Promise<Foreign>;

  /** The refund of all that arrived and is still there. Null: the gateway takes none, somebody must make it by hand. */
  abstract toPayer(payment: Readonly<Payment>): ToPayer | null;
}

/** How a person ended it. */
interface Ending {
  readonly more?: Partial<Payment>;
  /** Rows that are written with the end. */
  readonly verdict?: readonly Write[];
}

/**
 * Has a payment looked at now, at `$4`, whatever becomes of whoever says so: a step on what was read before fails, and
 * looks again.
 */
const MAKE_DUE = `
  UPDATE payments SET next_check_at = least(coalesce(next_check_at, $4), $4), version = version + 1
   WHERE account_id = $1 AND livemode = $2 AND id = $3`;

/** What its gateway said when it was asked last. */
const SELECT_LAST_ANSWER = `
  SELECT outcome FROM payment_checks
   WHERE account_id = $1 AND livemode = $2 AND payment_id = $3 AND call = 'query' ORDER BY id DESC LIMIT 1`;

/**
 * Reads payments, and stores their steps that move no money: also their ends without money, and the flag of those that
 * only a person can settle.
 */
@Injectable()
export class PaymentStore {
  private readonly log = new Logger('payments');

  constructor(
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly extensions: Extensions,
    private readonly idempotency: Idempotency,
  ) {}

  /** The account's present. */
  now(owner: Pick<Key, 'accountId' | 'livemode'>): Promise<Date> {
    return this.clock.now(owner);
  }

  find({ accountId, livemode, id }: Key): Promise<Payment | null> {
    return this.payments.findOneBy({ accountId, livemode, id });
  }

  /** Throws `NotFound`. */
  async load(key: Key): Promise<Payment> {
    return found(await this.find(key), 'payment');
  }

  /**
   * Whether the payer can pay now. Who began and left may go on while the gateway says that it waits for them; nobody
   * is to pay twice what it may be at.
   */
  async isPayable(payment: Readonly<Payment>, now: Date): Promise<boolean> {
    const { accountId, livemode, id, status, expiresAt, page, review } = payment;
    if (expiresAt <= now) return false;
    if (status !== 'processing' || page === null || review !== null) return status === 'pending';
    const [last] = await this.payments.query<{ outcome: string }[]>(SELECT_LAST_ANSWER, [accountId, livemode, id]);
    return last?.outcome === 'awaiting';
  }

  /**
   * Carries out at most once what a request asks of a payment: `work` writes the rows of its claim. Throws
   * `IdempotencyKeyReused`.
   */
  once(
    payment: Key,
    request: RequestClaim,
    work: (rows: readonly Write[]) => Promise<Payment>,
  ): Promise<Made<Payment>> {
    const { accountId, livemode, id: resourceId } = payment;
    const claim: Claim = { accountId, livemode, ...request, reference: null, resource: 'pay', resourceId };
    return this.idempotency.change(claim, work, () => this.load(payment));
  }

  /** Part of the transaction that claims it. `more`: rows that go with it. */
  insert(tx: Tx, payment: Readonly<Payment>, more: readonly Write[]): Promise<void> {
    return this.unitOfWork.write(tx, [paymentWrite(payment), ...more]);
  }

  /** The row of a step, and the payment after it. */
  changed(before: Readonly<Payment>, patch: Partial<Payment>, isReview = false): { after: Payment; write: Write } {
    const after = { ...before, updatedAt: new Date(), ...patch, version: before.version + 1 };
    if (after.status !== before.status) assertTransition(before.status, after.status, isReview);
    return { after, write: paymentChange(after, before) };
  }

  /** Throws `ChangedElsewhere`. */
  async step(
    before: Readonly<Payment>,
    patch: Partial<Payment>,
    more: (after: Payment) => readonly Write[] = () => [],
  ): Promise<Payment> {
    const { after, write } = this.changed(before, patch);
    await this.write([write, ...more(after)]);
    return after;
  }

  /** Throws `ChangedElsewhere`. */
  async write(writes: readonly Write[]): Promise<void> {
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes));
    } catch (error) {
      throw asChangedElsewhere(error);
    }
  }

  /** Throws `ChangedElsewhere`. */
  async end(
    before: Readonly<Payment>,
    status: 'failed' | 'expired' | 'cancelled',
    failure: Refused | null,
    { more = {}, verdict = [] }: Ending = {},
  ): Promise<Payment> {
    const now = await this.now(before);
    const nextCheckAt = before.gateway === null ? null : new Date(now.getTime() + LATE_RECHECK_MS);
    const causes = this.extensions.causes();
    const after = await this.step(
      before,
      { status, failure, nextCheckAt, review: null, checks: 0, ...more },
      (ended) => [...this.announced(ended, before.status, causes), ...verdict],
    );
    this.extensions.wake();
    return after;
  }

  /** Raises the alarm. Until a person decides nothing is credited. Throws `ChangedElsewhere`. */
  async flag(
    before: Readonly<Payment>,
    reason: string,
    patch: Partial<Payment> = { nextCheckAt: null },
  ): Promise<Payment> {
    this.log.error({ message: 'a payment needs a person', payment: before.id, reason });
    const status = before.status === 'pending' ? 'processing' : before.status;
    const marked: Partial<Payment> = {
      status,
      review: reason,
      reviews: before.reviews + 1,
      nextCheckAt: null,
      ...patch,
    };
    return this.step(before, marked, (after) => [paymentEvent(after, 'needs_review', before.status)]);
  }

  /** The event of a final state, with what the observers of `svc_after_payment` are to be told. */
  announced(after: Readonly<Payment>, previous: PaymentStatus, causes: readonly string[]): Write[] {
    const { accountId, livemode, id, status } = after;
    const event = paymentEvent(after, status, previous);
    return [
      event,
      ...this.extensions.afterPayment(
        event,
        { operation: 'payment', accountId, livemode, objectType: 'pay', objectId: id },
        causes,
      ),
    ];
  }

  /** Keeps `row`, and that the payment must be looked at now. */
  async makeDue({ accountId, livemode, id }: Key, row: Write): Promise<void> {
    const now = await this.now({ accountId, livemode });
    await this.unitOfWork.run(async (tx) => {
      await this.unitOfWork.write(tx, [row]);
      await tx.query(MAKE_DUE, [accountId, livemode, id, now]);
    });
  }
}

/**
 * `payment.<what>`, with the payment as it stands then, but for the address of its page; `previous`: its status before.
 */
export function paymentEvent(
  payment: Readonly<Payment>,
  what: PaymentStatus | 'needs_review' | 'partially_reversed',
  previous: PaymentStatus,
): Write {
  const { accountId, livemode, id, requestId, idempotencyKey } = payment;
  const { checkout_url: _, ...shown } = PaymentDto.of(payment, null);
  const snapshot = { ...shown, previous_status: previous };
  return eventWrite({
    accountId,
    livemode,
    type: `payment.${what}` as EventType,
    objectType: 'pay',
    objectId: id,
    snapshot,
    origin: { requestId, idempotencyKey },
  });
}
