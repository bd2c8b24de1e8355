import { DomainError } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import type { EndpointStatus } from './endpoints/webhook-endpoint.entity';
import { WEBHOOK_FAULTS } from './sandbox/webhook-faults';

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

/** A parameter that this order of events cannot have. */
export class NotInThisOrder extends DomainError {
  constructor(param: string, detail: string) {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Validation failed',
      detail,
      param,
      errors: [{ param, code: 'validation_failed', detail }],
    });
  }
}

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
