import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../../core/money/money';

export const BANK_KINDS = ['bank', 'microfinance', 'mobile_money'] as const;
export type BankKind = (typeof BANK_KINDS)[number];

/** Where money can be sent. Operators edit the rows. */
@Entity('banks')
export class Bank {
  /** As the country's clearing house has it. */
  @PrimaryColumn('text')
  code: string;

  @Column('text')
  name: string;

  /** ISO 3166-1 alpha-2. */
  @Column('text')
  country: string;

  @Column('text')
  currency: Currency;

  @Column('text')
  kind: BankKind;

  /** Regular expression for a whole account number. */
  @Column('text', { name: 'account_pattern' })
  accountPattern: string;

  @Column('boolean')
  enabled: boolean;
}

export interface BankFilters {
  readonly country?: string;
  /** Part of the name, or the code. */
  readonly q?: string;
}

/** A bank as it is offered to somebody. */
export interface OfferedBank extends Bank {
  /** Somebody who reaches it can be asked now. */
  readonly available: boolean;
}

/** Whose account it is, as its bank said. Never changes. */
@Entity('bank_resolutions')
export class BankResolution {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { name: 'bank_code' })
  bankCode: string;

  @Column('text', { name: 'account_number' })
  accountNumber: string;

  @Column('text', { name: 'account_name' })
  accountName: string;

  /** Who said it. */
  @Column('text')
  provider: string;

  /** By the account's clock. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;
}
