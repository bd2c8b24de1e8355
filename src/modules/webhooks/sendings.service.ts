import { Injectable } from '@nestjs/common';
import type { Tx } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import type { Claim, Replay } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { DueDelivery } from './deliveries.types';
import { DeliveryPlanner, type Planned } from './delivery-planner.service';
import { DeliveryQueue } from './delivery-queue.service';
import { EndpointsService } from './endpoints.service';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

/** Which events are sent. */
export type Choose = (tx: Tx, endpoint: WebhookEndpoint) => Promise<readonly Planned['event'][]>;

/** Deliveries that were made now; none when the request was carried out before. */
export interface Sent {
  readonly due: readonly DueDelivery[];
  readonly replay: Replay | null;
}

/** Sends events to one endpoint because somebody asks for it, also to a disabled one. */
@Injectable()
export class SendingsService {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly endpoints: EndpointsService,
    private readonly planner: DeliveryPlanner,
    private readonly queue: DeliveryQueue,
  ) {}

  /** The claim is bound to the endpoint. Throws `NotFound`, `IdempotencyKeyReused` and whatever `choose` throws. */
  async send(caller: Caller, claim: Claim, choose: Choose): Promise<Sent> {
    let due: DueDelivery[] = [];
    const replay = await this.idempotency.once(claim, async (tx) => {
      // Locked: two replays of what failed, at once, would send it twice.
      const endpoint = await this.endpoints.lock(tx, caller, claim.resourceId);
      due = await this.planner.create(tx, { endpoint, events: await choose(tx, endpoint), isReplay: true });
    });
    if (replay === null) await this.queue.enqueue(due);
    return { due: replay === null ? due : [], replay };
  }
}
