import type { DataSource } from 'typeorm';
import type { Tx } from '../../core/database/unit-of-work';
import type { Order } from './purchases.types';
import type { KnownOrder } from './sandbox-answers.batch';
import type { Plan } from './sandbox-plan.batch';
import type { SettledAs } from './sandbox-scenarios.types';

/** What the operator remembers of an order. */
export interface Memory {
  /** Null: the order never arrived. Undefined: nothing is remembered. */
  readonly order: KnownOrder | null | undefined;
  readonly settledAs: SettledAs | null;
}

interface OrderRow {
  readonly reference: string | null;
  readonly plan: Plan | null;
  readonly soldAt: Date;
  readonly readyAt: Date;
  readonly settledAs: SettledAs | null;
}

/** The delay is that of the purchase: it does not begin again at the next provider. An order that was lost may be sent again. */
const REMEMBER = `
  INSERT INTO sandbox_orders AS o (account_id, reference, purchase_id, provider, plan, sold_at, ready_at)
  VALUES ($1, $2, $3, $4, $5::jsonb, $6, coalesce(
    (SELECT min(ready_at) FROM sandbox_orders WHERE account_id = $1 AND purchase_id = $3 AND reference <> $2 AND plan IS NOT NULL), $7))
  ON CONFLICT ON CONSTRAINT sandbox_orders_pkey DO UPDATE SET
    plan = coalesce(o.plan, excluded.plan),
    sold_at = CASE WHEN o.plan IS NULL THEN excluded.sold_at ELSE o.sold_at END,
    ready_at = CASE WHEN o.plan IS NULL THEN excluded.ready_at ELSE o.ready_at END
  RETURNING plan, sold_at AS "soldAt", ready_at AS "readyAt"`;

const RECALL = `
  SELECT o.reference, o.plan, o.sold_at AS "soldAt", o.ready_at AS "readyAt", s.status AS "settledAs"
    FROM (SELECT $1::uuid AS account_id, $2::text AS reference, $3::uuid AS purchase_id) asked
    LEFT JOIN sandbox_orders o USING (account_id, reference)
    LEFT JOIN sandbox_settlements s ON s.account_id = asked.account_id AND s.purchase_id = asked.purchase_id`;

const SETTLE = `
  INSERT INTO sandbox_settlements (account_id, purchase_id, status) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT sandbox_settlements_pkey DO UPDATE SET status = excluded.status, settled_at = now()`;

/** The operator's own books. Our side of the world never looks into them: it asks. */
export class SandboxOrders {
  constructor(private readonly dataSource: DataSource) {}

  /** Keeps an order; one that is kept already stays as it is. `plan` null: the order is lost on its way. */
  async remember(
    provider: string,
    order: Order,
    plan: Plan | null,
    [soldAt, readyAt]: readonly [Date, Date],
  ): Promise<KnownOrder> {
    const { accountId, reference, purchaseId } = order;
    const values = [accountId, reference, purchaseId, provider, plan && JSON.stringify(plan), soldAt, readyAt];
    const [row]: KnownOrder[] = await this.dataSource.query(REMEMBER, values);
    return row!;
  }

  async recall({ accountId, reference, purchaseId }: Order): Promise<Memory> {
    const [row]: OrderRow[] = await this.dataSource.query(RECALL, [accountId, reference, purchaseId]);
    const { plan, soldAt, readyAt, settledAs } = row!;
    if (row!.reference === null) return { order: undefined, settledAs };
    return { order: plan && { plan, soldAt, readyAt }, settledAs };
  }

  async settle(
    tx: Tx,
    { accountId, purchaseId }: Pick<Order, 'accountId' | 'purchaseId'>,
    as: SettledAs,
  ): Promise<void> {
    await tx.query(SETTLE, [accountId, purchaseId, as]);
  }
}
