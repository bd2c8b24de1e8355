import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Extensions } from '../../core/extension/extensions';
import type { PaymentContext } from '../../core/extension/points';
import type { Currency } from '../../core/money/currencies';
import { toJsonNumber } from '../../core/money/money';
import type { FeeProduct, Priced } from './terms.types';

interface FeeRow {
  readonly flat: string;
  readonly basis_points: number;
  readonly cap: string | null;
}

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

  private async read({ product, currency, accountId }: Asked): Promise<FeeRow | null> {
    const [row]: FeeRow[] = await this.dataSource.query(SELECT_FEE, [accountId, product, currency]);
    return row ?? null;
  }
}
