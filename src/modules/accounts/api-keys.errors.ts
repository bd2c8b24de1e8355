import { DomainError } from '../../core/errors/domain-error';

export class MissingApiKey extends DomainError {
  constructor() {
    super({
      code: 'missing_api_key',
      kind: 'unauthenticated',
      title: 'Missing API key',
      detail: 'Send your key in the header "Authorization: Bearer sk_…".',
    });
  }
}

/**
 * One answer for a key that is misspelled, unknown, revoked, expired, or used from an address that it does not allow.
 */
export class InvalidApiKey extends DomainError {
  constructor() {
    super({
      code: 'invalid_api_key',
      kind: 'unauthenticated',
      title: 'Invalid API key',
      detail: 'This key is unknown, misspelled, revoked or expired, or is not allowed from this address.',
    });
  }
}

export class LiveModeNotEnabled extends DomainError {
  constructor() {
    super({
      code: 'live_mode_not_enabled',
      kind: 'forbidden',
      title: 'Live mode not enabled',
      detail: 'An operator must enable live mode for this account before a live key can be made.',
    });
  }
}

export class InvalidKeySettings extends DomainError {
  constructor(param: string, detail: string) {
    super({ code: 'validation_failed', kind: 'malformed', title: 'Invalid key settings', detail, param });
  }
}

export class KeyNotUsable extends DomainError {
  constructor() {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Key not usable',
      detail: 'This key is revoked or expired: make a new one.',
    });
  }
}
