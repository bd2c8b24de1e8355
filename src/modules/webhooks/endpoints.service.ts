import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, type Repository } from 'typeorm';
import type { Tx } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { type Caller, requireScope } from '../../core/http/caller';
import { HIGHEST_ID } from '../../core/http/ids';
import type { Claim, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { objectPrefixOf } from '../../vocabulary/event-types';
import { Presents, Resources, type Viewer } from '../../core/resources/resources';
import { WebhookEndpointDto } from './endpoints/endpoint.dto';
import { UrlPolicy } from './endpoints/url-policy.service';
import { type EndpointStatus, WebhookEndpoint } from './endpoints/webhook-endpoint.entity';
import { typesOf } from './events/event-patterns';

const WHAT = 'webhook endpoint';

/** `disabled_reason` of what its account disabled itself. */
export const REQUESTED = 'requested';

/** Reads webhook endpoints, and says what they may be. */
@Injectable()
export class EndpointsService {
  constructor(
    @InjectRepository(WebhookEndpoint) private readonly endpoints: Repository<WebhookEndpoint>,
    private readonly resources: Resources,
    private readonly idempotency: Idempotency,
    private readonly urls: UrlPolicy,
  ) {}

  /** An endpoint tells no more than whoever sets it up may read. Throws `InsufficientScope`. */
  requireMayHear(
    caller: Pick<Caller, 'scopes'>,
    { events, includeSecrets }: Pick<WebhookEndpoint, 'events' | 'includeSecrets'>,
  ): void {
    for (const prefix of new Set(typesOf(events).map(objectPrefixOf))) this.resources.requireReadable(caller, prefix);
    if (includeSecrets) requireScope(caller, 'tokens:reveal');
  }

  /**
   * Holds the URL of an endpoint against the policy, which asks the network: before the transaction, and not for a
   * repeated request. `url`: a new one; without it, the one that the endpoint has. Throws `NotFound`,
   * `InvalidEndpointUrl`.
   */
  async checkUrl(caller: Caller, claim: Claim, url?: string): Promise<void> {
    if ((await this.idempotency.replayOf(claim)) !== null) return;
    const endpoint = await this.require(caller, claim.resourceId);
    await this.urls.check(url ?? endpoint.url, caller.livemode);
  }

  /** Throws `NotFound`, also for a deleted one. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<WebhookEndpoint> {
    return found(
      id === null ? null : await this.endpoints.findOneBy({ accountId, livemode, id, deletedAt: IsNull() }),
      WHAT,
    );
  }

  /** Deleted or not: what happened to it can still be shown. Throws `NotFound`. */
  async requireEver({ accountId, livemode }: Viewer, id: string | null): Promise<WebhookEndpoint> {
    return found(id === null ? null : await this.endpoints.findOneBy({ accountId, livemode, id }), WHAT);
  }

  /** Also a deleted one: events and idempotency keys are still about it. */
  @Presents('whk', 'webhooks:read')
  async present(viewer: Viewer, id: string): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.of(await this.requireEver(viewer, id));
  }

  /** For a change of it. Throws `NotFound`. */
  async lock(tx: Tx, { accountId, livemode }: Viewer, id: string): Promise<WebhookEndpoint> {
    const where = { accountId, livemode, id, deletedAt: IsNull() };
    return found(await tx.findOne(WebhookEndpoint, { where, lock: { mode: 'pessimistic_write' } }), WHAT);
  }

  /** Newest first, below the uuid `before`. */
  list(
    { accountId, livemode }: Viewer,
    { status }: { status?: EndpointStatus },
    before: string | null,
    take: number,
  ): Promise<WebhookEndpoint[]> {
    const where = {
      accountId,
      livemode,
      id: LessThan(before ?? HIGHEST_ID),
      deletedAt: IsNull(),
      ...(status && { status }),
    };
    return this.endpoints.find({ where, order: { id: 'DESC' }, take });
  }
}

/** A change of an endpoint is bound to it. Throws `NotFound` for a malformed id. */
export function claimOf({ accountId, livemode }: Viewer, id: string | null, request: RequestClaim): Claim {
  return { accountId, livemode, ...request, reference: null, resource: 'whk', resourceId: found(id, WHAT) };
}
