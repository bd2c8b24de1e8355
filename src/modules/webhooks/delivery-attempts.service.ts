import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import type { Claimed } from './delivery-claims.service';
import { EndpointSecretsService } from './endpoint-secrets.service';
import { EventDto } from './event.dto';
import { EventsService } from './events.service';
import { WebhookSender } from './sender.service';
import type { Attempted, Message } from './webhooks.types';

const SECRET_BYTES = 32;

/** Makes the message of a delivery and posts it once. */
@Injectable()
export class DeliveryAttempts {
  constructor(
    private readonly events: EventsService,
    private readonly secrets: EndpointSecretsService,
    private readonly sender: WebhookSender,
  ) {}

  async post(claimed: Claimed): Promise<Attempted> {
    const message = await this.messageOf(claimed);
    // A test endpoint that asked for it hears everything twice; what it says to the second is what counts.
    if (claimed.faults === 'duplicate') await this.sender.send(message, claimed);
    return this.sender.send(message, claimed);
  }

  private async messageOf(claimed: Claimed): Promise<Message> {
    const { accountId, livemode, eventId, type, faults, requestId } = claimed;
    const event = { ...claimed, id: eventId };
    const [{ object }, keys] = await Promise.all([
      this.events.show(event, { withSecrets: claimed.includeSecrets }),
      this.secrets.signingKeys({ ...claimed, accountId, livemode, id: claimed.endpointId }),
    ]);
    return {
      id: encodeId('evt', eventId),
      type,
      body: JSON.stringify(EventDto.of(event, object)),
      secrets: faults === 'bad_signature' ? [randomBytes(SECRET_BYTES)] : keys,
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
