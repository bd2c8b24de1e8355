import { DomainError } from '../errors/domain-error';

/** A test clock cannot go where an advance would take it, or was moved too often. */
export class ClockTooFar extends DomainError {
  constructor() {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail:
        'The test clock can be a hundred years ahead of the time and be moved 50,000 times, and this would take it ' +
        'further. Use a new account.',
      param: '/seconds',
    });
  }
}
