import { DomainError } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import { type EndpointStatus, WEBHOOK_FAULTS } from './webhook-endpoint.entity';

export class InvalidEndpointTransition extends DomainError {
  constructor(endpointId: string, status: EndpointStatus) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      detail: `${encodeId('whk', endpointId)} is ${status} already.`,
      resourceId: encodeId('whk', endpointId),
    });
  }
}

export class ReplayTooLarge extends DomainError {
  constructor(max: number) {
    super({
      code: 'replay_too_large',
      kind: 'unprocessable',
      title: 'Replay too large',
      detail: `One replay sends at most ${max} events: ask for a shorter time or fewer types.`,
      param: '/created_lt',
    });
  }
}

/** The header that asks for faults says something else. */
export class InvalidWebhookFault extends DomainError {
  constructor() {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail: `X-Sandbox-Webhook must be one of ${WEBHOOK_FAULTS.join(', ')}, or none.`,
    });
  }
}
