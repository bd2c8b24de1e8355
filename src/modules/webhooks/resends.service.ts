import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { newId } from '../../core/http/ids';
import type { ReplayedBy, RequestClaim } from '../../core/idempotency/claim';
import { type AttemptedDelivery, DeliveriesService } from './deliveries.service';
import { TEST_EVENT } from './endpoint-patterns.batch';
import { endpointSnapshot } from './endpoint.dto';
import { EndpointUrlsService } from './endpoint-urls.service';
import { claimOf } from './endpoints.service';
import { INSERT_TEST_EVENT } from './replays.queries';
import { SendingsService, type Sent } from './sendings.service';

/** A delivery that was asked for, and whether its request was carried out before. */
export interface ResendResult extends AttemptedDelivery {
  readonly replayedBy: ReplayedBy | null;
}

/** Sends one event to one endpoint. */
@Injectable()
export class ResendsService {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly urls: EndpointUrlsService,
    private readonly sendings: SendingsService,
  ) {}

  /** Posts an event about the endpoint itself. Throws `NotFound`, `InvalidEndpointUrl`. */
  async test(caller: Caller, id: string | null, request: RequestClaim): Promise<ResendResult> {
    const claim = claimOf(caller, id, request);
    const endpointId = claim.resourceId;
    await this.urls.check(caller, claim);
    const sent = await this.sendings.send(caller, claim, async (tx, endpoint) => {
      const { accountId, livemode } = endpoint;
      const event = { id: newId(), type: TEST_EVENT } as const;
      await tx.query(INSERT_TEST_EVENT, [
        accountId,
        livemode,
        event.id,
        event.type,
        endpointId,
        caller.requestId,
        request.key,
        JSON.stringify(endpointSnapshot(endpoint)),
      ]);
      return [event];
    });
    return this.resultOf(caller, sent, () => this.deliveries.findTest(caller, endpointId, request.key));
  }

  /** A delivery of its own: the one that is repeated stays as it is. Throws `NotFound`. */
  async retry(caller: Caller, id: string | null, request: RequestClaim): Promise<ResendResult> {
    const {
      delivery: { endpointId, eventId, eventType },
    } = await this.deliveries.require(caller, id);
    const sent = await this.sendings.send(caller, claimOf(caller, endpointId, request), () =>
      Promise.resolve([{ id: eventId, type: eventType }]),
    );
    return this.resultOf(caller, sent, () => this.deliveries.findNewest(caller, endpointId, eventId));
  }

  private async resultOf(
    caller: Caller,
    { due, replay }: Sent,
    findEarlier: () => Promise<string | null>,
  ): Promise<ResendResult> {
    const id = replay === null ? due[0]!.id : await findEarlier();
    return { ...(await this.deliveries.require(caller, id)), replayedBy: replay?.by ?? null };
  }
}
