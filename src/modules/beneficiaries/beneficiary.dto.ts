import { ApiProperty } from '@nestjs/swagger';
import { FieldRefused } from '../../core/errors/domain-error';
import {
  AccountNumber,
  BankCode,
  Country,
  Label,
  Metadata,
  Nested,
  NetworkName,
  OneOf,
  Phone,
  PublicId,
  Text,
} from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { MayBeginWithPlus, PageQuery } from '../../core/http/query-fields';
import { Varies } from '../../core/openapi/schemas';
import {
  type Beneficiary,
  BENEFICIARY_KINDS,
  type BeneficiaryDetails,
  type BeneficiaryKind,
} from './beneficiary.entity';

const NAME_MAX = 200;

/** An account at a bank. */
export class BankAccountDto {
  @BankCode()
  code: string;

  @AccountNumber()
  account_number: string;
}

/** A mobile number that airtime and data are sent to. */
class BeneficiaryPhoneDto {
  @Phone({ description: 'In E.164 form, with or without `+`, or in local form of `country`.' })
  phone: string;

  @Country({ optional: true, description: 'ISO 3166-1 alpha-2. Needed for a number in local form.' })
  country?: string | null;

  @NetworkName({
    optional: true,
    description: 'One of `GET /v4/airtime/networks`. Without it: the network whose range the number is from, if known.',
  })
  network?: string | null;
}

/** A customer of a biller. */
class BeneficiaryCustomerDto {
  @Text(64, { example: 'ikeja-electric' })
  biller_code: string;

  @Text(64, {
    example: '1111111111111',
    description: "The customer's number, as the biller's `customer_field` describes it.",
  })
  customer_identifier: string;

  @Text(64, { optional: true, example: 'prepaid', description: 'What is bought where a payment does not say it.' })
  item_code?: string | null;

  @Text(64, { optional: true, example: 'prepaid', description: "One of the biller's `service_types`." })
  service_type?: string | null;
}

/** A wallet that transfers are made to. */
class BeneficiaryWalletDto {
  @PublicId('wal', { description: 'Any wallet of the same mode that is not closed, yours or not.' })
  wallet_id: string;
}

export class CreateBeneficiaryDto {
  @OneOf(BENEFICIARY_KINDS, {
    optional: true,
    description: 'What is paid. Needed unless it is a bank account, which `bank` says.',
  })
  kind?: BeneficiaryKind | null;

  @Label({ optional: true, example: 'Landlord', description: 'Without it: the verified name, else the number.' })
  label?: string | null;

  @Nested(() => BankAccountDto, { optional: true, description: 'Of the kind `bank_account`.' })
  bank?: BankAccountDto | null;

  @Nested(() => BeneficiaryPhoneDto, { optional: true, description: 'Of the kind `phone`.' })
  phone?: BeneficiaryPhoneDto | null;

  @Nested(() => BeneficiaryCustomerDto, { optional: true, description: 'Of the kind `meter`.' })
  meter?: BeneficiaryCustomerDto | null;

  @Nested(() => BeneficiaryCustomerDto, { optional: true, description: 'Of the kind `smartcard`.' })
  smartcard?: BeneficiaryCustomerDto | null;

  @Nested(() => BeneficiaryWalletDto, { optional: true, description: 'Of the kind `wallet`.' })
  wallet?: BeneficiaryWalletDto | null;

  @Text(NAME_MAX, {
    optional: true,
    example: 'Adaeze Okafor',
    description: 'Refuse it unless the bank or the biller says this name, in any order and spelling of capitals.',
  })
  account_name?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

/** A beneficiary as the caller describes it. */
export interface NewBeneficiary {
  readonly kind: BeneficiaryKind;
  /** Null: the verified name, else the number. */
  readonly label: string | null;
  /** As it was sent. */
  readonly details: BeneficiaryDetails[BeneficiaryKind];
  /** As the caller knows it; null: whatever the bank or the biller says. */
  readonly accountName: string | null;
  readonly metadata: Record<string, string>;
}

/** The field that says who is paid, by kind. */
const FIELDS = {
  bank_account: 'bank',
  phone: 'phone',
  meter: 'meter',
  smartcard: 'smartcard',
  wallet: 'wallet',
} as const satisfies Record<BeneficiaryKind, keyof CreateBeneficiaryDto>;

const ofCustomer = (dto: BeneficiaryCustomerDto): BeneficiaryDetails['meter'] => ({
  biller_code: dto.biller_code,
  customer_identifier: dto.customer_identifier,
  item_code: dto.item_code ?? null,
  service_type: dto.service_type ?? null,
});

const DETAILS: { [Kind in BeneficiaryKind]: (dto: CreateBeneficiaryDto) => BeneficiaryDetails[Kind] } = {
  bank_account: ({ bank }) => ({ bank_code: bank!.code, account_number: bank!.account_number }),
  phone: ({ phone }) => ({ phone: phone!.phone, country: phone!.country ?? null, network: phone!.network ?? null }),
  meter: ({ meter }) => ofCustomer(meter!),
  smartcard: ({ smartcard }) => ofCustomer(smartcard!),
  wallet: ({ wallet }) => ({ wallet_id: wallet!.wallet_id }),
};

/** Throws `FieldRefused` unless who is paid is said once, in the form of the kind. */
export function toNewBeneficiary(dto: CreateBeneficiaryDto): NewBeneficiary {
  const kind = dto.kind ?? (dto.bank ? 'bank_account' : null);
  if (kind === null)
    throw new FieldRefused('/kind', '/kind is required, unless it is a bank account: then send /bank.');
  const field = FIELDS[kind];
  if (!dto[field]) throw new FieldRefused(`/${field}`, `/${field} is required: who is paid.`);
  const strange = Object.values(FIELDS).find((other) => other !== field && dto[other]);
  if (strange !== undefined)
    throw new FieldRefused(`/${strange}`, `/${strange} must be left out: a ${kind} is said by /${field}.`);
  return {
    kind,
    label: dto.label ?? null,
    details: DETAILS[kind](dto),
    accountName: dto.account_name ?? null,
    metadata: dto.metadata ?? {},
  };
}

export class UpdateBeneficiaryDto {
  @Label({ optional: true, example: 'Landlord' })
  label?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

export class BeneficiariesQuery extends PageQuery {
  @OneOf(BENEFICIARY_KINDS, { optional: true })
  kind?: BeneficiaryKind;

  @MayBeginWithPlus()
  @Text(100, {
    optional: true,
    example: 'okafor',
    description:
      'Part of the label, of the verified name, or of the number: of the account, phone, meter, smartcard or wallet.',
  })
  q?: string;
}

class BankAccountDetailsDto {
  /** @example "058" */
  bank_code: string;
  /** @example "0123456789" */
  account_number: string;
}

class PhoneDetailsDto {
  /** In E.164 form. @example "+2348031234567" */
  phone: string;
  /** ISO 3166-1 alpha-2. @example "NG" */
  country: string;
  /** Null when it is not known: an order must say it then. @example "mtn" */
  network: string | null;
}

class CustomerDetailsDto {
  /** @example "ikeja-electric" */
  biller_code: string;
  /** @example "1111111111111" */
  customer_identifier: string;
  /** @example "prepaid" */
  item_code: string | null;
  /** @example "prepaid" */
  service_type: string | null;
}

class WalletDetailsDto {
  /** @example "wal_01kabcdefghjkmnpqrstvwxyz0" */
  wallet_id: string;
}

/** Somebody whom the account pays again and again. */
export class BeneficiaryDto {
  @ApiProperty({ enum: ['beneficiary'] })
  object: 'beneficiary';
  /** @example "ben_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: BENEFICIARY_KINDS })
  kind: BeneficiaryKind;
  /** @example "Landlord" */
  label: string;
  @Varies(
    'kind',
    {
      bank_account: BankAccountDetailsDto,
      phone: PhoneDetailsDto,
      meter: CustomerDetailsDto,
      smartcard: CustomerDetailsDto,
      wallet: WalletDetailsDto,
    },
    'What is paid: depends on `kind`.',
  )
  details: object;
  /** As the bank or the biller said when it was added; null where nobody says a name. @example "ADAEZE OKAFOR" */
  verified_name: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  /** When an order for it was last placed. */
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
      kind: b.kind,
      label: b.label,
      details: b.details,
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
