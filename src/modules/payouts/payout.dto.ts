import { ApiProperty } from '@nestjs/swagger';
import { AccountNumber, Amount, BankCode, Country, Nested, PublicId, Reference, Text } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { DateTime, ManyOf, PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency } from '../../core/money/money';
import { BankAccountDto } from '../beneficiaries/beneficiary.dto';
import { commonPurchase, PurchaseRequestDto, type PurchaseTermsOfRequest } from '../purchases/purchase-request.dto';
import type { CommonPurchase } from '../purchases/running';
import { ApprovalDto } from '../transactions/approval.dto';
import { DetailsOf, PurchaseDetails } from '../transactions/transaction-details.dto';
import { TRANSACTION_STATUSES, type TransactionStatus } from '../transactions/transaction.entity';
import {
  type Bank,
  BANK_KINDS,
  type BankFilters,
  type BankKind,
  type BankResolution,
  type OfferedBank,
} from './bank.entity';
import type { BankAccount } from './payouts.provider';

const CODE_MAX = 16;
const NAME_MAX = 200;
const NARRATION_MAX = 100;

export class BanksQuery extends PageQuery implements BankFilters {
  @Country({ optional: true })
  country?: string;

  @Text(100, { optional: true, example: 'guaranty', description: 'Part of the name, or the code.' })
  q?: string;
}

/** Where money can be sent. */
export class BankDto {
  @ApiProperty({ enum: ['bank'] })
  object: 'bank';
  /** As the country's clearing house has it. @example "058" */
  code: string;
  /** @example "Guaranty Trust Bank" */
  name: string;
  /** ISO 3166-1 alpha-2. @example "NG" */
  country: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  @ApiProperty({ enum: BANK_KINDS })
  kind: BankKind;
  /** Regular expression for a whole account number. @example "^\\d{10}$" */
  account_pattern: string;
  /** A payout would reach it now. */
  available: boolean;

  static of(this: void, b: OfferedBank): BankDto {
    const { code, name, country, currency, kind, accountPattern, available } = b;
    return { object: 'bank', code, name, country, currency, kind, account_pattern: accountPattern, available };
  }
}

export class BankListDto extends ListOf(BankDto) {}

export class ResolveAccountDto {
  @BankCode()
  bank_code: string;

  @AccountNumber()
  account_number: string;
}

export const toBankAccount = (dto: ResolveAccountDto): BankAccount => ({
  bankCode: dto.bank_code,
  accountNumber: dto.account_number,
});

/** Whose account it is, as its bank says. */
export class BankResolutionDto {
  @ApiProperty({ enum: ['bank_resolution'] })
  object: 'bank_resolution';
  /** @example "res_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  /** @example "ADAEZE OKAFOR" */
  account_name: string;
  /** @example "0123456789" */
  account_number: string;
  /** @example "058" */
  bank_code: string;
  /** Until then a payout to the account asks the bank no more. */
  expires_at: Date;
  livemode: boolean;
  created_at: Date;

  static of(this: void, r: BankResolution): BankResolutionDto {
    return {
      object: 'bank_resolution',
      id: encodeId('res', r.id),
      account_name: r.accountName,
      account_number: r.accountNumber,
      bank_code: r.bankCode,
      expires_at: r.expiresAt,
      livemode: r.livemode,
      created_at: timeOf(r.id),
    };
  }
}

export class CreatePayoutDto extends PurchaseRequestDto {
  @Amount({ description: "Minor units of the bank's currency: what arrives." })
  amount: number;

  @Nested(() => BankAccountDto, { unless: 'beneficiary_id', description: 'Who is paid.' })
  bank?: BankAccountDto | null;

  @PublicId('ben', {
    optional: true,
    description: 'One of `GET /v4/beneficiaries` of the kind `bank_account`, instead of `bank`.',
  })
  beneficiary_id?: string | null;

  @Text(NAME_MAX, {
    optional: true,
    example: 'Adaeze Okafor',
    description: 'Refuse the payout unless the bank says this name, in any order and spelling of capitals.',
  })
  account_name?: string | null;

  @Text(NARRATION_MAX, { optional: true, example: 'Salary of May', description: 'For whoever receives.' })
  narration?: string | null;
}

/** A payout as the caller asks for it. */
export interface WantedPayout {
  /** Minor units of the bank's currency. */
  readonly amount: bigint;
  /** Null: the beneficiary's. */
  readonly bank: BankAccount | null;
  /** Public id. */
  readonly beneficiaryId: string | null;
  /** As the caller knows it; null: whatever the bank says. */
  readonly accountName: string | null;
  readonly narration: string | null;
  readonly terms: CommonPurchase;
}

export const toWantedPayout = (dto: CreatePayoutDto, terms: PurchaseTermsOfRequest): WantedPayout => ({
  amount: BigInt(dto.amount),
  bank: dto.bank ? { bankCode: dto.bank.code, accountNumber: dto.bank.account_number } : null,
  beneficiaryId: dto.beneficiary_id ?? null,
  accountName: dto.account_name ?? null,
  narration: dto.narration ?? null,
  terms: commonPurchase(dto, terms),
});

export class PayoutsQuery extends PageQuery {
  @Text(CODE_MAX, { optional: true, example: '058', description: 'Code of a bank.' })
  bank?: string;

  @ManyOf(TRANSACTION_STATUSES)
  status?: TransactionStatus[];

  @PublicId('wal', { optional: true })
  wallet_id?: string;

  @Reference({ optional: true })
  reference?: string;

  /** Created at or after. */
  @DateTime({ optional: true })
  created_gte?: Date;

  /** Created before. */
  @DateTime({ optional: true })
  created_lt?: Date;
}

class BankNameDto implements Pick<Bank, 'code' | 'name'> {
  /** @example "058" */
  code: string;
  /** @example "Guaranty Trust Bank" */
  name: string;
}

/** What `details` of a payout hold. */
@DetailsOf('payout')
export class PayoutDetailsDto extends PurchaseDetails {
  bank: BankNameDto;
  /** @example "******6789" */
  account_number_masked: string;
  /** As the bank said. @example "ADAEZE OKAFOR" */
  account_name: string;
  /** By which banks find the transfer, once it is done. @example "000013260501120000123456789012" */
  session_id: string | null;
  narration: string | null;
  approval?: ApprovalDto;
}
