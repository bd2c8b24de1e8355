import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';
import { MinorColumn } from '../../core/database/rows';

/** Money moved between two wallets of the platform. Final from the start, never changed. */
@Entity('transfers')
export class Transfer {
  /** The paying account. */
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'from_wallet_id' })
  fromWalletId: string;

  @Column('uuid', { name: 'to_wallet_id' })
  toWalletId: string;

  @Column('uuid', { name: 'to_account_id' })
  toAccountId: string;

  @Column('uuid', { name: 'debit_transaction_id' })
  debitTransactionId: string;

  @Column('uuid', { name: 'credit_transaction_id' })
  creditTransactionId: string;

  @MinorColumn()
  amount: bigint;

  @MinorColumn()
  fee: bigint;

  @Column('text')
  currency: Currency;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('text', { nullable: true })
  narration: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;
}
