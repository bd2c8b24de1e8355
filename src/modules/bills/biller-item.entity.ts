import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/money/minor-column';

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
