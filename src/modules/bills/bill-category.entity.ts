import { Column, Entity, PrimaryColumn } from 'typeorm';

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
