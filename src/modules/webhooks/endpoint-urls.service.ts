import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import type { Claim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { EndpointsService } from './endpoints.service';
import { UrlPolicy } from './url-policy.service';

/** Holds the URL of an endpoint against the policy, which asks the network: before the transaction, and not for a repeated request. */
@Injectable()
export class EndpointUrlsService {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly endpoints: EndpointsService,
    private readonly policy: UrlPolicy,
  ) {}

  /** `url`: a new one; without it, the one that the endpoint has. Throws `NotFound`, `InvalidEndpointUrl`. */
  async check(caller: Caller, claim: Claim, url?: string): Promise<void> {
    if ((await this.idempotency.replayOf(claim)) !== null) return;
    const endpoint = await this.endpoints.require(caller, claim.resourceId);
    await this.policy.check(url ?? endpoint.url, caller.livemode);
  }
}
