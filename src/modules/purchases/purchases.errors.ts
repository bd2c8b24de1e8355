import { DomainError } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';

/** No provider can be asked for this now. Nothing was recorded. */
export class ProviderUnavailable extends DomainError {
  constructor(network: string) {
    super({
      code: 'provider_unavailable',
      kind: 'unavailable',
      title: 'Provider unavailable',
      retryable: true,
      retryAfter: 30,
      detail:
        `Nobody who sells for ${network} can be asked right now. ` +
        'Nothing was recorded; send the request again later.',
    });
  }
}

/** The purchase is in a state in which this cannot be done. */
export class InvalidPurchaseTransition extends DomainError {
  constructor(transactionId: string, status: string, wanted: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('txn', transactionId)} is ${status} and cannot be ${wanted}.`,
      resourceId: encodeId('txn', transactionId),
    });
  }
}

export class InvalidPurchaseRequest extends DomainError {
  constructor(param: string, detail: string) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail,
      param,
      errors: [{ param, code: 'invalid', detail }],
    });
  }
}

/** There is no wallet that could pay. */
export class NoWallet extends DomainError {
  constructor(currency: string) {
    super({
      code: 'not_found',
      kind: 'not_found',
      title: 'Not found',
      param: '/wallet_id',
      detail: `You have no active wallet in ${currency}: open one, or name another.`,
      recovery: 'account_must_act',
    });
  }
}

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
