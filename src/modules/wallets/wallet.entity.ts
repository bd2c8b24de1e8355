import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';

/** What an account says of its wallet. Balances and status live in the ledger account of the same id. */
@Entity('wallets')
export class Wallet {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  currency: Currency;

  @Column('text', { nullable: true })
  label: string | null;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;

  /** Grows by one with each change that moves no money. */
  @Column('integer')
  version: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
