import { DomainError } from '../../core/errors/domain-error';

export class ReasonNeeded extends DomainError {
  constructor() {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Reason needed',
      param: '/reason',
      detail:
        'What concerns live money has a --reason, and the log-in of an operator as --person: both go to the audit log.',
    });
  }
}
