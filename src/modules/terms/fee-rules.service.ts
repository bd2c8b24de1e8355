import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Currency } from '../../core/money/currencies';
import type { FeeProduct } from './terms.types';

/** For accounts of a tier. Minor units: flat plus basis points of the amount, at most the cap. */
export interface FeeRule {
  readonly product: FeeProduct;
  readonly tier: string;
  readonly currency: Currency;
  readonly flat: bigint;
  readonly basisPoints: number;
  readonly cap: bigint | null;
}

type Row = Omit<FeeRule, 'flat' | 'cap'> & { readonly flat: string; readonly cap: string | null };

const COLUMNS = 'product, tier, currency, flat, basis_points AS "basisPoints", cap';
const LIST = `SELECT ${COLUMNS} FROM fees ORDER BY product, tier, currency`;
const FIND = `SELECT ${COLUMNS} FROM fees WHERE product = $1 AND tier = $2 AND currency = $3 FOR UPDATE`;
const SET = `
  INSERT INTO fees (product, tier, currency, flat, basis_points, cap) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (product, tier, currency) DO UPDATE SET flat = excluded.flat, basis_points = excluded.basis_points, cap = excluded.cap`;
/** The table `fees`. A change counts for what is priced from then on, within five seconds in every process. */
@Injectable()
export class FeeRulesService {
  constructor(private readonly dataSource: DataSource) {}

  async list(): Promise<FeeRule[]> {
    const rows: Row[] = await this.dataSource.query(LIST);
    return rows.map(ruleOf);
  }

  /** Adds a rule or changes one; nothing is charged by one of zeros. Answers what it was before; null: there was none. */
  set({ product, tier, currency, flat, basisPoints, cap }: FeeRule): Promise<FeeRule | null> {
    const key = [product, tier, currency];
    return this.dataSource.transaction(async (tx) => {
      const [before]: Row[] = await tx.query(FIND, key);
      await tx.query(SET, [...key, flat, basisPoints, cap]);
      return before ? ruleOf(before) : null;
    });
  }
}

const ruleOf = ({ flat, cap, ...row }: Row): FeeRule => ({
  ...row,
  flat: BigInt(flat),
  cap: cap === null ? null : BigInt(cap),
});
