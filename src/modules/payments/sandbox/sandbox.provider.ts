import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Key } from '../../../core/http/caller';
import { Clock } from '../../../core/clock/clock';
import { Env } from '../../../core/config/env';
import { DomainError } from '../../../core/errors/domain-error';
import type { Write } from '../../../core/database/bulk';
import { UnitOfWork } from '../../../core/database/unit-of-work';
import { encodeId } from '../../../core/http/ids';
import type { Made, RequestClaim } from '../../../core/idempotency/claim';
import type { Refused } from '../../../providers/answers';
import { SandboxSignature } from '../../../providers/sandbox-signature';
import {
  type CallbackRequest,
  type CallbackResult,
  type Claimed,
  type Gateway,
  type GatewayOrder,
  type Instruction,
  type QueryResult,
  type RefundFound,
  type RefundOrder,
  type RefundResult,
  type Reversal,
  type StartResult,
  TakesPayments,
} from '../gateway';
import { CheckoutService } from '../checkout/checkout.service';
import { gatewayReferenceOf } from '../gateway-client';
import { PaymentRun } from '../payment-run';
import { InvalidPaymentTransition, PaymentStore } from '../payment-store';
import { isFinal, type Payment, type PaymentStatus } from '../payment.entity';
import { sumOf } from '../credit';
import { SandboxRefunds } from './sandbox-refunds';
import table from './outcomes.json';

/** The gateway did not say whether it has the order: asked again, it opens it or finds it. */
class OrderNotOpened extends DomainError {
  constructor() {
    super({
      code: 'provider_unavailable',
      kind: 'unavailable',
      title: 'Provider unavailable',
      retryable: true,
      retryAfter: 1,
      detail: 'Nobody can say yet whether the gateway opened an order for the payment. Send the request again.',
    });
  }
}

/** What a person can make happen at a sandbox gateway. */
export interface SandboxOutcome {
  readonly outcome: string;
  readonly label: string;
  readonly description: string;
  /** What the gateway says when it is asked. */
  readonly answer: 'successful' | 'failed' | 'processing' | 'unknown' | 'reversed';
  /** By the account's clock; `processing` until then. */
  readonly delaySeconds?: number;
  /** Minor units that arrive beside the amount. */
  readonly surplus?: number;
  readonly isOtherCurrency?: boolean;
  /** Of what is left, one in so many goes back. */
  readonly part?: number;
  readonly failure?: Refused;
  /** How a pending payment ends. */
  readonly final: { readonly status: PaymentStatus; readonly needs_review: boolean };
}

/** Every outcome: the gateways behave by it, the page offers it, the scenarios list it, and a test walks it. */
const OUTCOMES = table as readonly SandboxOutcome[];

export const OUTCOME_NAMES: readonly string[] = OUTCOMES.map(({ outcome }) => outcome);

interface OrderRow {
  readonly gateway: string;
  readonly amount: string;
  readonly currency: string;
  readonly outcome: string | null;
  readonly readyAt: Date | null;
  /** What was paid, once something was. */
  readonly received: string | null;
  readonly receivedCurrency: string | null;
  /** Parts that went back, in minor units. */
  readonly refunds: readonly string[];
}

const SELECT = `
  SELECT gateway, amount, currency, outcome, ready_at AS "readyAt", received,
         received_currency AS "receivedCurrency", refunds
    FROM sandbox_gateway_orders WHERE account_id = $1 AND payment_id = $2`;

const OPEN = `
  INSERT INTO sandbox_gateway_orders (account_id, payment_id, gateway, amount, currency) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT ON CONSTRAINT sandbox_gateway_orders_pkey DO NOTHING`;

const DECIDE = `
  UPDATE sandbox_gateway_orders
     SET outcome = $3, ready_at = $4, received = $5, received_currency = $6, refunds = $7
   WHERE account_id = $1 AND payment_id = $2`;

/**
 * The world behind every sandbox gateway: orders, and what people decided about them. Our side never looks in: it asks.
 */
@Injectable()
export class SandboxBank {
  private readonly signature: SandboxSignature;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly refunds: SandboxRefunds,
    private readonly unitOfWork: UnitOfWork,
    env: Env,
  ) {
    this.signature = new SandboxSignature('duka/sandbox-gateways/v1', env);
  }

  /** Opens an order once; the gateway's own id of it. */
  async open(gateway: string, { accountId, paymentId, livemode, amount, currency }: GatewayOrder): Promise<string> {
    if (livemode) throw new Error('the sandbox collects nothing real');
    await this.dataSource.query(OPEN, [accountId, paymentId, gateway, amount, currency]);
    return referenceOf(paymentId);
  }

  /** What becomes of an order from now on, written with `rows`; false when there is no such order. */
  async decide({ accountId, id: paymentId }: Key, outcome: string, rows: readonly Write[] = []): Promise<boolean> {
    const order = await this.find(accountId, paymentId);
    if (order === null) return false;
    const decided = OUTCOMES.find((one) => one.outcome === outcome)!;
    const readyAt = new Date(
      (await this.clock.agreedNow({ accountId, livemode: false })).getTime() + (decided.delaySeconds ?? 0) * 1_000,
    );
    const given = await this.refunds.given(accountId, paymentId);
    const { received, currency, refunds } = moneyAfter(order, decided, sumOf(given));
    await this.unitOfWork.run(async (tx) => {
      await this.unitOfWork.write(tx, rows);
      await tx.query(DECIDE, [accountId, paymentId, outcome, readyAt, received, currency, JSON.stringify(refunds)]);
    });
    return true;
  }

  /** What the gateway says when it is asked. */
  async query({ accountId, paymentId }: GatewayOrder): Promise<QueryResult> {
    const order = await this.find(accountId, paymentId);
    if (order === null) return { outcome: 'not_known' };
    const decided = OUTCOMES.find(({ outcome }) => outcome === order.outcome);
    if (decided === undefined) return { outcome: 'awaiting' };
    const { answer, failure } = decided;
    if (order.readyAt! > (await this.clock.agreedNow({ accountId, livemode: false }))) return { outcome: 'processing' };
    if (answer === 'unknown') return { outcome: 'unknown', code: 'no_answer' };
    if (answer === 'failed') return { outcome: answer, about: 'order', ...failure! };
    if (answer === 'processing') return { outcome: answer };
    const gatewayReference = referenceOf(paymentId);
    const came = { gatewayReference, amount: BigInt(order.received!), currency: order.receivedCurrency! };
    const reversals: Reversal[] = [
      ...order.refunds.map((amount, i) => ({
        gatewayReference: `${gatewayReference}_r${i + 1}`,
        amount: BigInt(amount),
      })),
      ...(await this.refunds.given(accountId, paymentId)),
    ];
    if (reversals.length === 0) return { outcome: 'successful', ...came };
    const { code, message } = failure ?? REFUNDED;
    return { outcome: 'reversed', code, message, ...came, reversals };
  }

  refund(order: RefundOrder): Promise<RefundResult> {
    return this.refunds.refund(order);
  }

  findRefund(order: RefundOrder): Promise<RefundFound> {
    return this.refunds.find(order);
  }

  private async find(accountId: string, paymentId: string): Promise<OrderRow | null> {
    const [order]: OrderRow[] = await this.dataSource.query(SELECT, [accountId, paymentId]);
    return order ?? null;
  }

  /** A callback as the gateway sends it. */
  callback(gateway: string, reference: string, says: string): CallbackRequest {
    return this.signature.sign({ reference, event: says }, gateway);
  }

  verify(gateway: string, callback: CallbackRequest): CallbackResult {
    if (!this.signature.isOn(callback, gateway)) return { outcome: 'forged' };
    const { reference, event } = JSON.parse(callback.body.toString()) as { reference: string; event: string };
    const claims = OUTCOMES.find(({ outcome }) => outcome === event)?.answer;
    return { outcome: 'genuine', reference, says: event, ...(isClaim(claims) && { claims }) };
  }
}

const REFUNDED = { code: 'refunded', message: 'A part of the payment was given back to the payer.' } as const;

const referenceOf = (paymentId: string): string => `sbx_${encodeId('pay', paymentId).slice('pay_'.length)}`;

const isClaim = (answer: SandboxOutcome['answer'] | undefined): answer is Claimed =>
  answer === 'successful' || answer === 'failed' || answer === 'reversed';

/** Of the order: what is paid, and what of it went back, once this is decided. `given`: by our refunds. */
function moneyAfter(
  order: OrderRow,
  { answer, surplus = 0, isOtherCurrency = false, part = 1 }: SandboxOutcome,
  given: bigint,
) {
  const other = order.currency === 'USD' ? 'EUR' : 'USD';
  const paid = {
    received: (BigInt(order.amount) + BigInt(surplus)).toString(),
    currency: isOtherCurrency ? other : order.currency,
  };
  if (answer === 'successful') return { ...paid, refunds: order.refunds };
  const known = { received: order.received, currency: order.receivedCurrency, refunds: order.refunds };
  if (answer !== 'reversed') return known;
  const came = known.received === null ? { ...known, ...paid } : known;
  const left = order.refunds.reduce((sum, refund) => sum - BigInt(refund), BigInt(came.received!) - given);
  const refund = left / BigInt(part) || left;
  return { ...came, refunds: refund === 0n ? order.refunds : [...order.refunds, refund.toString()] };
}

/** What all sandbox gateways do: a person decides, on a page of this service. */
abstract class SandboxGateway implements Gateway {
  constructor(
    private readonly name: string,
    protected readonly bank: SandboxBank,
  ) {}

  async start(order: GatewayOrder): Promise<StartResult> {
    const gatewayReference = await this.bank.open(this.name, order);
    const pageUrl = `${new URL(order.returnUrl).pathname.replace(/\/return$/, '')}/sandbox`;
    return { outcome: 'started', gatewayReference, pageUrl, instructions: this.instructions(order) };
  }

  query(order: GatewayOrder): Promise<QueryResult> {
    return this.bank.query(order);
  }

  verify(callback: CallbackRequest): CallbackResult {
    return this.bank.verify(this.name, callback);
  }

  refund(order: RefundOrder): Promise<RefundResult> {
    return this.bank.refund(order);
  }

  findRefund(order: RefundOrder): Promise<RefundFound> {
    return this.bank.findRefund(order);
  }

  protected instructions(_order: GatewayOrder): Instruction[] {
    return [];
  }
}

@Injectable()
@TakesPayments({ name: 'sandbox_card', label: 'Card', methods: ['card'], mode: 'test' })
export class SandboxCard extends SandboxGateway {
  constructor(bank: SandboxBank) {
    super('sandbox_card', bank);
  }
}

/** Paid outside of any page: the payer gets an account number. */
@Injectable()
@TakesPayments({ name: 'sandbox_bank_transfer', label: 'Bank transfer', methods: ['bank_transfer'], mode: 'test' })
export class SandboxBankTransfer extends SandboxGateway {
  constructor(bank: SandboxBank) {
    super('sandbox_bank_transfer', bank);
  }

  protected override instructions({ reference }: GatewayOrder): Instruction[] {
    return [
      { label: 'Bank', value: 'Sandbox Bank' },
      { label: 'Account number', value: '0000000000' },
      { label: 'Reference', value: reference.slice(0, 12) },
    ];
  }
}

/** Lets people decide how test payments end: at the gateway, which then calls back as a real one does. */
@Injectable()
export class SandboxDesk {
  constructor(
    private readonly bank: SandboxBank,
    private readonly checkout: CheckoutService,
    private readonly store: PaymentStore,
    private readonly run: PaymentRun,
  ) {}

  get outcomes(): readonly SandboxOutcome[] {
    return OUTCOMES;
  }

  /**
   * Opens an order at the first gateway that is offered when there is none; `rows` are written with the decision.
   * Throws `NotFound`, `InvalidPaymentTransition`, `OrderNotOpened`.
   */
  async complete(key: Key, outcome: string, rows: readonly Write[] = []): Promise<Payment> {
    const before = await this.store.load(key);
    const payment =
      before.page === null && before.status === 'pending'
        ? (await this.checkout.open(key, before.gateways[0]!)).payment
        : before;
    const { gateway, id, status } = payment;
    if (gateway === null || !(await this.bank.decide(key, outcome, rows))) {
      // The gateway did not answer, or somebody else is about to open the order.
      if (status === 'pending') throw new OrderNotOpened();
      throw new InvalidPaymentTransition(id, status, `completed as ${outcome}: no order was opened for it`);
    }
    await this.run.receive(gateway, this.bank.callback(gateway, gatewayReferenceOf(payment), outcome));
    return this.store.load(key);
  }

  /** As `complete`, for a request that may be sent again. Throws `IdempotencyKeyReused`, too. */
  async completeOnce(key: Key, outcome: string, request: RequestClaim): Promise<Made<Payment>> {
    const done = await this.store.once(key, request, (rows) => this.complete(key, outcome, rows));
    // A process may have died between the decision and the callback.
    return done.replayedBy === null || isFinal(done.made.status) ? done : { ...done, made: await this.run.look(key) };
  }
}
