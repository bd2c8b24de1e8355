import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { EndpointSecretsService } from '../webhooks/endpoint-secrets.service';
import { EndpointsService } from '../webhooks/endpoints.service';
import { AuditService } from './audit.service';
import { LiveModeLocked, StepUpRequired } from './dashboard.errors';
import type { SignedIn } from './people.types';

interface Wanted {
  readonly livemode: boolean;
  /** Endpoint uuid. */
  readonly id: string | null;
  readonly ip: string;
}

@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly secrets: EndpointSecretsService,
    private readonly audit: AuditService,
  ) {}

  /** The secret that signs an endpoint's deliveries. Throws `NotFound`, `LiveModeLocked`, `StepUpRequired`. */
  async show({ accountId, userId, email: actor, ...me }: SignedIn, { livemode, id, ip }: Wanted): Promise<string> {
    if (livemode && !me.liveEnabled) throw new LiveModeLocked();
    const endpoint = await this.endpoints.require({ accountId, livemode }, id);
    if (livemode && me.steppedUpUntil === null) throw new StepUpRequired();
    await this.audit.record({ accountId, userId, actor, action: 'webhook.secret_shown', target: encodeId('whk', endpoint.id), ip });
    return this.secrets.shown(endpoint);
  }
}
