import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  IsDefined,
  isObject,
  IsOptional,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { CURRENCIES, isCurrency } from '../money/money';
import { DtoShape, ReadWith, STRANGE } from './dto';
import type { IdPrefix } from '../../vocabulary/id-prefixes';

/** Options of every field decorator. An optional field may be absent or null; both mean the same. */
export interface FieldOptions {
  readonly optional?: boolean;
  /** Another field, which stands for this one: both are too many and, unless this one is `optional`, none too few. */
  readonly unless?: string;
  readonly description?: string;
  readonly example?: unknown;
}

/** A rule of a field. `says` completes the sentence that begins with the field's name. */
export interface Rule {
  readonly name: string;
  readonly says: string;
  /** `code` of the problem document; `validation_failed` when absent. */
  readonly code?: string;
  readonly holds: (value: unknown) => boolean;
}

type Schema = Pick<
  ApiPropertyOptions & object,
  | 'type'
  | 'format'
  | 'pattern'
  | 'minimum'
  | 'maximum'
  | 'minLength'
  | 'maxLength'
  | 'enum'
  | 'additionalProperties'
  | 'example'
  | 'description'
> & { maxProperties?: number; default?: unknown; style?: 'deepObject'; explode?: boolean };

/** A field of a request: what is checked and what the OpenAPI document says, in one place. */
export function field(schema: Schema, rules: readonly Rule[], options: FieldOptions = {}): PropertyDecorator {
  const { optional: _optional, unless: _unless, ...shown } = options;
  return applyDecorators(
    ApiProperty({ ...schema, ...shown } as ApiPropertyOptions),
    ...presence({ ...options, description: shown.description ?? schema.description }),
    ...rules.map((rule) =>
      ValidateBy(
        { name: rule.name, validator: { validate: rule.holds, defaultMessage: () => `$property ${rule.says}` } },
        { context: { code: rule.code } },
      ),
    ),
  );
}

const isSent = (value: unknown): boolean => value !== undefined && value !== null;

/** Whether a field must be there. */
function presence({ optional = false, unless, description }: FieldOptions): PropertyDecorator[] {
  if (unless === undefined)
    return [
      ApiProperty({ required: !optional }),
      optional ? IsOptional() : IsDefined({ message: '$property is required' }),
    ];
  const when = optional ? `Left out with \`${unless}\`.` : `Needed unless \`${unless}\` is sent.`;
  const stands = (dto: object): boolean => isSent(Reflect.get(dto, unless));
  return [
    ApiProperty({ required: false, description: description === undefined ? when : `${description} ${when}` }),
    ValidateIf((dto: object, value) => isSent(value) || !(optional || stands(dto))),
    IsDefined({ message: `$property is required, unless ${unless} is sent` }),
    ValidateBy({
      name: 'unless',
      validator: {
        validate: (_, args?: ValidationArguments) => !stands(args!.object),
        defaultMessage: () => `$property must be left out where ${unless} is sent`,
      },
    }),
  ];
}

const isText = (value: unknown, { min = 1, max }: { min?: number; max: number }): value is string =>
  typeof value === 'string' && value.length >= min && value.length <= max;

const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

/** A whole number of minor units (kobo, cents) as a JSON number; `min` is 1 unless a field allows 0. */
export function Amount({
  min = 1,
  max = Number.MAX_SAFE_INTEGER,
  ...options
}: FieldOptions & { min?: 0 | 1; max?: number } = {}): PropertyDecorator {
  return field(
    {
      type: 'integer',
      format: 'int64',
      minimum: min,
      maximum: max,
      example: 105_000,
      description: 'Minor units (kobo, cents).',
    },
    amountRules(min, max),
    options,
  );
}

/** The two rules never fail together: what is not a number of some size has no range. */
export function amountRules(min: number, max = Number.MAX_SAFE_INTEGER): Rule[] {
  const isBeyondIntegers = (value: unknown) =>
    typeof value === 'number' && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER);
  return [
    {
      name: 'amountInteger',
      code: 'amount_not_integer',
      says: 'must be a JSON number, a whole number of minor units',
      holds: (value) => Number.isInteger(value) || isBeyondIntegers(value),
    },
    {
      name: 'amountRange',
      code: 'amount_out_of_range',
      says: `must be between ${min} and ${max}`,
      holds: (value) =>
        !isBeyondIntegers(value) &&
        !(Number.isInteger(value) && ((value as number) < min || (value as number) > max || Object.is(value, -0))),
    },
  ];
}

/** ISO 4217 code of a currency that the service knows. */
export const CurrencyCode = (options?: FieldOptions) =>
  field(
    { type: 'string', enum: [...CURRENCIES], example: 'NGN' },
    [{ name: 'currencyCode', says: `must be one of ${CURRENCIES.join(', ')}`, holds: isCurrency }],
    options,
  );

const REFERENCE = '^[A-Za-z0-9._:-]{1,128}$';

/** The caller's own id of a request, unique for ever per account and mode. */
export const Reference = (options?: FieldOptions) =>
  field(
    { type: 'string', pattern: REFERENCE, maxLength: 128, example: 'order-1001' },
    [
      {
        name: 'reference',
        says: 'must be 1 to 128 characters of A-Z a-z 0-9 . _ : -',
        holds: matches(new RegExp(REFERENCE)),
      },
    ],
    options,
  );

/** One of a closed list of words. */
export const OneOf = (values: readonly string[], options?: FieldOptions) =>
  field(
    // The list itself: teams may add to it when a process starts.
    { type: 'string', enum: values as string[], example: values[0] },
    [
      {
        name: 'oneOf',
        get says() {
          return `must be one of ${values.join(', ')}`;
        },
        holds: (value) => values.includes(value as string),
      },
    ],
    options,
  );

/** Free text of 1 to `max` UTF-16 units. */
export const Text = (max: number, options?: FieldOptions) =>
  field(
    { type: 'string', minLength: 1, maxLength: max },
    [{ name: 'text', says: `must be text of 1 to ${max} characters`, holds: (value) => isText(value, { max }) }],
    options,
  );

const URL_MAX = 2_048;

/** An address that we call. Whether we may is for the policy of addresses to say. `example`: as documents show it. */
export const CalledUrl = (example: string, options?: FieldOptions) =>
  field(
    {
      type: 'string',
      format: 'uri',
      minLength: 1,
      maxLength: URL_MAX,
      example,
      description: 'https; with test keys also http.',
    },
    [
      {
        name: 'url',
        says: `must be a URL of at most ${URL_MAX} characters`,
        holds: (value) => typeof value === 'string' && value.length >= 1 && value.length <= URL_MAX,
      },
    ],
    options,
  );

/** A name that people give to a thing. */
export const Label = (options?: FieldOptions) => Text(100, { example: 'Shop float', ...options });

/**
 * A public id. Only its shape as text is checked: a malformed id is answered like an unknown one, by whoever looks it
 * up.
 */
export const PublicId = (prefix: IdPrefix, options?: FieldOptions) =>
  field(
    { type: 'string', maxLength: 64, example: `${prefix}_01kabcdefghjkmnpqrstvwxyz0` },
    [{ name: 'publicId', says: `must be an id (${prefix}_…)`, holds: (value) => isText(value, { max: 64 }) }],
    options,
  );

/** A JSON boolean. */
export const Flag = (options?: FieldOptions) =>
  field(
    { type: 'boolean' },
    [{ name: 'flag', says: 'must be true or false', holds: (value) => typeof value === 'boolean' }],
    options,
  );

/** `dry_run`: check everything, write nothing. */
export const DryRun = () =>
  Flag({
    optional: true,
    example: false,
    description: 'Check everything and answer with what would happen. Writes nothing.',
  });

/** `allow_duplicate`: of requests that have neither key nor reference. */
export const AllowDuplicate = () =>
  Flag({
    optional: true,
    example: false,
    description: 'Let a request through that looks like a repetition of one of the last two minutes.',
  });

const METADATA_KEYS_MAX = 50;
const METADATA_KEY = { max: 40 };
export const METADATA_VALUE = { min: 0, max: 500 };

/** The caller's own facts, kept and returned as they are: at most 50 pairs of text. */
export const Metadata = (options?: FieldOptions) =>
  field(
    {
      type: 'object',
      maxProperties: METADATA_KEYS_MAX,
      additionalProperties: { type: 'string', maxLength: METADATA_VALUE.max },
      example: { order: '1001' },
    },
    [
      {
        name: 'metadata',
        says: 'must be an object of at most 50 texts, keys of 1 to 40 and values of up to 500 characters',
        holds: (value) => isMetadata(value, METADATA_KEYS_MAX),
      },
    ],
    options,
  );

/** At most `max` pairs of text. */
export function isMetadata(value: unknown, max: number): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const pairs = Object.entries(value);
  return pairs.length <= max && pairs.every(([key, text]) => isText(key, METADATA_KEY) && isText(text, METADATA_VALUE));
}

/** A field that is an object with fields of its own: those of `type`, a class like that of a body. */
export function Nested(type: () => Type<object>, { optional, unless, ...shown }: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    // By its name swagger knows a function that gives a class from a class.
    ApiProperty({ type: () => type(), ...shown }),
    ...presence({ optional, unless, ...shown }),
    ReadWith((value) => instanceOf(new DtoShape(type()), value)),
    ValidateBy({
      name: 'object',
      validator: { validate: (value) => isObject(value), defaultMessage: () => '$property must be an object' },
    }),
    ValidateNested(),
  );
}

/** A field that is a list of up to `max` such objects. */
export function NestedList(
  type: () => Type<object>,
  { max, optional, unless, ...shown }: FieldOptions & { readonly max: number },
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: () => [type()], maxItems: max, ...shown }),
    ...presence({ optional, unless, ...shown }),
    ReadWith((value) => (Array.isArray(value) ? listOf(new DtoShape(type()), value, max) : noObject(value))),
    ValidateBy({
      name: 'objects',
      validator: {
        validate: (value) => Array.isArray(value) && value.length <= max && value.every((item) => isObject(item)),
        defaultMessage: () => `$property must be a list of up to ${max} objects`,
      },
    }),
    ValidateNested(),
  );
}

/** Of a list that is too long one more than it may have: that is enough to refuse it. */
const listOf = (shape: DtoShape, given: readonly unknown[], max: number): unknown[] =>
  given.slice(0, max + 1).map((item) => instanceOf(shape, item));

/** What is there in place of something else: an object or a list would be looked into by whoever says what is wrong. */
const noObject = (given: unknown): unknown => (typeof given === 'object' && given !== null ? false : given);

/**
 * With the fields that the class does not know, too: they are for the rule that refuses them, and so is what is no
 * object.
 */
function instanceOf(shape: DtoShape, given: unknown): unknown {
  if (!isObject<object>(given)) return noObject(given);
  const dto = shape.read(given);
  const strange = Object.entries(given).filter(([name]) => !shape.names.has(name));
  for (const [name, value] of strange) Object.defineProperty(dto, STRANGE + name, { value, enumerable: true });
  return dto;
}

const PHONE_MAX = 32;
const COUNTRY = /^[A-Z]{2}$/;
const SLUG = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** A phone number as people write it. Whether it exists is found out later. */
export const Phone = (options?: FieldOptions) =>
  field(
    {
      type: 'string',
      minLength: 1,
      maxLength: PHONE_MAX,
      example: '+2348031234567',
      description:
        'In E.164 form, with or without `+`, or in local form: of `country`, else of the country of the paying ' +
        "wallet's currency.",
    },
    [
      {
        name: 'phone',
        code: 'invalid_phone_number',
        says: `must be a phone number of up to ${PHONE_MAX} characters`,
        holds: (value) => typeof value === 'string' && value.length > 0 && value.length <= PHONE_MAX,
      },
    ],
    options,
  );

/** ISO 3166-1 alpha-2 code of a country. */
export const Country = (options?: FieldOptions) =>
  field(
    { type: 'string', pattern: COUNTRY.source, maxLength: 2, example: 'NG', description: 'ISO 3166-1 alpha-2.' },
    [{ name: 'country', says: 'must be the two capital letters of a country (ISO 3166-1)', holds: matches(COUNTRY) }],
    options,
  );

/** Slug or alias of a network. */
export const NetworkName = (options?: FieldOptions) =>
  applyDecorators(
    ReadWith((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
    field(
      {
        type: 'string',
        pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,39}$',
        maxLength: 40,
        example: 'mtn',
        description: 'Slug or alias, as in GET /v4/airtime/networks; capitals or not.',
      },
      [{ name: 'networkName', says: 'must be the slug of a network, such as mtn', holds: matches(SLUG) }],
      options,
    ),
  );

/** Code of a bank, as the country's clearing house has it. */
export const BankCode = () => Text(16, { example: '058', description: 'One of `GET /v4/banks`.' });

/** Number of an account at a bank. Which form it has the bank says. */
export const AccountNumber = () =>
  Text(34, { example: '0123456789', description: "As the bank's `account_pattern` describes it." });
