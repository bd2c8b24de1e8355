import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { amountRules, OneOf } from '../../../core/http/fields';
import { type Controls, LIMIT_INTERVALS, type LimitInterval } from './spending-controls';

const LIMITS_MAX = 20;
const LIST_MAX = 300;
const MCC = '^[0-9]{4}$';
const COUNTRY = '^[A-Z]{2}$';

const rule = (name: string, says: string, holds: (value: unknown) => boolean): PropertyDecorator =>
  ValidateBy({ name, validator: { validate: holds, defaultMessage: () => `$property ${says}` } });

/** A list of codes, each once. */
const Codes = (
  pattern: string,
  { says, example, description }: { says: string; example: string; description: string },
) =>
  applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', pattern, maxLength: 4 },
      maxItems: LIST_MAX,
      required: false,
      example: [example],
      description,
    }),
    IsOptional(),
    rule('codes', `must be a list of up to ${LIST_MAX} different ${says}`, (value) =>
      isListOf(value, new RegExp(pattern)),
    ),
  );

function isListOf(value: unknown, pattern: RegExp): boolean {
  if (!Array.isArray(value) || value.length > LIST_MAX || new Set(value).size < value.length) return false;
  return value.every((code) => typeof code === 'string' && pattern.test(code));
}

/** At most this much within the interval. */
export class SpendingLimitDto {
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 1, description: 'Minor units (cents).', example: 50_000 })
  amount: number;

  @OneOf(LIMIT_INTERVALS)
  interval: LimitInterval;
}

const isAmount = (value: unknown): boolean => amountRules(1).every(({ holds }) => holds(value));

function areLimits(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > LIMITS_MAX) return false;
  return value.every((limit) => {
    const { amount, interval, ...more } = (limit ?? {}) as Partial<SpendingLimitDto>;
    return isAmount(amount) && LIMIT_INTERVALS.some((known) => known === interval) && Object.keys(more).length === 0;
  });
}

/** What a card may be used for. An empty list of allowed things allows all that is not blocked; blocking wins. */
export class SpendingControlsDto {
  @ApiProperty({ type: [SpendingLimitDto], maxItems: LIMITS_MAX, required: false })
  @IsOptional()
  @rule(
    'limits',
    `must be a list of up to ${LIMITS_MAX} limits {amount, interval}: cents, and one of ${LIMIT_INTERVALS.join(', ')}`,
    areLimits,
  )
  limits?: SpendingLimitDto[] | null;

  @Codes(MCC, {
    says: 'merchant category codes of four digits',
    example: '5734',
    description: 'ISO 18245. Empty: all.',
  })
  allowed_mccs?: string[] | null;

  @Codes(MCC, { says: 'merchant category codes of four digits', example: '7995', description: 'ISO 18245.' })
  blocked_mccs?: string[] | null;

  @Codes(COUNTRY, {
    says: 'countries (ISO 3166-1 alpha-2)',
    example: 'US',
    description: 'ISO 3166-1 alpha-2. Empty: all.',
  })
  allowed_countries?: string[] | null;

  @Codes(COUNTRY, { says: 'countries (ISO 3166-1 alpha-2)', example: 'KP', description: 'ISO 3166-1 alpha-2.' })
  blocked_countries?: string[] | null;
}

/** As they are kept: what was not said allows everything. */
export const toControls = (dto: SpendingControlsDto | null | undefined): Controls => ({
  limits: (dto?.limits ?? []).map(({ amount, interval }) => ({ amount, interval })),
  allowed_mccs: dto?.allowed_mccs ?? [],
  blocked_mccs: dto?.blocked_mccs ?? [],
  allowed_countries: dto?.allowed_countries ?? [],
  blocked_countries: dto?.blocked_countries ?? [],
});
