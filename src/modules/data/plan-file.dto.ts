import { isInt, max, min } from 'class-validator';
import { DomainError, type FieldError } from '../../core/errors/domain-error';
import {
  Amount,
  Country,
  CurrencyCode,
  field,
  Flag,
  NetworkName,
  OneOf,
  type Rule,
  Text,
} from '../../core/http/fields';
import { InvalidRequest, pointer, ValidationPipe } from '../../core/http/validation.pipe';
import type { Currency } from '../../core/money/money';
import { type OfferedPlan, PLAN_TYPES, type PlanType, type Validity, VALIDITY_UNITS } from './data-plan';

const PLAN_CODE = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const COMMISSION_BPS_MAX = 9_999;
const VALIDITY_MAX = 1_000;

const rule = (name: string, says: string, holds: Rule['holds']): Rule[] => [{ name, says, holds }];
const isWhole = (value: unknown, lowest: number, highest: number): boolean =>
  isInt(value) && min(value, lowest) && max(value, highest);

const isPlanCode = (value: unknown): boolean => typeof value === 'string' && PLAN_CODE.test(value);

/** A plan in a file for `catalogue:import`: the fields that GET /v4/data/plans shows of it, and whether it is sold. */
class PlanOfFileDto {
  @field(
    { type: 'string' },
    rule('planCode', 'must be 1 to 64 of a-z 0-9 . _ -, beginning with a letter or a digit', isPlanCode),
  )
  plan_code: string;

  @NetworkName()
  network: string;

  @Country()
  country: string;

  @Text(100)
  name: string;

  @OneOf(PLAN_TYPES)
  type: PlanType;

  @Amount({ description: 'Bytes.' })
  data_bytes: number;

  @field(
    { type: 'object' },
    rule(
      'validity',
      `must be {quantity, unit}: a whole number up to ${VALIDITY_MAX} of ${VALIDITY_UNITS.join(', ')}`,
      isValidity,
    ),
  )
  validity: Validity;

  @Amount()
  price: number;

  @CurrencyCode()
  currency: Currency;

  @field(
    { type: 'integer' },
    rule('basisPoints', `must be a whole number from 0 to ${COMMISSION_BPS_MAX}`, (value) =>
      isWhole(value, 0, COMMISSION_BPS_MAX),
    ),
  )
  commission_bps: number;

  @Flag({ optional: true })
  active?: boolean | null;
}

function isValidity(value: unknown): boolean {
  const { quantity, unit, ...more } = (value ?? {}) as Partial<Validity>;
  return (
    isWhole(quantity, 1, VALIDITY_MAX) &&
    VALIDITY_UNITS.some((known) => known === unit) &&
    Object.keys(more).length === 0
  );
}

const pipe = new ValidationPipe();

/** The plans of a parsed file. Throws `InvalidPlanFile` with every fault. */
export function readPlans(content: unknown): OfferedPlan[] {
  if (!Array.isArray(content)) throw new InvalidPlanFile([fault('', 'The file must hold a JSON list of plans')]);
  const faults: FieldError[] = [];
  const plans = new Map<string, OfferedPlan>();
  for (const [index, row] of content.entries()) {
    const plan = readPlan(row, pointer(index));
    if (Array.isArray(plan)) faults.push(...plan);
    else if (plans.has(plan.planCode)) faults.push(fault(pointer(index), `${plan.planCode} stands in the file twice`));
    else plans.set(plan.planCode, plan);
  }
  if (faults.length > 0) throw new InvalidPlanFile(faults);
  return [...plans.values()];
}

/** A plan, or what is wrong with it. */
function readPlan(row: unknown, at: string): OfferedPlan | FieldError[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return [fault(at, 'must be an object')];
  try {
    return toOffer(pipe.transform(row, { type: 'body', metatype: PlanOfFileDto }) as PlanOfFileDto);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return error.details.errors!.map(({ param, code, detail }) => ({ param: at + param, code, detail }));
  }
}

const toOffer = ({ plan_code, data_bytes, price, commission_bps, active, ...plan }: PlanOfFileDto): OfferedPlan => ({
  ...plan,
  planCode: plan_code,
  dataBytes: BigInt(data_bytes),
  price: BigInt(price),
  commissionBps: commission_bps,
  active: active ?? true,
});

const fault = (param: string, detail: string): FieldError => ({
  param,
  code: 'validation_failed',
  detail: `${detail}.`,
});

const FAULTS_SHOWN_MAX = 20;

/** Plans that cannot be imported. `detail` lists the faults, for a reader at a command line. */
export class InvalidPlanFile extends DomainError {
  constructor(errors: readonly FieldError[]) {
    const lines = errors.slice(0, FAULTS_SHOWN_MAX).map(({ param, detail }) => `  ${param || '/'}: ${detail}`);
    const more = errors.length > lines.length ? [`  … and ${errors.length - lines.length} more`] : [];
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Invalid request',
      detail: ['Nothing was imported.', ...lines, ...more].join('\n'),
      param: errors[0]!.param,
      errors,
    });
  }
}
