import { DomainError } from '../../core/errors/domain-error';

/** A parameter that this order of events cannot have. */
export class NotInThisOrder extends DomainError {
  constructor(param: string, detail: string) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail,
      param,
      errors: [{ param, code: 'validation_failed', detail }],
    });
  }
}
