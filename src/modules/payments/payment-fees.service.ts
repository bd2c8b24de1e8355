import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Extensions } from '../../core/extension/extensions';
import type { PaymentContext } from '../../core/extension/points';
import type { Currency } from '../../core/money/currencies';
import { toJsonNumber } from '../../core/money/money';

interface FeeRow {
  readonly flat: string;
  readonly basis_points: number;
  readonly cap: string | null;
}

export interface PricedFee {
  /** Minor units. */
  readonly fee: bigint;
  /** Where it comes from, with every filter that changed it. */
  readonly breakdown: readonly object[];
}

/** An operator's edit of the table counts after this time. */
const STALE_MS = 5_000;
const BASIS_POINTS = 10_000n;
const SELECT_FEE = `
  SELECT f.flat, f.basis_points, f.cap FROM accounts a JOIN fees f ON f.tier = a.tier
   WHERE a.id = $1 AND f.product = 'payment' AND f.currency = $2`;

/** What taking a payment costs the account: by currency and tier from the table `fees`, after `svc_transaction_fee`. */
@Injectable()
export class PaymentFees {
  private readonly rows = new LRUCache<string, { readonly row: FeeRow | null }, { accountId: string; currency: Currency }>({
    max: 10_000,
    ttl: STALE_MS,
    fetchMethod: async (_key, _stale, { context }) => ({ row: await this.read(context.accountId, context.currency) }),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly extensions: Extensions,
  ) {}

  async of(context: PaymentContext): Promise<PricedFee> {
    const { amount, currency } = context.draft;
    const listed = await this.listed(context.accountId, currency, amount);
    const breakdown: object[] = [{ kind: 'fee', amount: toJsonNumber(listed), by: 'fee_table' }];
    if (this.extensions.isEmpty('svc_transaction_fee', 'payment')) return { fee: listed, breakdown };
    const { value, changes } = await this.extensions.fee({ amount: listed, currency }, context);
    return { fee: value.amount, breakdown: [...breakdown, ...changes.map((change) => ({ kind: 'fee_filter', ...change }))] };
  }

  /** Flat plus basis points of the amount, at most the cap. No row: no fee. */
  private async listed(accountId: string, currency: Currency, amount: bigint): Promise<bigint> {
    const { row } = (await this.rows.fetch(`${accountId}/${currency}`, { context: { accountId, currency } }))!;
    if (row === null) return 0n;
    const fee = BigInt(row.flat) + (amount * BigInt(row.basis_points)) / BASIS_POINTS;
    return row.cap !== null && fee > BigInt(row.cap) ? BigInt(row.cap) : fee;
  }

  private async read(accountId: string, currency: Currency): Promise<FeeRow | null> {
    const [row]: FeeRow[] = await this.dataSource.query(SELECT_FEE, [accountId, currency]);
    return row ?? null;
  }
}
