import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';
import type { Currency } from '../../core/money/money';

/** Money of one currency that became money of another. Final from the start, never changed. Amounts in minor units. */
@Entity('conversions')
export class Conversion {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'quote_id' })
  quoteId: string;

  @Column('uuid', { name: 'from_wallet_id' })
  fromWalletId: string;

  @Column('uuid', { name: 'to_wallet_id' })
  toWalletId: string;

  @Column('uuid', { name: 'debit_transaction_id' })
  debitTransactionId: string;

  @Column('uuid', { name: 'credit_transaction_id' })
  creditTransactionId: string;

  @Column('text', { name: 'from_currency' })
  fromCurrency: Currency;

  @Column('text', { name: 'to_currency' })
  toCurrency: Currency;

  @Column('text')
  rate: string;

  @MinorColumn({ name: 'sell_amount' })
  sellAmount: bigint;

  @MinorColumn({ name: 'buy_amount' })
  buyAmount: bigint;

  @MinorColumn()
  fee: bigint;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;
}
