import { DomainError } from './domain-error';

/** The account has as much of something as it may have. */
export class LimitExceeded extends DomainError {
  constructor(detail: string) {
    super({ code: 'limit_exceeded', kind: 'payment_required', title: 'Limit exceeded', detail });
  }
}
