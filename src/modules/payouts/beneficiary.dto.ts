import { ApiProperty } from '@nestjs/swagger';
import { Label, Metadata, Nested, OneOf, Text } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { PageQuery } from '../../core/http/query-fields';
import type { Beneficiary } from './beneficiary.entity';
import { PayoutBankDto } from './payout.dto';

const KINDS = ['bank_account'] as const;

export class CreateBeneficiaryDto {
  @OneOf(KINDS, { optional: true, description: 'What is paid. Only bank accounts yet.' })
  kind?: 'bank_account' | null;

  @Label({ optional: true, example: 'Landlord', description: 'Without it: the name that the bank says.' })
  label?: string | null;

  @Nested(() => PayoutBankDto)
  bank: PayoutBankDto;

  @Text(200, {
    optional: true,
    example: 'Adaeze Okafor',
    description: 'Refuse it unless the bank says this name, in any order and spelling of capitals.',
  })
  account_name?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

export class UpdateBeneficiaryDto {
  @Label({ optional: true, example: 'Landlord' })
  label?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

export class BeneficiariesQuery extends PageQuery {
  @Text(100, {
    optional: true,
    example: 'okafor',
    description: 'Part of the label, of the name at the bank or of the account number.',
  })
  q?: string;
}

/** What of a beneficiary is paid. */
export class BeneficiaryDetailsDto {
  /** @example "058" */
  bank_code: string;
  /** @example "0123456789" */
  account_number: string;
}

/** Somebody whom the account pays again and again. */
export class BeneficiaryDto {
  @ApiProperty({ enum: ['beneficiary'] })
  object: 'beneficiary';
  /** @example "ben_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: KINDS })
  kind: 'bank_account';
  /** @example "Landlord" */
  label: string;
  details: BeneficiaryDetailsDto;
  /** As the bank said when it was added. @example "ADAEZE OKAFOR" */
  verified_name: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  /** When a payout to it was last ordered. */
  last_used_at: Date | null;
  deleted_at: Date | null;
  livemode: boolean;
  /** Grows by one with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  created_at: Date;

  static of(this: void, b: Beneficiary): BeneficiaryDto {
    return {
      object: 'beneficiary',
      id: encodeId('ben', b.id),
      kind: 'bank_account',
      label: b.label,
      details: { bank_code: b.bankCode, account_number: b.accountNumber },
      verified_name: b.verifiedName,
      metadata: b.metadata,
      last_used_at: b.lastUsedAt,
      deleted_at: b.deletedAt,
      livemode: b.livemode,
      version: b.version,
      created_at: timeOf(b.id),
    };
  }
}

export class BeneficiaryListDto extends ListOf(BeneficiaryDto) {}
