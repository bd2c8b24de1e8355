import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';
import type { Currency } from '../../core/money/money';

/** Which of the two amounts the caller named. */
export const SIDES = ['sell', 'buy'] as const;
export type Side = (typeof SIDES)[number];

/** What a conversion would cost, promised for a minute and used once. Amounts in minor units. */
@Entity('quotes')
export class Quote {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  side: Side;

  @Column('text', { name: 'from_currency' })
  fromCurrency: Currency;

  @Column('text', { name: 'to_currency' })
  toCurrency: Currency;

  /** Decimal number: units of `toCurrency` for one of `fromCurrency`. */
  @Column('text')
  rate: string;

  @MinorColumn({ name: 'sell_amount' })
  sellAmount: bigint;

  @MinorColumn({ name: 'buy_amount' })
  buyAmount: bigint;

  /** Beside `sellAmount`, in the same currency. */
  @MinorColumn()
  fee: bigint;

  /** Where rate and fee come from, and what extensions changed of them. */
  @Column('jsonb')
  breakdown: readonly object[];

  /** By the account's clock. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  /** What used it: a conversion, or a transaction that pays for something in `toCurrency`. */
  @Column('uuid', { name: 'used_by', nullable: true })
  usedBy: string | null;

  /** Prefix of its public id. */
  @Column('text', { name: 'used_by_resource', nullable: true })
  usedByResource: 'cnv' | 'txn' | null;
}
