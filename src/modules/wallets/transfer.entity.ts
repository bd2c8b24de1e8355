import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';
import { MinorColumn } from '../../core/database/rows';

export const TRANSFER_STATUSES = ['processing', 'successful', 'failed'] as const;

/**
 * Money moved between two wallets of the platform. Final from the start, never changed; but for one to a wallet of
 * another cell, which is `processing` until that cell has said what became of it.
 */
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

  @Column('text')
  status: (typeof TRANSFER_STATUSES)[number];

  /** Why it came to nothing. */
  @Column('jsonb', { nullable: true })
  failure: TransferFailure | null;
}

export interface TransferFailure {
  /** That of the books of the other cell. */
  readonly reason: string;
  readonly code: string;
  readonly message: string;
  readonly recovery: string;
}
