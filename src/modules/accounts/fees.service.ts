import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { ControlCell } from '../../core/cells/control-cell';
import { Extensions } from '../../core/extension/extensions';
import type { PaymentContext } from '../../core/extension/points';
import { type Currency, toJsonNumber } from '../../core/money/money';
import type { FeeProduct } from '../../vocabulary/products';

/** What an operation costs beside its amount. */
export interface Priced {
  /** Minor units. */
  readonly fee: bigint;
  /** For `details.breakdown`: where the fee comes from, with every filter that changed it. */
  readonly breakdown: readonly object[];
}

/** For accounts of a tier. Minor units: flat plus basis points of the amount, at most the cap. */
export interface FeeRule {
  readonly product: FeeProduct;
  readonly tier: string;
  readonly currency: Currency;
  readonly flat: bigint;
  readonly basisPoints: number;
  readonly cap: bigint | null;
}

interface FeeRow {
  readonly flat: string;
  readonly basis_points: number;
  readonly cap: string | null;
}

type RuleRow = Omit<FeeRule, 'flat' | 'cap'> & { readonly flat: string; readonly cap: string | null };

interface Asked {
  readonly product: FeeProduct;
  readonly currency: Currency;
  readonly accountId: string;
}

/** An operator's edit of the table counts after this time. */
const STALE_MS = 5_000;
const BASIS_POINTS = 10_000n;

const SELECT_FEE = `
  SELECT f.flat, f.basis_points, f.cap FROM accounts a JOIN fees f ON f.tier = a.tier
   WHERE a.id = $1 AND f.product = $2 AND f.currency = $3`;

const COLUMNS = 'product, tier, currency, flat, basis_points AS "basisPoints", cap';
const LIST_RULES = `SELECT ${COLUMNS} FROM fees ORDER BY product, tier, currency`;
const FIND_RULE = `SELECT ${COLUMNS} FROM fees WHERE product = $1 AND tier = $2 AND currency = $3 FOR UPDATE`;
const SET_RULE = `
  INSERT INTO fees (product, tier, currency, flat, basis_points, cap) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (product, tier, currency)
  DO UPDATE SET flat = excluded.flat, basis_points = excluded.basis_points, cap = excluded.cap`;

/** What an operation costs beside its amount: by product, currency and the account's tier, from the table `fees`. */
@Injectable()
export class FeesService {
  private readonly rows = new LRUCache<string, { readonly row: FeeRow | null }, Asked>({
    max: 10_000,
    ttl: STALE_MS,
    fetchMethod: async (_key, _stale, { context }) => ({ row: await this.read(context) }),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly extensions: Extensions,
    private readonly control: ControlCell,
  ) {}

  /** The fee of the table after the filters of `svc_transaction_fee`. */
  async priced(product: FeeProduct, context: PaymentContext): Promise<Priced> {
    const {
      operation,
      accountId,
      draft: { amount, currency },
    } = context;
    const listed = await this.listed({ product, currency, accountId }, amount);
    const breakdown: object[] = [{ kind: 'fee', amount: toJsonNumber(listed), by: 'fee_table' }];
    if (this.extensions.isEmpty('svc_transaction_fee', operation)) return { fee: listed, breakdown };
    const { value, changes } = await this.extensions.fee({ amount: listed, currency }, context);
    return {
      fee: value.amount,
      breakdown: [...breakdown, ...changes.map((change) => ({ kind: 'fee_filter', ...change }))],
    };
  }

  /** Minor units: flat plus basis points of the amount, at most the cap. No row: no fee. */
  async listed(asked: Asked, amount: bigint): Promise<bigint> {
    const { product, currency, accountId } = asked;
    const { row } = (await this.rows.fetch(`${product}/${currency}/${accountId}`, { context: asked }))!;
    if (row === null) return 0n;
    const fee = BigInt(row.flat) + (amount * BigInt(row.basis_points)) / BASIS_POINTS;
    return row.cap !== null && fee > BigInt(row.cap) ? BigInt(row.cap) : fee;
  }

  /** All rules. A change counts for what is priced from then on, within five seconds in every process. */
  async listRules(): Promise<FeeRule[]> {
    const rows: RuleRow[] = await this.dataSource.query(LIST_RULES);
    return rows.map(ruleOf);
  }

  /**
   * Adds a rule or changes one; nothing is charged by one of zeros. Answers what it was before; null: there was none.
   */
  async setRule({ product, tier, currency, flat, basisPoints, cap }: FeeRule): Promise<FeeRule | null> {
    this.control.requireHere();
    const key = [product, tier, currency];
    return this.dataSource.transaction(async (tx) => {
      const [before]: RuleRow[] = await tx.query(FIND_RULE, key);
      await tx.query(SET_RULE, [...key, flat, basisPoints, cap]);
      return before ? ruleOf(before) : null;
    });
  }

  private async read({ product, currency, accountId }: Asked): Promise<FeeRow | null> {
    const [row]: FeeRow[] = await this.dataSource.query(SELECT_FEE, [accountId, product, currency]);
    return row ?? null;
  }
}

const ruleOf = ({ flat, cap, ...row }: RuleRow): FeeRule => ({
  ...row,
  flat: BigInt(flat),
  cap: cap === null ? null : BigInt(cap),
});
