import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';
import { MinorColumn } from '../../core/database/rows';

/** A kind of billers. */
@Entity('bill_categories')
export class BillCategory {
  @PrimaryColumn('text')
  code: string;

  @Column('text')
  name: string;

  /** Place in the list. */
  @Column('integer')
  position: number;
}

/** Somebody whose bills can be paid. Operators edit the rows. Amounts in minor units. */
@Entity('billers')
export class Biller {
  @PrimaryColumn('text')
  code: string;

  @Column('text')
  name: string;

  @Column('text')
  category: string;

  /** ISO 3166-1 alpha-2. */
  @Column('text')
  country: string;

  @Column('text')
  currency: Currency;

  /** What the biller calls the number of a customer. */
  @Column('text', { name: 'customer_label' })
  customerLabel: string;

  /** Regular expression for the whole number. */
  @Column('text', { name: 'customer_pattern' })
  customerPattern: string;

  @Column('boolean', { name: 'validation_required' })
  validationRequired: boolean;

  /** Empty: the biller has only one. */
  @Column('text', { name: 'service_types', array: true })
  serviceTypes: string[];

  /** The customer's number belongs to one service type: a validation must name it. */
  @Column('boolean', { name: 'service_type_validated' })
  serviceTypeValidated: boolean;

  @MinorColumn({ name: 'min_amount' })
  minAmount: bigint;

  @MinorColumn({ name: 'max_amount' })
  maxAmount: bigint;

  @Column('integer', { name: 'commission_bps' })
  commissionBps: number;

  @Column('boolean')
  enabled: boolean;
}

/** Something that a biller sells: a package, a bundle, a PIN, or any amount within a range. Amounts in minor units. */
@Entity('biller_items')
export class BillerItem {
  @PrimaryColumn('text', { name: 'biller_code' })
  billerCode: string;

  @PrimaryColumn('text')
  code: string;

  @Column('text')
  name: string;

  @Column('text', { name: 'amount_type' })
  amountType: 'fixed' | 'range';

  /** Of one piece or month; null for a range. */
  @MinorColumn({ nullable: true })
  amount: bigint | null;

  /** Bounds of a range. */
  @MinorColumn({ name: 'min_amount', nullable: true })
  minAmount: bigint | null;

  @MinorColumn({ name: 'max_amount', nullable: true })
  maxAmount: bigint | null;

  /** The only service type that the item is for. */
  @Column('text', { name: 'service_type', nullable: true })
  serviceType: string | null;

  @Column('integer', { name: 'max_quantity' })
  maxQuantity: number;

  /** Place in the list. */
  @Column('integer')
  position: number;

  @Column('boolean')
  enabled: boolean;
}
