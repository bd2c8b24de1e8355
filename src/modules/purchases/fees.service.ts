import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { Currency } from '../../core/money/currencies';
import type { Product } from './purchases.types';

interface FeeRow {
  readonly flat: string;
  readonly basis_points: number;
  readonly cap: string | null;
}

interface Asked {
  readonly product: Product;
  readonly currency: Currency;
  readonly accountId: string;
}

/** An operator's edit of the table counts after this time. */
const STALE_MS = 5_000;
const BASIS_POINTS = 10_000n;

/** What a purchase costs beside its price: by product, currency and the account's tier, from the table `fees`. */
@Injectable()
export class FeesService {
  private readonly rows = new LRUCache<string, { readonly row: FeeRow | null }, Asked>({
    max: 10_000,
    ttl: STALE_MS,
    fetchMethod: async (_key, _stale, { context }) => ({ row: await this.read(context) }),
  });

  constructor(private readonly dataSource: DataSource) {}

  /** Minor units: flat plus basis points of the amount, at most the cap. No row: no fee. */
  async feeOf(product: Product, currency: Currency, accountId: string, amount: bigint): Promise<bigint> {
    const asked = { product, currency, accountId };
    const { row } = (await this.rows.fetch(`${product}/${currency}/${accountId}`, { context: asked }))!;
    if (row === null) return 0n;
    const fee = BigInt(row.flat) + (amount * BigInt(row.basis_points)) / BASIS_POINTS;
    return row.cap !== null && fee > BigInt(row.cap) ? BigInt(row.cap) : fee;
  }

  private async read({ product, currency, accountId }: Asked): Promise<FeeRow | null> {
    const [row]: FeeRow[] = await this.dataSource.query(
      `SELECT f.flat, f.basis_points, f.cap FROM accounts a JOIN fees f ON f.tier = a.tier
        WHERE a.id = $3 AND f.product = $1 AND f.currency = $2`,
      [product, currency, accountId],
    );
    return row ?? null;
  }
}
