import { Injectable } from '@nestjs/common';
import { Env } from '../../core/config/env';
import { isPublicAddress } from './address-policy.batch';
import { InvalidEndpointUrl } from './endpoint-url.errors';
import { checkUrl, NOT_PUBLIC } from './endpoint-url.batch';
import { HostLookup } from './host-lookup.service';

/** Which URLs an endpoint may have. Names may change their addresses later: the sender checks again, each time it connects. */
@Injectable()
export class UrlPolicy {
  constructor(
    private readonly env: Env,
    private readonly lookup: HostLookup,
  ) {}

  /** Throws `InvalidEndpointUrl`. A name without addresses is refused with the same words as one with private ones. */
  async check(url: string, livemode: boolean): Promise<void> {
    const allowPrivate = this.env.WEBHOOK_ALLOW_PRIVATE_NETWORKS && !livemode;
    const checked = checkUrl(url, { livemode, allowPrivate });
    if (checked.fault !== null) throw new InvalidEndpointUrl(checked.detail);
    if (checked.isAddress || allowPrivate) return;
    const addresses = await this.lookup.resolve(checked.host).catch(() => []);
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
      throw new InvalidEndpointUrl(NOT_PUBLIC);
  }
}
