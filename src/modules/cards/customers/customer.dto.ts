import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Country, field, type FieldOptions, Metadata, Nested, OneOf, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import { ListOf } from '../../../core/http/list.dto';
import { MetadataFilter, PageQuery } from '../../../core/http/query-fields';
import type { Address } from '../card-issuer';
import type { Customer } from './customer.entity';
import type { CustomerChanges, NewCustomer } from './customers.service';

const IDENTITY_TYPES = ['passport', 'national_id', 'drivers_license', 'voters_card', 'bvn', 'nin', 'ssn'] as const;

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;
const EMAIL_MAX = 254;
const E164 = '^\\+[1-9][0-9]{6,14}$';
const DAY = '^(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$';
const NUMBER = '^[A-Za-z0-9][A-Za-z0-9 ./-]{3,39}$';

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
        says: 'must be a phone number in E.164 form, such as +2348031234567',
        holds: matches(E164),
      },
    ],
    options,
  );

const DateOfBirth = (options?: FieldOptions) =>
  field(
    { type: 'string', format: 'date', pattern: DAY, maxLength: 10, example: '1990-04-21' },
    [{ name: 'day', says: 'must be a day in the past, as YYYY-MM-DD', holds: isPastDay }],
    options,
  );

function isPastDay(value: unknown): boolean {
  if (!matches(DAY)(value)) return false;
  const day = new Date(`${value as string}T00:00:00Z`);
  // Date rolls the 30th of February over to March: the day must survive a round trip.
  return !isNaN(day.getTime()) && day.toISOString().startsWith(value as string) && day < new Date();
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

  @Country()
  country: string;
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
  number: string;
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
      livemode: c.livemode,
      version: c.version,
      created_at: timeOf(c.id),
      updated_at: c.updatedAt,
      anonymized_at: c.anonymizedAt,
    };
  }
}

export class CustomersQuery extends PageQuery {
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
