import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { ReadPipeline } from '../../core/database/pipeline';
import { ChangedElsewhere, type Tx } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { decodeId } from '../../core/http/ids';
import type { Money } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { type ApprovalDecision, Approvals, approveBy } from '../transactions/approvals';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import { PaymentStore } from './payment-store';
import { awaitsApproval, type Refund } from './refunds/refund.entity';
import { RefundRun } from './refunds/refund-run';
import { InvalidRefundTransition, RefundStore } from './refunds/refund-store';

/** Of which refunds a rule is. */
export interface RefundRuleKey extends Viewer, Pick<Money, 'currency'> {}

interface RuleRow {
  readonly approval_above: string | null;
}

const SELECT_RULE = {
  name: 'select_refund_rule',
  text: `SELECT approval_above FROM refund_rules WHERE account_id = $1 AND livemode = $2 AND currency = $3`,
};

/** Which refunds of an account need a second person, and what that person, or the account, makes of one that waits. */
@Injectable()
export class RefundApprovals implements OnModuleInit {
  constructor(
    private readonly approvals: Approvals,
    private readonly reads: ReadPipeline,
    private readonly transactions: TransactionsService,
    private readonly payments: PaymentStore,
    private readonly store: RefundStore,
    private readonly runs: RefundRun,
  ) {}

  onModuleInit(): void {
    this.approvals.include('payment_refund', this);
  }

  /** Until when a second person must have let a refund go, by the account's clock; null: nobody must. */
  async neededUntil({ accountId, livemode }: Viewer, { amount, currency }: Money): Promise<Date | null> {
    const { rows } = await this.reads.query<RuleRow>(SELECT_RULE, [accountId, livemode, currency]);
    const above = rows[0]?.approval_above ?? null;
    return above === null || amount <= BigInt(above)
      ? null
      : approveBy(await this.payments.now({ accountId, livemode }));
  }

  /**
   * Larger refunds need a second person, from the next one on; null: none does. For operators: no running process of
   * the service may. Gives what held before.
   */
  async setRule(tx: Tx, key: RefundRuleKey, approvalAbove: bigint | null): Promise<bigint | null> {
    const of = [key.accountId, key.livemode, key.currency];
    const before: RuleRow[] = await tx.query(SELECT_RULE.text, of);
    await tx.query(
      `INSERT INTO refund_rules (account_id, livemode, currency, approval_above) VALUES ($1, $2, $3, $4)
       ON CONFLICT ON CONSTRAINT refund_rules_pkey DO UPDATE SET approval_above = excluded.approval_above`,
      [...of, approvalAbove?.toString()],
    );
    const above = before[0]?.approval_above ?? null;
    return above === null ? null : BigInt(above);
  }

  /** Throws `InvalidRefundTransition` once it is decided, `InvalidPaymentTransition`. */
  decide(viewer: Viewer, id: string, decision: ApprovalDecision, rows: readonly Write[]): Promise<TransactionRecord> {
    return this.change(viewer, id, decision, (refund) =>
      decision === 'approved' ? this.runs.approve(refund, rows) : this.runs.cancel(refund, decision, rows),
    );
  }

  /** Throws `InvalidRefundTransition` once it is decided. */
  cancel(viewer: Viewer, id: string, rows: readonly Write[]): Promise<TransactionRecord> {
    return this.change(viewer, id, 'cancelled', (refund) => this.runs.cancel(refund, 'cancelled', rows));
  }

  /** Only as long as it waits: of two who both see it wait, the second is told that it is decided. */
  private async change(
    { accountId, livemode }: Viewer,
    publicId: string,
    wanted: string,
    work: (refund: Refund) => Promise<unknown>,
  ): Promise<TransactionRecord> {
    const key = { accountId, livemode, id: decodeId('txn', publicId)! };
    const refund = found(await this.store.findByTransaction(key), 'refund');
    const isWaiting = awaitsApproval(refund) && refund.approveBy! > (await this.payments.now(key));
    if (!isWaiting) throw new InvalidRefundTransition(refund.id, refund.status, wanted);
    try {
      await work(refund);
    } catch (error) {
      throw error instanceof ChangedElsewhere ? new InvalidRefundTransition(refund.id, 'decided', wanted) : error;
    }
    return this.transactions.require(key, publicId);
  }
}
