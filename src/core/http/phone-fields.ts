import { applyDecorators } from '@nestjs/common';
import { ReadWith } from './dto';
import { field, type FieldOptions } from './fields';

const PHONE_MAX = 32;
const COUNTRY = /^[A-Z]{2}$/;
const SLUG = /^[a-z0-9][a-z0-9-]{0,39}$/;

const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

/** A phone number as people write it. Whether it exists is found out later. */
export const Phone = () =>
  field(
    {
      type: 'string',
      minLength: 1,
      maxLength: PHONE_MAX,
      example: '+2348031234567',
      description:
        "In E.164 form, with or without `+`, or in local form: of `country`, else of the country of the paying wallet's currency.",
    },
    [
      {
        name: 'phone',
        code: 'invalid_phone_number',
        says: `must be a phone number of up to ${PHONE_MAX} characters`,
        holds: (value) => typeof value === 'string' && value.length > 0 && value.length <= PHONE_MAX,
      },
    ],
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
