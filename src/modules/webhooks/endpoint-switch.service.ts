import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { UnitOfWork } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import type { RequestClaim } from '../../core/idempotency/claim';
import { eventWrite } from '../../core/outbox/outbox';
import { endpointSnapshot } from './endpoint.dto';
import { EndpointChangesService } from './endpoint-changes.service';
import { InvalidEndpointTransition } from './endpoints.errors';
import type { EnabledResult, EndpointResult } from './endpoints.types';
import { ReplaysService } from './replays.service';
import { WebhookEndpoint } from './webhook-endpoint.entity';

/** `disabled_reason` of what its account disabled itself. */
const REQUESTED = 'requested';

/** Turns endpoints on and off, as their account asks for it. */
@Injectable()
export class EndpointSwitchService {
  constructor(
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: EndpointChangesService,
    private readonly replays: ReplaysService,
  ) {}

  /** Throws `NotFound`, `InvalidEndpointTransition`. */
  async enable(caller: Caller, id: string | null, request: RequestClaim): Promise<EnabledResult> {
    let before: WebhookEndpoint | null = null;
    const result = await this.changes.change(caller, id, request, (_, endpoint) => {
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
    return { ...result, missed: before && (await this.replays.missed(before)) };
  }

  /** Throws `NotFound`, `InvalidEndpointTransition`. */
  async disable(caller: Caller, id: string | null, request: RequestClaim): Promise<EndpointResult> {
    const disabledAt = await this.clock.now(caller);
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    return this.changes.change(caller, id, request, async (tx, endpoint) => {
      const { accountId, livemode, status } = endpoint;
      if (status === 'disabled') throw new InvalidEndpointTransition(endpoint.id, status);
      const changes = { status: 'disabled', disabledReason: REQUESTED, disabledAt, updatedAt: new Date() } as const;
      const snapshot = {
        ...endpointSnapshot({ ...endpoint, ...changes, version: endpoint.version + 1 }),
        previous_status: status,
      };
      const about = { objectType: 'whk', objectId: endpoint.id, snapshot } as const;
      await this.unitOfWork.write(tx, [
        eventWrite({ accountId, livemode, type: 'webhook_endpoint.disabled', ...about, origin }),
      ]);
      return changes;
    });
  }
}
