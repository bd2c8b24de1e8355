import { applyDecorators } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { isISO31661Alpha2, ValidateBy, type ValidationArguments } from 'class-validator';
import { isPossiblePhoneNumber } from 'libphonenumber-js';
import { ReadWith } from '../../../core/http/dto';
import { DryRun, field, type FieldOptions, Metadata, Nested, OneOf, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { MetadataFilter, PageQuery } from '../../../core/http/query-fields';
import type { Refused } from '../../../providers/answers';
import type { Address } from '../card-issuer';
import { type Customer, KYC_STATUSES, type KycStatus } from './customer.entity';
import type { CustomerChanges, NewCustomer } from './customers.service';
import { KYC_TIERS } from '../kyc-tier';

const IDENTITY_TYPES = ['passport', 'national_id', 'drivers_license', 'voters_card', 'bvn', 'nin', 'ssn'] as const;

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;
const EMAIL_MAX = 254;
const E164 = '^\\+[1-9][0-9]{6,14}$';
const DAY = '^(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$';
const AGE_MIN = 18;
const SHOWN_TIERS = [0, ...KYC_TIERS] as const;
const NUMBER = '^[A-Za-z0-9][A-Za-z0-9 ./-]{3,39}$';

/** What a number of a kind looks like, where its issuer says so; of every other kind `NUMBER` is all that is known. */
const FORMS = new Map<unknown, readonly [form: RegExp, says: string]>([
  ['nin', [/^[0-9]{11}$/, '11 digits']],
  ['bvn', [/^[0-9]{11}$/, '11 digits']],
  ['ssn', [/^[0-9]{3}-?[0-9]{2}-?[0-9]{4}$/, '9 digits, with dashes or without']],
  ['passport', [/^[A-Z0-9]{6,9}$/i, '6 to 9 letters and digits']],
]);

const matches = (pattern: string) => (value: unknown) => typeof value === 'string' && new RegExp(pattern).test(value);

const Email = (options?: FieldOptions) =>
  field(
    { type: 'string', format: 'email', maxLength: EMAIL_MAX, example: 'ada@example.com' },
    [
      {
        name: 'email',
        says: 'must be an e-mail address',
        holds: (value) => typeof value === 'string' && value.length <= EMAIL_MAX && EMAIL.test(value),
      },
    ],
    options,
  );

const MobileNumber = (options?: FieldOptions) =>
  field(
    { type: 'string', pattern: E164, maxLength: 16, example: '+2348031234567', description: 'E.164.' },
    [
      {
        name: 'e164',
        code: 'invalid_phone_number',
        says: 'must be a phone number that exists in its country, in E.164 form, such as +2348031234567',
        holds: (value) => matches(E164)(value) && isPossiblePhoneNumber(value as string),
      },
    ],
    options,
  );

const DateOfBirth = (options?: FieldOptions) =>
  field(
    {
      type: 'string',
      format: 'date',
      pattern: DAY,
      maxLength: 10,
      example: '1990-04-21',
      description: `A cardholder is ${AGE_MIN} or older.`,
    },
    [
      { name: 'day', says: 'must be a day in the past, as YYYY-MM-DD', holds: isPastDay },
      {
        name: 'age',
        code: 'cardholder_too_young',
        says: `must be that of somebody who is ${AGE_MIN} or older`,
        // What is no day has no age.
        holds: (value) => !isPastDay(value) || isOfAge(value as string),
      },
    ],
    options,
  );

function isPastDay(value: unknown): boolean {
  if (!matches(DAY)(value)) return false;
  const day = new Date(`${value as string}T00:00:00Z`);
  // Date rolls the 30th of February over to March: the day must survive a round trip.
  return !isNaN(day.getTime()) && day.toISOString().startsWith(value as string) && day < new Date();
}

/**
 * By today's day in UTC, as text: days of one form are in the order of their text. Who was born on the 29th of February
 * is of age on the 1st of March.
 */
function isOfAge(day: string): boolean {
  const today = new Date();
  return day <= `${today.getUTCFullYear() - AGE_MIN}${today.toISOString().slice(4, 10)}`;
}

/** Where a cardholder lives. */
export class AddressDto implements Address {
  @Text(200, { example: '12 Marina Road' })
  line1: string;

  @Text(100, { example: 'Lagos' })
  city: string;

  @Text(100, { example: 'Lagos' })
  state: string;

  @Text(20, { example: '101241' })
  postal_code: string;

  @field({ type: 'string', pattern: '^[A-Z]{2}$', maxLength: 2, example: 'NG', description: 'ISO 3166-1 alpha-2.' }, [
    {
      name: 'country',
      says: 'must be the two capital letters of a country that exists (ISO 3166-1)',
      holds: isCountry,
    },
  ])
  country: string;
}

function isCountry(value: unknown): boolean {
  return matches('^[A-Z]{2}$')(value) && isISO31661Alpha2(value);
}

/** By which document a cardholder is known. */
export class IdentityDto {
  @OneOf(IDENTITY_TYPES)
  type: string;

  @field(
    {
      type: 'string',
      pattern: NUMBER,
      maxLength: 40,
      example: 'A01234567',
      description: 'Kept encrypted, and shown masked only.',
    },
    [
      {
        name: 'identityNumber',
        says: 'must be 4 to 40 letters, digits, spaces, dots, slashes or dashes',
        holds: matches(NUMBER),
      },
    ],
  )
  @OfItsKind()
  number: string;
}

/** A number of the form that its kind has, by the `type` beside it. */
function OfItsKind(): PropertyDecorator {
  // It may be anything that JSON holds.
  const typeOf = (args?: ValidationArguments) => (args?.object as { readonly type?: unknown } | undefined)?.type;
  const formOf = (args?: ValidationArguments) => FORMS.get(typeOf(args));
  return ValidateBy(
    {
      name: 'numberOfKind',
      validator: {
        // What is no number at all has been said.
        validate: (value, args) => !matches(NUMBER)(value) || (formOf(args)?.[0].test(value as string) ?? true),
        defaultMessage: (args) => `$property of the type ${String(typeOf(args))} must be ${formOf(args)?.[1]}`,
      },
    },
    { context: { code: 'invalid_identity_number' } },
  );
}

export class CreateCustomerDto {
  @Text(60, { example: 'Ada' })
  first_name: string;

  @Text(60, { example: 'Obi' })
  last_name: string;

  @Email()
  email: string;

  @MobileNumber()
  phone: string;

  @DateOfBirth()
  date_of_birth: string;

  @Nested(() => AddressDto)
  address: AddressDto;

  @Nested(() => IdentityDto)
  identity: IdentityDto;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

/**
 * Fields that are absent stay as they are; null clears metadata. Cards that were issued keep what is printed on them.
 * Who is of another name, birthday or document is `unverified` again.
 */
export class UpdateCustomerDto {
  @Text(60, { optional: true, example: 'Ada' })
  first_name?: string | null;

  @Text(60, { optional: true, example: 'Obi' })
  last_name?: string | null;

  @Email({ optional: true })
  email?: string | null;

  @MobileNumber({ optional: true })
  phone?: string | null;

  @DateOfBirth({ optional: true })
  date_of_birth?: string | null;

  @Nested(() => AddressDto, { optional: true })
  address?: AddressDto | null;

  @Nested(() => IdentityDto, { optional: true })
  identity?: IdentityDto | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

export class VerifyCustomerDto {
  @DryRun()
  dry_run?: boolean | null;
}

/** Why a cardholder is not who they say. */
class KycFailureDto implements Refused {
  /** @example "identity_mismatch" */
  code: string;
  message: string;
  /** Who can make it succeed. */
  @ApiProperty({ enum: ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'] })
  recovery: Refused['recovery'];
}

/** A document, of whose number only the end is shown. */
export class MaskedIdentityDto {
  @ApiProperty({ enum: IDENTITY_TYPES })
  type: string;
  /** @example "****4567" */
  number: string;
}

/** Somebody who holds cards. */
export class CustomerDto {
  @ApiProperty({ enum: ['customer'] })
  object: 'customer';
  /** @example "cus_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
  @ApiProperty({ format: 'date', example: '1990-04-21' })
  date_of_birth: string;
  @ApiProperty({ allOf: [{ $ref: getSchemaPath('AddressDto') }] })
  address: Address;
  identity: MaskedIdentityDto;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  /** Whether a provider of identities says that they are who they say: live cards are for `verified` ones only. */
  @ApiProperty({ enum: KYC_STATUSES })
  kyc_status: KycStatus;
  /** How far they are known: 1 to 3 while they are verified, else 0. Limits of their cards depend on it. */
  @ApiProperty({ type: 'integer', enum: SHOWN_TIERS, example: 2 })
  kyc_tier: Customer['kycTier'];
  @ApiProperty({ type: () => KycFailureDto, nullable: true, description: 'Why they were rejected.' })
  kyc_failure: Refused | null;
  kyc_verified_at: Date | null;
  /** The provider says nothing, as often as it is asked: a person decides. */
  needs_review: boolean;
  livemode: boolean;
  /** Grows by one with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  created_at: Date;
  updated_at: Date;
  /** When an operator emptied what is personal: such a cardholder cannot be changed and gets no cards. */
  anonymized_at: Date | null;

  static of(this: void, c: Readonly<Customer>): CustomerDto {
    return {
      object: 'customer',
      id: encodeId('cus', c.id),
      first_name: c.firstName,
      last_name: c.lastName,
      email: c.email,
      phone: c.phone,
      date_of_birth: c.dateOfBirth,
      address: c.address,
      identity: { type: c.identityType, number: c.identityMasked },
      metadata: c.metadata,
      kyc_status: c.kycStatus,
      kyc_tier: c.kycTier,
      kyc_failure: c.kycFailure,
      kyc_verified_at: c.kycVerifiedAt,
      needs_review: c.kycReview !== null,
      livemode: c.livemode,
      version: c.version,
      created_at: timeOf(c.id),
      updated_at: c.updatedAt,
      anonymized_at: c.anonymizedAt,
    };
  }
}

/** `0` to `3` in a query string. */
const TierFilter = () =>
  applyDecorators(
    ReadWith((value) => SHOWN_TIERS.find((tier) => String(tier) === value) ?? value),
    field(
      { type: 'integer', enum: [...SHOWN_TIERS], example: 2, description: 'Only cardholders of this tier.' },
      [{ name: 'tier', says: `must be one of ${SHOWN_TIERS.join(', ')}`, holds: isShownTier }],
      { optional: true },
    ),
  );

const isShownTier = (value: unknown) => SHOWN_TIERS.some((tier) => tier === value);

export class CustomersQuery extends PageQuery {
  @TierFilter()
  kyc_tier?: Customer['kycTier'];

  @MetadataFilter()
  metadata?: Record<string, string>;
}

export class CustomerListDto extends ListOf(CustomerDto) {}

export const toNewCustomer = (dto: CreateCustomerDto): NewCustomer => ({
  firstName: dto.first_name,
  lastName: dto.last_name,
  email: dto.email,
  phone: dto.phone,
  dateOfBirth: dto.date_of_birth,
  address: { ...dto.address },
  identity: { ...dto.identity },
  metadata: dto.metadata ?? {},
});

export const toCustomerChanges = (dto: UpdateCustomerDto): CustomerChanges => ({
  firstName: dto.first_name ?? undefined,
  lastName: dto.last_name ?? undefined,
  email: dto.email ?? undefined,
  phone: dto.phone ?? undefined,
  dateOfBirth: dto.date_of_birth ?? undefined,
  address: dto.address ? { ...dto.address } : undefined,
  identity: dto.identity ? { ...dto.identity } : undefined,
  metadata: dto.metadata === null ? {} : dto.metadata,
});
