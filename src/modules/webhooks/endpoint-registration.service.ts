import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { Tx } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import { newId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Viewer } from '../../core/resources/resources';
import { EndpointSecretsService } from './endpoint-secrets.service';
import { TooManyEndpoints } from './endpoints.errors';
import { EndpointsService } from './endpoints.service';
import type { NewEndpoint, SecretResult } from './endpoints.types';
import { UrlPolicy } from './url-policy.service';
import { WebhookEndpoint } from './webhook-endpoint.entity';

/** Each event costs a row for each endpoint that listens. */
const ENDPOINTS_MAX = 50;

@Injectable()
export class EndpointRegistrationService {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly endpoints: EndpointsService,
    private readonly secrets: EndpointSecretsService,
    private readonly urls: UrlPolicy,
  ) {}

  /** Throws `InsufficientScope`, `InvalidEndpointUrl`, `TooManyEndpoints`, `IdempotencyKeyReused`. */
  async create(caller: Caller, endpoint: NewEndpoint, request: RequestClaim): Promise<SecretResult> {
    this.endpoints.requireMayHear(caller, endpoint);
    const { accountId, livemode } = caller;
    const id = newId();
    const claim = { accountId, livemode, ...request, reference: null, resource: 'whk', resourceId: id } as const;
    const earlier = await this.idempotency.replayOf(claim);
    if (earlier === null) await this.urls.check(endpoint.url, livemode);
    const { shown, sealed } = this.secrets.make(id);
    const replay = earlier ?? (await this.idempotency.once(claim, (tx) => this.insert(tx, { ...endpoint, accountId, livemode, id, secret: sealed })));
    const made = await this.endpoints.requireEver(caller, replay?.resourceId ?? id);
    return { endpoint: made, secret: replay === null ? shown : null, replayedBy: replay?.by ?? null };
  }

  private async insert(tx: Tx, endpoint: NewEndpoint & Viewer & Pick<WebhookEndpoint, 'id' | 'secret'>): Promise<void> {
    const { accountId, livemode } = endpoint;
    // Two at once would each count without the other.
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('webhook_endpoints:' || $1, 0))`, [accountId]);
    const others = await tx.countBy(WebhookEndpoint, { accountId, livemode, deletedAt: IsNull() });
    if (others >= ENDPOINTS_MAX) throw new TooManyEndpoints(ENDPOINTS_MAX);
    await tx.insert(WebhookEndpoint, endpoint);
  }
}
