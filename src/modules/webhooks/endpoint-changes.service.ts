import { Injectable } from '@nestjs/common';
import type { Tx } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import type { RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { EndpointSecretsService } from './endpoint-secrets.service';
import { EndpointUrlsService } from './endpoint-urls.service';
import { claimOf, EndpointsService } from './endpoints.service';
import type { EndpointChanges, EndpointResult, SecretResult } from './endpoints.types';
import { WebhookEndpoint } from './webhook-endpoint.entity';

type Effect = (tx: Tx, endpoint: WebhookEndpoint) => Promise<Partial<WebhookEndpoint>>;

/** Changes webhook endpoints, each at most once per idempotency key. */
@Injectable()
export class EndpointChangesService {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly endpoints: EndpointsService,
    private readonly secrets: EndpointSecretsService,
    private readonly urls: EndpointUrlsService,
  ) {}

  /** Throws `NotFound`, `InvalidEndpointUrl`, `InsufficientScope`. */
  async update(
    caller: Caller,
    id: string | null,
    changes: EndpointChanges,
    request: RequestClaim,
  ): Promise<EndpointResult> {
    if (changes.url !== undefined) await this.urls.check(caller, claimOf(caller, id, request), changes.url);
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    return this.change(caller, id, request, async (_, endpoint) => {
      // Somewhere else, it tells somebody else all that it tells; otherwise only what is new matters.
      const heard =
        changes.url !== undefined
          ? { ...endpoint, ...given }
          : { events: changes.events ?? [], includeSecrets: changes.includeSecrets ?? false };
      this.endpoints.requireMayHear(caller, heard);
      return given;
    });
  }

  /** Nothing is sent to it any more; its deliveries stay to be read. Throws `NotFound`. */
  delete(caller: Caller, id: string | null, request: RequestClaim): Promise<EndpointResult> {
    return this.change(caller, id, request, () => Promise.resolve({ deletedAt: new Date() }));
  }

  /** `seconds`: for how long both secrets sign. Throws `NotFound`. */
  async rotateSecret(caller: Caller, id: string | null, seconds: number, request: RequestClaim): Promise<SecretResult> {
    const next = this.secrets.make(found(id, 'webhook endpoint'));
    const previousUntil = await this.secrets.endsAt(caller, seconds);
    const result = await this.change(caller, id, request, (_, { secret }) =>
      Promise.resolve({ secret: next.sealed, previousSecret: secret, previousUntil }),
    );
    return { ...result, secret: result.replayedBy === null ? next.shown : null };
  }

  /** Throws `NotFound`, `IdempotencyKeyReused` and whatever `effect` throws. */
  async change(caller: Caller, id: string | null, request: RequestClaim, effect: Effect): Promise<EndpointResult> {
    const claim = claimOf(caller, id, request);
    const { accountId, livemode, resourceId } = claim;
    const replay = await this.idempotency.once(claim, async (tx) => {
      const changes = await effect(tx, await this.endpoints.lock(tx, caller, resourceId));
      await tx.update(
        WebhookEndpoint,
        { accountId, livemode, id: resourceId },
        { updatedAt: new Date(), ...changes, version: () => 'version + 1' },
      );
    });
    return { endpoint: await this.endpoints.requireEver(caller, resourceId), replayedBy: replay?.by ?? null };
  }
}
