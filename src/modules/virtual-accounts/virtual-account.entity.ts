import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MinorColumn } from '../../core/database/rows';
import type { Currency } from '../../core/money/money';
import type { Refused } from '../../providers/answers';

/** `permanent`: takes any number of transfers; `one_time`: takes one. */
export const VIRTUAL_ACCOUNT_KINDS = ['permanent', 'one_time'] as const;
export type VirtualAccountKind = (typeof VIRTUAL_ACCOUNT_KINDS)[number];

/** `pending`: the bank has not given a number yet; `failed`: it will give none. */
export const VIRTUAL_ACCOUNT_STATUSES = ['pending', 'active', 'used', 'expired', 'closed', 'failed'] as const;
export type VirtualAccountStatus = (typeof VIRTUAL_ACCOUNT_STATUSES)[number];

/** What becomes of a transfer to a one-time account that is not of its amount. */
export const AMOUNT_POLICIES = ['review', 'accept_received', 'refund'] as const;
export type AmountPolicy = (typeof AMOUNT_POLICIES)[number];

/** What a bank account is called by whoever pays into it. */
export interface BankName {
  readonly code: string | null;
  readonly name: string;
}

/** The number of a bank account through which transfers reach a wallet. Amounts in minor units. */
@Entity('virtual_accounts')
export class VirtualAccount {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('boolean')
  livemode: boolean;

  /** UUIDv7: also the time of creation. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: VirtualAccountKind;

  @Column('text')
  status: VirtualAccountStatus;

  @Column('uuid', { name: 'wallet_id' })
  walletId: string;

  @Column('text')
  currency: Currency;

  /** What a one-time account asks for; null: whatever comes. */
  @MinorColumn({ nullable: true })
  amount: bigint | null;

  @Column('text', { name: 'on_underpaid' })
  onUnderpaid: AmountPolicy;

  @Column('text', { name: 'on_overpaid' })
  onOverpaid: AmountPolicy;

  @Column('uuid', { name: 'customer_id', nullable: true })
  customerId: string | null;

  @Column('text', { nullable: true })
  label: string | null;

  @Column('text', { nullable: true })
  reference: string | null;

  /** Who has the account. */
  @Column('text')
  provider: string;

  /** The provider's own id of it; this and the number are null until the provider said them. */
  @Column('text', { name: 'provider_reference', nullable: true })
  providerReference: string | null;

  @Column('jsonb', { nullable: true })
  bank: BankName | null;

  @Column('text', { name: 'account_number', nullable: true })
  accountNumber: string | null;

  @Column('text', { name: 'account_name', nullable: true })
  accountName: string | null;

  /** Whether the provider still lets transfers in, as far as we know. */
  @Column('boolean', { name: 'is_open_there' })
  isOpenThere: boolean;

  @Column('jsonb', { nullable: true })
  failure: Refused | null;

  /** By the account's clock; null: never. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** When somebody must look at it again, by the account's clock; null when nobody must. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true })
  nextCheckAt: Date | null;

  /** Times that the provider was asked without an answer that settles it. */
  @Column('integer')
  checks: number;

  /** Grows with each step: of two who read the same one, the second fails. */
  @Column('integer')
  version: number;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
