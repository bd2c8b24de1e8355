import type { DataSource } from 'typeorm';
import type { Write } from '../../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import type { Order } from '../purchases.provider';
import type { KnownOrder, Plan } from './plan';
import type { OutageMode, SettledAs } from './scenarios';

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

/**
 * The delay is that of the purchase: it does not begin again at the next provider. An order that was lost may be sent
 * again.
 */
const REMEMBER = `
  INSERT INTO sandbox_orders AS o (account_id, reference, purchase_id, provider, plan, sold_at, ready_at)
  VALUES ($1, $2, $3, $4, $5::jsonb, $6, coalesce(
    (SELECT min(ready_at) FROM sandbox_orders
      WHERE account_id = $1 AND purchase_id = $3 AND reference <> $2 AND plan IS NOT NULL), $7))
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
  ON CONFLICT ON CONSTRAINT sandbox_settlements_pkey
  DO UPDATE SET status = excluded.status, settled_at = excluded.settled_at`;

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

const STALE_MS = 1_000;

interface OutageRow {
  readonly account_id: string;
  readonly provider: string;
  readonly mode: OutageMode;
}

type Modes = ReadonlyMap<string, OutageMode>;

const SET_OUTAGE = `
  INSERT INTO sandbox_outages (account_id, provider, mode) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT sandbox_outages_pkey
  DO UPDATE SET mode = excluded.mode, calls = 0, changed_at = excluded.changed_at`;

/**
 * Outages that testers ordered, by account and provider. Known by heart, so that a sale without one asks no database.
 */
export class SandboxOutages {
  /** Null: to be read again. */
  private known: { readonly modes: Promise<Modes>; readonly readAt: number } | null = null;
  private readonly unitOfWork: UnitOfWork;

  constructor(private readonly dataSource: DataSource) {
    this.unitOfWork = new UnitOfWork(dataSource);
  }

  /** Null: none today. May lag one second behind what another process was told. */
  async of(accountId: string, provider: string): Promise<OutageMode | null> {
    if (this.known === null || performance.now() - this.known.readAt >= STALE_MS)
      this.known = { modes: this.load(), readAt: performance.now() };
    return (await this.known.modes).get(keyOf(accountId, provider)) ?? null;
  }

  /** Written with `rows`. */
  async set(accountId: string, provider: string, mode: OutageMode, rows: readonly Write[]): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      await this.unitOfWork.write(tx, rows);
      await tx.query(SET_OUTAGE, [accountId, provider, mode]);
    });
    this.known = null;
  }

  /** Those that last, by the provider's name. */
  list(accountId: string): Promise<{ provider: string; mode: OutageMode }[]> {
    return this.dataSource.query(
      `SELECT provider, mode FROM sandbox_outages WHERE account_id = $1 AND mode <> 'none' ORDER BY provider`,
      [accountId],
    );
  }

  async clear(accountId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE sandbox_outages SET mode = 'none', changed_at = now() WHERE account_id = $1 AND mode <> 'none'`,
      [accountId],
    );
    this.known = null;
  }

  /** Counts a call of a provider; the first is 1. */
  async count(accountId: string, provider: string): Promise<number> {
    const [rows]: [{ calls: number }[]] = await this.dataSource.query(
      'UPDATE sandbox_outages SET calls = calls + 1 WHERE account_id = $1 AND provider = $2 RETURNING calls',
      [accountId, provider],
    );
    return rows[0]?.calls ?? 0;
  }

  /** Of a provider that was away, orders may have been lost: its outage is remembered for a day after its end. */
  private async load(): Promise<Modes> {
    try {
      const rows: OutageRow[] = await this.dataSource.query(
        `SELECT account_id, provider, mode FROM sandbox_outages
          WHERE mode <> 'none' OR changed_at > now() - interval '1 day'`,
      );
      return new Map(rows.map(({ account_id, provider, mode }) => [keyOf(account_id, provider), mode]));
    } catch (error) {
      this.known = null;
      throw error;
    }
  }
}

const keyOf = (accountId: string, provider: string): string => `${accountId}/${provider}`;
