import { DomainError } from '../../core/errors/domain-error';

/** Webhooks are not sent to such a URL. Says nothing of what was found behind it. */
export class InvalidEndpointUrl extends DomainError {
  constructor(detail: string) {
    const param = '/url';
    super({ code: 'validation_failed', kind: 'malformed', title: 'Invalid request', detail, param, errors: [{ param, code: 'validation_failed', detail }] });
  }
}
