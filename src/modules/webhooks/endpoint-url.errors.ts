import { DomainError } from '../../core/errors/domain-error';

/** Webhooks are not sent to such a URL. Says nothing of what was found behind it. */
export class InvalidEndpointUrl extends DomainError {
  constructor(detail: string) {
    const param = '/url';
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Invalid request',
      detail,
      param,
      errors: [{ param, code: 'validation_failed', detail }],
    });
  }
}

/** Neither a type of events nor a pattern of them. */
export class UnknownEventPattern extends DomainError {
  constructor(pattern: string) {
    const param = '/events';
    const detail = `${pattern} is neither a type of events nor a pattern like transaction.* or *.`;
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Invalid request',
      detail,
      param,
      errors: [{ param, code: 'validation_failed', detail }],
    });
  }
}
