import { Injectable } from '@nestjs/common';
import { DomainError, found } from '../../../core/errors/domain-error';
import { Clock } from '../../../core/clock/clock';
import { Env } from '../../../core/config/env';
import { requireRoom } from '../../../core/database/quota';
import { type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import type { Caller } from '../../../core/http/caller';
import { encodeId, newIdOf } from '../../../core/http/ids';
import type { ReplayedBy, RequestClaim } from '../../../core/idempotency/claim';
import { Idempotency } from '../../../core/idempotency/idempotency';
import { eventWrite } from '../../../core/outbox/outbox';
import type { EventType } from '../../../vocabulary/event-types';
import type { Viewer } from '../../../core/resources/resources';
import type { MissedEvents } from '../delivery/delivery.dto';
import { ResendsService } from '../delivery/resends.service';
import { EndpointSecretsService } from '../endpoint-secrets.service';
import { claimOf, EndpointsService, REQUESTED } from '../endpoints.service';
import { endpointSnapshot } from './endpoint.dto';
import { UrlPolicy } from './url-policy.service';
import {
  type EndpointChanges,
  type EndpointStatus,
  type NewEndpoint,
  WebhookEndpoint,
} from './webhook-endpoint.entity';

class InvalidEndpointTransition extends DomainError {
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

/** An endpoint, and whether its request was carried out before. */
interface EndpointResult {
  readonly endpoint: WebhookEndpoint;
  readonly replayedBy: ReplayedBy | null;
}

/** `secret` is null for a repeated request: it was shown once. */
export interface SecretResult extends EndpointResult {
  readonly secret: string | null;
}

/** `missed` is null when there was nothing to miss, and for a repeated request. */
interface EnabledResult extends EndpointResult {
  readonly missed: MissedEvents | null;
}

type Inserted = Omit<NewEndpoint, 'headers'> &
  Viewer &
  Pick<WebhookEndpoint, 'id' | 'secret' | 'headers' | 'headerNames'>;

/** An endpoint as it was, and what becomes of it; `more`: what its event says beside. */
interface Changed {
  readonly endpoint: WebhookEndpoint;
  readonly changes: Partial<WebhookEndpoint>;
  readonly more?: object;
}

type Effect = (tx: Tx, endpoint: WebhookEndpoint) => Promise<Partial<WebhookEndpoint>>;

/** Registers and changes webhook endpoints, each at most once per idempotency key. */
@Injectable()
export class EndpointChangesService {
  constructor(
    private readonly clock: Clock,
    private readonly endpoints: EndpointsService,
    private readonly env: Env,
    private readonly idempotency: Idempotency,
    private readonly resends: ResendsService,
    private readonly secrets: EndpointSecretsService,
    private readonly uow: UnitOfWork,
    private readonly urls: UrlPolicy,
  ) {}

  /** Throws `InsufficientScope`, `InvalidEndpointUrl`, `LimitExceeded`, `IdempotencyKeyReused`. */
  async create(caller: Caller, endpoint: NewEndpoint, request: RequestClaim): Promise<SecretResult> {
    this.endpoints.requireMayHear(caller, endpoint);
    const { accountId, livemode } = caller;
    const id = newIdOf(accountId);
    const claim = { accountId, livemode, ...request, reference: null, resource: 'whk', resourceId: id } as const;
    const earlier = await this.idempotency.replayOf(claim);
    if (earlier === null) await this.urls.check(endpoint.url, livemode);
    const { shown, sealed } = this.secrets.make(id);
    const { headers, ...fields } = endpoint;
    const kept = { ...fields, ...this.secrets.withHeaders(id, {}, headers) };
    const replay =
      earlier ??
      (await this.idempotency.once(claim, (tx) =>
        this.insert(tx, { ...kept, accountId, livemode, id, secret: sealed }),
      ));
    const made = await this.endpoints.requireEver(caller, replay?.resourceId ?? id);
    return { endpoint: made, secret: replay === null ? shown : null, replayedBy: replay?.by ?? null };
  }

  /** Throws `NotFound`, `InvalidEndpointUrl`, `InsufficientScope`. */
  async update(
    caller: Caller,
    id: string | null,
    changes: EndpointChanges,
    request: RequestClaim,
  ): Promise<EndpointResult> {
    if (changes.url !== undefined) await this.endpoints.checkUrl(caller, claimOf(caller, id, request), changes.url);
    const { headers: _headers, ...fields } = changes;
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    return this.change(caller, id, request, async (_, endpoint) => {
      // Somewhere else, it tells somebody else all that it tells; otherwise only what is new matters.
      const heard =
        changes.url !== undefined
          ? { ...endpoint, ...given }
          : {
              events: changes.events ?? [],
              includeSecrets: changes.includeSecrets ?? (changes.events !== undefined && endpoint.includeSecrets),
            };
      this.endpoints.requireMayHear(caller, heard);
      return { ...given, ...this.headersAfter(endpoint, changes) };
    });
  }

  /** Somewhere else, nothing is sent along that was meant for the old address: it would be told to somebody else. */
  private headersAfter(endpoint: WebhookEndpoint, { url, headers }: EndpointChanges): Partial<WebhookEndpoint> {
    const hasMoved = url !== undefined && new URL(url).origin !== new URL(endpoint.url).origin;
    if (headers === undefined && !hasMoved) return {};
    return this.secrets.withHeaders(endpoint.id, hasMoved ? {} : this.secrets.headersOf(endpoint), headers ?? {});
  }

  /** Nothing is sent to it any more; its deliveries stay to be read. Throws `NotFound`. */
  delete(caller: Caller, id: string | null, request: RequestClaim): Promise<EndpointResult> {
    return this.change(caller, id, request, () => Promise.resolve({ deletedAt: new Date() }));
  }

  /** `seconds`: for how long both secrets sign. Throws `NotFound`. */
  async rotateSecret(caller: Caller, id: string | null, seconds: number, request: RequestClaim): Promise<SecretResult> {
    const next = this.secrets.make(found(id, 'webhook endpoint'));
    const previousUntil = await this.secrets.endsAt(caller, seconds);
    const result = await this.change(caller, id, request, async (tx, endpoint) => {
      const changes = { secret: next.sealed, previousSecret: endpoint.secret, previousUntil, updatedAt: new Date() };
      await this.tell(tx, 'webhook_endpoint.secret_rotated', { endpoint, changes }, { caller, request });
      return changes;
    });
    return { ...result, secret: result.replayedBy === null ? next.shown : null };
  }

  /** Throws `NotFound`, `InvalidEndpointTransition`. */
  async enable(caller: Caller, id: string | null, request: RequestClaim): Promise<EnabledResult> {
    let before: WebhookEndpoint | null = null;
    const result = await this.change(caller, id, request, (_, endpoint) => {
      if (endpoint.status === 'enabled') throw new InvalidEndpointTransition(endpoint.id, endpoint.status);
      before = endpoint;
      // Its failures are history: it has five days again.
      return Promise.resolve({
        status: 'enabled',
        disabledReason: null,
        disabledAt: null,
        failingSince: null,
        warnedPercent: 0,
      });
    });
    // Nothing for a repeated request: it changed nothing.
    return { ...result, missed: before && (await this.resends.missed(before)) };
  }

  /** Throws `NotFound`, `InvalidEndpointTransition`. */
  async disable(caller: Caller, id: string | null, request: RequestClaim): Promise<EndpointResult> {
    const disabledAt = await this.clock.now(caller);
    return this.change(caller, id, request, async (tx, endpoint) => {
      const { status } = endpoint;
      if (status === 'disabled') throw new InvalidEndpointTransition(endpoint.id, status);
      const changes = { status: 'disabled', disabledReason: REQUESTED, disabledAt, updatedAt: new Date() } as const;
      const changed = { endpoint, changes, more: { previous_status: status } };
      await this.tell(tx, 'webhook_endpoint.disabled', changed, { caller, request });
      return changes;
    });
  }

  /** Writes what happens to an endpoint beside its change. */
  private async tell(
    tx: Tx,
    type: EventType,
    { endpoint, changes, more }: Changed,
    { caller, request }: { readonly caller: Caller; readonly request: RequestClaim },
  ): Promise<void> {
    const { accountId, livemode, id: objectId, version } = endpoint;
    const snapshot = { ...endpointSnapshot({ ...endpoint, ...changes, version: version + 1 }), ...more };
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    await this.uow.write(tx, [
      eventWrite({ accountId, livemode, type, objectType: 'whk', objectId, snapshot, origin }),
    ]);
  }

  /** Throws `NotFound`, `IdempotencyKeyReused` and whatever `effect` throws. */
  private async change(
    caller: Caller,
    id: string | null,
    request: RequestClaim,
    effect: Effect,
  ): Promise<EndpointResult> {
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

  private async insert(tx: Tx, endpoint: Inserted): Promise<void> {
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
