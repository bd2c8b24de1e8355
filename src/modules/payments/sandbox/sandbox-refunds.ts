import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import type { Refused } from '../../../providers/answers';
import type { RefundFound, RefundOrder, RefundResult, Reversal } from '../gateway';
import table from './refund-outcomes.json';

/** What the amount of a refund makes a sandbox gateway do. */
export interface SandboxRefundOutcome {
  /** Last digits of the amount. */
  readonly suffix: string;
  readonly outcome: string;
  readonly description: string;
  /** By the account's clock; the gateway is at it until then. */
  readonly delaySeconds?: number;
  readonly failure?: Refused;
  readonly final: { readonly status: string; readonly needs_review: boolean };
}

/** Every one that is not simply refunded: the gateways behave by it, the scenarios list it, and a test walks it. */
export const REFUND_OUTCOMES = table as readonly SandboxRefundOutcome[];

interface RefundRow {
  readonly reference: string;
  readonly amount: string;
  readonly outcome: string;
  readonly asked: number;
  readonly readyAt: Date;
}

interface OrderMoney {
  readonly received: string | null;
  readonly refunds: readonly string[];
}

const COLUMNS = 'reference, amount, outcome, asked, ready_at AS "readyAt"';
const OF_PAYMENT = 'FROM sandbox_gateway_refunds WHERE account_id = $1 AND payment_id = $2';
const SELECT = `SELECT ${COLUMNS} ${OF_PAYMENT} AND reference = $3`;
const SELECT_ALL = `SELECT ${COLUMNS} ${OF_PAYMENT} ORDER BY reference`;
const SELECT_ORDER = `
  SELECT received, refunds FROM sandbox_gateway_orders WHERE account_id = $1 AND payment_id = $2 FOR UPDATE`;
const ASK = `
  INSERT INTO sandbox_gateway_refunds (account_id, payment_id, reference, amount, outcome, asked, ready_at)
  VALUES ($1, $2, $3, $4, $5, 1, $6)
  ON CONFLICT ON CONSTRAINT sandbox_gateway_refunds_pkey DO UPDATE SET asked = sandbox_gateway_refunds.asked + 1
  RETURNING ${COLUMNS}`;

/** More than the gateway has left of the payment. */
const TOO_MUCH = 'too_much';
const NOTHING_LEFT: Refused = {
  code: 'refund_exceeds_balance',
  message: 'The gateway has less of the payment left.',
  recovery: 'none',
};

/** The refunds of sandbox gateways. Each is given once for its reference, and never more than was paid. */
@Injectable()
export class SandboxRefunds {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async refund({ reference, amount, payment }: RefundOrder): Promise<RefundResult> {
    const { accountId, paymentId, livemode } = payment;
    if (livemode) throw new Error('the sandbox refunds nothing real');
    const now = await this.clock.agreedNow({ accountId, livemode });
    const row = await this.dataSource.transaction(async (tx): Promise<RefundRow> => {
      const [order]: OrderMoney[] = await tx.query(SELECT_ORDER, [accountId, paymentId]);
      const others: RefundRow[] = await tx.query(SELECT_ALL, [accountId, paymentId]);
      const scenario = REFUND_OUTCOMES.find(({ suffix }) => amount.toString().endsWith(suffix));
      const outcome = amount > leftOf(order, others) ? TOO_MUCH : (scenario?.outcome ?? 'refunded');
      const readyAt = new Date(now.getTime() + (scenario?.delaySeconds ?? 0) * 1_000);
      const [asked]: RefundRow[] = await tx.query(ASK, [accountId, paymentId, reference, amount, outcome, readyAt]);
      return asked!;
    });
    const isLost = row.asked === 1 && (row.outcome === 'answer_lost' || row.outcome === 'order_lost');
    return isLost ? { outcome: 'unknown', code: 'no_answer' } : resultOf(row, now);
  }

  async find({ reference, payment: { accountId, paymentId } }: RefundOrder): Promise<RefundFound> {
    const [row]: RefundRow[] = await this.dataSource.query(SELECT, [accountId, paymentId, reference]);
    if (row === undefined || isUnheard(row)) return { outcome: 'not_known' };
    return resultOf(row, await this.clock.agreedNow({ accountId, livemode: false }));
  }

  /** Those whose money the payer has, as the payment tells of them. */
  async given(accountId: string, paymentId: string): Promise<Reversal[]> {
    const rows: RefundRow[] = await this.dataSource.query(SELECT_ALL, [accountId, paymentId]);
    const now = await this.clock.agreedNow({ accountId, livemode: false });
    return rows.flatMap((row) => {
      const found = isUnheard(row) ? null : resultOf(row, now);
      return found?.outcome === 'refunded'
        ? [{ gatewayReference: found.gatewayReference, amount: found.amount, reference: row.reference }]
        : [];
    });
  }
}

const isUnheard = ({ outcome, asked }: RefundRow): boolean => outcome === 'order_lost' && asked === 1;

function resultOf({ reference, amount, outcome, readyAt }: RefundRow, now: Date): RefundResult {
  const scenario = REFUND_OUTCOMES.find((one) => one.outcome === outcome);
  const gatewayReference = `sbx_${reference}`;
  if (outcome === TOO_MUCH) return { outcome: 'not_refunded', about: 'order', ...NOTHING_LEFT };
  if (outcome === 'silent') return { outcome: 'unknown', code: 'no_answer' };
  if (readyAt > now) return { outcome: 'accepted', gatewayReference };
  return scenario?.failure
    ? { outcome: 'not_refunded', about: 'order', ...scenario.failure }
    : { outcome: 'refunded', gatewayReference, amount: BigInt(amount) };
}

/** What refunds may still take: a repetition is about what it took before, and is not asked this again. */
function leftOf(order: OrderMoney | undefined, others: readonly RefundRow[]): bigint {
  const gone = [
    ...(order?.refunds ?? []),
    ...others.filter(({ outcome }) => !REFUSALS.includes(outcome)).map(({ amount }) => amount),
  ];
  return gone.reduce((left, amount) => left - BigInt(amount), BigInt(order?.received ?? 0));
}

const REFUSALS: readonly string[] = [
  TOO_MUCH,
  ...REFUND_OUTCOMES.filter(({ failure }) => failure !== undefined).map(({ outcome }) => outcome),
];
