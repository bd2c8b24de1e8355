import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';
import { MinorColumn } from '../../core/database/rows';

/** A mobile network of one country. Operators edit the table; the same slug may stand in several countries. */
@Entity('networks')
export class Network {
  /** ISO 3166-1 alpha-2. */
  @PrimaryColumn('text')
  country: string;

  @PrimaryColumn('text')
  slug: string;

  @Column('text')
  name: string;

  /** Other words that a request may use for it. */
  @Column('text', { array: true })
  aliases: string[];

  @Column('text')
  currency: Currency;

  /** Bounds of one airtime purchase, both included. */
  @MinorColumn({ name: 'min_amount' })
  minAmount: bigint;

  @MinorColumn({ name: 'max_amount' })
  maxAmount: bigint;

  /** Of airtime, in basis points. */
  @Column('integer', { name: 'commission_bps' })
  commissionBps: number;

  /** What callers should know about the network at the moment. */
  @Column('text', { name: 'status_message', nullable: true })
  statusMessage: string | null;
}
