import { DomainError } from './domain-error';

export class InsufficientScope extends DomainError {
  constructor(scope: string) {
    super({
      code: 'insufficient_scope',
      kind: 'forbidden',
      title: 'Insufficient scope',
      detail: `This key or role lacks the scope ${scope}.`,
    });
  }
}
