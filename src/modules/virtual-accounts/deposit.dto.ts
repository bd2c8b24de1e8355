import { ApiProperty } from '@nestjs/swagger';
import { PublicId } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { DateTime, Flag, ManyOf, PageQuery } from '../../core/http/query-fields';
import { toJsonNumber } from '../../core/money/money';
import {
  type Deposit,
  DEPOSIT_RESOLUTIONS,
  DEPOSIT_STATUSES,
  type DepositResolution,
  type DepositStatus,
  type Payer,
} from './deposit.entity';

/** Filters and page of a list of deposits. */
export class DepositsQuery extends PageQuery {
  @ManyOf(DEPOSIT_STATUSES)
  status?: DepositStatus[];

  @PublicId('vac', { optional: true })
  virtual_account_id?: string;

  /** Those that people must look at, or the others. */
  @Flag()
  needs_review?: boolean;

  /** Told of at or after. */
  @DateTime({ optional: true })
  created_gte?: Date;

  /** Told of before. */
  @DateTime({ optional: true })
  created_lt?: Date;
}

/** What a list of deposits may be narrowed to. */
export type DepositFilters = Omit<DepositsQuery, keyof PageQuery>;

/** Who paid, as the bank says. */
export class PayerDto implements Payer {
  /** @example "ADA OBI" */
  name: string;
  /** @example "Guaranty Trust Bank" */
  bank: string | null;
  /** @example "******6789" */
  account_number_masked: string | null;
}

/** One transfer that arrived at a virtual account. Amounts in minor units. */
export class DepositDto {
  @ApiProperty({ enum: ['deposit'] })
  object: 'deposit';
  /** @example "dep_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({
    enum: DEPOSIT_STATUSES,
    description:
      '`received`: somebody told of it, and the bank is asked, or a person; `credited`: the wallet has it; ' +
      '`to_be_returned`, then `returned`: it goes back to the payer; `failed`: it never came.',
  })
  status: DepositStatus;
  virtual_account_id: string;
  /** The wallet that has it; null while none does. */
  wallet_id: string | null;
  /** The credit, once there is one. */
  transaction_id: string | null;
  /** What the bank has; null until it said so. */
  amount: number | null;
  /** ISO 4217; another one than the account's where somebody paid wrongly. @example "NGN" */
  currency: string | null;
  @ApiProperty({ type: () => PayerDto, nullable: true })
  payer: PayerDto | null;
  /** By which banks find a transfer. */
  session_id: string | null;
  /** What the bank calls it. */
  provider_reference: string;
  /**
   * It does not fit its account, what is said of it contradicts itself, or its bank does not give it back: until a
   * person decides nothing moves.
   */
  needs_review: boolean;
  @ApiProperty({
    enum: DEPOSIT_RESOLUTIONS,
    nullable: true,
    description: 'How a deposit was settled that did not fit; null when nobody had to.',
  })
  resolution: DepositResolution | null;
  livemode: boolean;
  /** Grows with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  /** When the bank had it; null until it said so. */
  arrived_at: Date | null;
  created_at: Date;
  updated_at: Date;

  static of(this: void, d: Readonly<Deposit>): DepositDto {
    return {
      object: 'deposit',
      id: encodeId('dep', d.id),
      status: d.status,
      virtual_account_id: encodeId('vac', d.virtualAccountId),
      wallet_id: d.walletId && encodeId('wal', d.walletId),
      transaction_id: d.transactionId && encodeId('txn', d.transactionId),
      amount: d.amount === null ? null : toJsonNumber(d.amount),
      currency: d.currency,
      payer: d.payer,
      session_id: d.sessionId,
      provider_reference: d.providerReference,
      needs_review: d.review !== null,
      resolution: d.resolution,
      livemode: d.livemode,
      version: d.version,
      arrived_at: d.arrivedAt,
      created_at: timeOf(d.id),
      updated_at: d.updatedAt,
    };
  }
}

export class DepositListDto extends ListOf(DepositDto) {}
