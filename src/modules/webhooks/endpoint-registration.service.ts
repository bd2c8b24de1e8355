import { Injectable } from '@nestjs/common';
import { Env } from '../../core/config/env';
import { requireRoom } from '../../core/database/quota';
import type { Tx } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import { newId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Viewer } from '../../core/resources/resources';
import { EndpointSecretsService } from './endpoint-secrets.service';
import { EndpointsService } from './endpoints.service';
import type { NewEndpoint, SecretResult } from './endpoints.types';
import { UrlPolicy } from './url-policy.service';
import { WebhookEndpoint } from './webhook-endpoint.entity';

@Injectable()
export class EndpointRegistrationService {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly endpoints: EndpointsService,
    private readonly secrets: EndpointSecretsService,
    private readonly urls: UrlPolicy,
    private readonly env: Env,
  ) {}

  /** Throws `InsufficientScope`, `InvalidEndpointUrl`, `LimitExceeded`, `IdempotencyKeyReused`. */
  async create(caller: Caller, endpoint: NewEndpoint, request: RequestClaim): Promise<SecretResult> {
    this.endpoints.requireMayHear(caller, endpoint);
    const { accountId, livemode } = caller;
    const id = newId();
    const claim = { accountId, livemode, ...request, reference: null, resource: 'whk', resourceId: id } as const;
    const earlier = await this.idempotency.replayOf(claim);
    if (earlier === null) await this.urls.check(endpoint.url, livemode);
    const { shown, sealed } = this.secrets.make(id);
    const replay =
      earlier ??
      (await this.idempotency.once(claim, (tx) =>
        this.insert(tx, { ...endpoint, accountId, livemode, id, secret: sealed }),
      ));
    const made = await this.endpoints.requireEver(caller, replay?.resourceId ?? id);
    return { endpoint: made, secret: replay === null ? shown : null, replayedBy: replay?.by ?? null };
  }

  private async insert(tx: Tx, endpoint: NewEndpoint & Viewer & Pick<WebhookEndpoint, 'id' | 'secret'>): Promise<void> {
    await requireRoom(
      tx,
      {
        table: 'webhook_endpoints',
        of: 'webhook endpoints',
        max: this.env.WEBHOOK_ENDPOINTS_MAX,
        where: 'deleted_at IS NULL',
      },
      endpoint,
    );
    await tx.insert(WebhookEndpoint, endpoint);
  }
}
