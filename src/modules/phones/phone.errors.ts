import { DomainError } from '../../core/errors/domain-error';

export class InvalidPhoneNumber extends DomainError {
  constructor(detail: string) {
    super({ code: 'invalid_phone_number', kind: 'malformed', title: 'Invalid phone number', detail, param: '/phone' });
  }
}

export class UnknownNetwork extends DomainError {
  constructor(network: string, country: string, known: readonly string[]) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Unknown network',
      detail:
        `${network} is not a network of ${country}; ` +
        `there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ') || 'none'}.`,
      param: '/network',
    });
  }
}

export class NetworkNotDetected extends DomainError {
  constructor(phone: string, known: readonly string[]) {
    super({
      code: 'network_not_detected',
      kind: 'unprocessable',
      title: 'Network not detected',
      detail:
        known.length === 0
          ? `No network of the country of ${phone} is known.`
          : `The network of ${phone} is not known: send one of ${known.join(', ')}.`,
      param: '/network',
    });
  }
}

export class NetworkMismatch extends DomainError {
  constructor(phone: string, expected: string, detected: string) {
    super({
      code: 'network_mismatch',
      kind: 'unprocessable',
      title: 'Network mismatch',
      detail: `${phone} was taken for ${expected} and seems to belong to ${detected}.`,
      param: '/network',
    });
  }
}
