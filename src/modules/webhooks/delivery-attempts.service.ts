import { Injectable, Logger } from '@nestjs/common';
import { isConnectionLoss, sqlState } from '../../core/database/sqlstate';
import { encodeId } from '../../core/http/ids';
import type { Claimed } from './delivery-claims.service';
import { EndpointSecretsService } from './endpoint-secrets.service';
import { EventBodies } from './event-bodies.service';
import { WebhookSender } from './sender.service';
import { newKey } from './signature.batch';
import type { Attempted, Message } from './webhooks.types';

const NOT_MADE: Attempted = {
  code: 'not_made',
  httpStatus: null,
  durationMs: 0,
  responseBody: null,
  retryAfterSeconds: null,
  control: null,
};

/** Makes the message of a delivery and posts it once. */
@Injectable()
export class DeliveryAttempts {
  private readonly log = new Logger('webhooks');

  constructor(
    private readonly bodies: EventBodies,
    private readonly secrets: EndpointSecretsService,
    private readonly sender: WebhookSender,
  ) {}

  /** Throws when the database is at fault: then it was no attempt. */
  async post(claimed: Claimed): Promise<Attempted> {
    const message = await this.messageOf(claimed).catch((error: unknown) => {
      if (isConnectionLoss(error) || sqlState(error) !== null) throw error;
      this.log.error({ message: 'a message could not be made', delivery: claimed.id, err: error });
    });
    if (message === undefined) return NOT_MADE;
    // A test endpoint that asked for it hears everything twice; what it says to the second is what counts.
    if (claimed.faults === 'duplicate') await this.sender.send(message, claimed);
    return this.sender.send(message, claimed);
  }

  private async messageOf(claimed: Claimed): Promise<Message> {
    const { accountId, livemode, eventId, type, faults, requestId } = claimed;
    const [body, keys] = await Promise.all([
      this.bodies.of({ ...claimed, id: eventId }, claimed.includeSecrets),
      this.secrets.signingKeys({ ...claimed, accountId, livemode, id: claimed.endpointId }),
    ]);
    return {
      id: encodeId('evt', eventId),
      type,
      body,
      secrets: faults === 'bad_signature' ? [newKey()] : keys,
      attempt: claimed.attempts + 1,
      traceparent: requestId && traceparentOf(requestId, claimed.id),
    };
  }
}

/** One trace per request of the partner, one span per delivery. */
function traceparentOf(requestId: string, deliveryId: string): string {
  const hex = (uuid: string) => uuid.replaceAll('-', '');
  return `00-${hex(requestId)}-${hex(deliveryId).slice(16)}-00`;
}
