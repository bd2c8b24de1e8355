import { DomainError } from '../../core/errors/domain-error';

/** The header that says how a test purchase is to end cannot be read. */
export class InvalidScenario extends DomainError {
  constructor(detail: string) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail: `X-Sandbox-Scenario: ${detail}`,
    });
  }
}
