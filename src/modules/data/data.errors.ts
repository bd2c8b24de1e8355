import { DomainError, type FieldError } from '../../core/errors/domain-error';
import { displayMoney } from '../../core/money/money';
import type { DataPlan } from './data-plan';

/** The caller expects another price. Nothing was sold. */
export class PriceChanged extends DomainError {
  constructor({ planCode, price, currency }: DataPlan, actual: bigint) {
    super({
      code: 'price_changed',
      kind: 'conflict',
      title: 'Price changed',
      detail: `${planCode} costs ${price} now, which is ${displayMoney({ amount: price, currency })}.`,
      param: '/amount',
      figures: { expected: price, actual },
    });
  }
}

export class PlanInactive extends DomainError {
  constructor({ planCode }: DataPlan) {
    super({
      code: 'plan_inactive',
      kind: 'conflict',
      title: 'Plan inactive',
      detail: `${planCode} is not sold at the moment. GET /v4/data/plans lists what is.`,
      param: '/plan_code',
    });
  }
}

/** The number, or the network that the caller names, is not of the plan's network. */
export class NotOfThePlansNetwork extends DomainError {
  constructor({ planCode, network, country }: DataPlan, what: string, param: string) {
    super({
      code: 'network_mismatch',
      kind: 'unprocessable',
      title: 'Network mismatch',
      detail: `${planCode} is a plan of ${network} in ${country}; ${what}.`,
      param,
    });
  }
}

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
