import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';
import type { Currency } from '../../core/money/money';

/** In the payer's cell: the way of a transfer to a wallet of another cell. Its hold is that of the debit. */
@Entity('cell_transfers')
export class CellTransfer {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** That of the transfer. */
  @PrimaryColumn('uuid')
  id: string;

  /** How often the other cell was asked in vain. */
  @Column('integer')
  checks: number;

  /** When it is asked next, by the account's clock; null: it has said what became of it. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  @Column('uuid', { name: 'request_id' })
  requestId: string;

  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey: string | null;
}

/** In the payee's cell: what became of a transfer from another cell, once and for all. */
@Entity('cell_credits')
export class CellCredit {
  /** The account that is paid. */
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** That of the transfer. */
  @PrimaryColumn('uuid', { name: 'transfer_id' })
  id: string;

  @Column('uuid', { name: 'to_wallet_id' })
  toWalletId: string;

  @Column('uuid', { name: 'from_wallet_id' })
  fromWalletId: string;

  @Column('uuid', { name: 'credit_transaction_id' })
  creditTransactionId: string;

  @MinorColumn()
  amount: bigint;

  @Column('text')
  currency: Currency;

  /** Why the books refused it; null: it was credited. */
  @Column('text', { nullable: true })
  refusal: string | null;
}
