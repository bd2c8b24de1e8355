import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';
import { MinorColumn } from '../../core/database/rows';

/** What a biller said of one customer. Never changes. Amounts in minor units. */
@Entity('bill_validations')
export class BillValidation {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { name: 'biller_code' })
  billerCode: string;

  @Column('text', { name: 'item_code', nullable: true })
  itemCode: string | null;

  @Column('text')
  customer: string;

  /** Null: good for any. */
  @Column('text', { name: 'service_type', nullable: true })
  serviceType: string | null;

  @Column('text', { name: 'customer_name', nullable: true })
  customerName: string | null;

  @Column('text', { nullable: true })
  address: string | null;

  @MinorColumn({ nullable: true })
  arrears: bigint | null;

  @MinorColumn({ name: 'min_amount' })
  minAmount: bigint;

  @MinorColumn({ name: 'max_amount' })
  maxAmount: bigint;

  @Column('text', { name: 'current_plan', nullable: true })
  currentPlan: string | null;

  @MinorColumn({ name: 'renewal_amount', nullable: true })
  renewalAmount: bigint | null;

  @Column('text')
  currency: Currency;

  /** Who said it. */
  @Column('text')
  provider: string;

  /** By the account's clock. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
