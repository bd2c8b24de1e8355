import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/resources/resources';
import { Providers } from '../purchases/providers';
import { FeesService } from '../pricing/fees.service';
import type { Biller } from './biller.entity';
import { type BillerFilters, CatalogueService } from './catalogue.service';

/** A biller as it is offered to somebody. */
export interface OfferedBiller extends Biller {
  /** Flat part of what the account pays on top, in minor units. */
  readonly fee: bigint;
  /** It is sold, and somebody who reaches it can be asked now. */
  readonly available: boolean;
}

/** What the catalogue means to one account. */
@Injectable()
export class OffersService {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly fees: FeesService,
    private readonly providers: Providers,
  ) {}

  /** By code, behind the code `after`. */
  async list(viewer: Viewer, filters: BillerFilters, after: string | null, take: number): Promise<OfferedBiller[]> {
    const billers = await this.catalogue.listBillers(filters, after, take);
    return Promise.all(billers.map((biller) => this.offer(viewer, biller)));
  }

  /** What it costs, and whether somebody sells it now. */
  async offer(viewer: Viewer, biller: Biller): Promise<OfferedBiller> {
    const { code, currency, enabled } = biller;
    const [fee, canBeAsked] = await Promise.all([
      this.fees.listed({ product: 'bills', currency, accountId: viewer.accountId }, 0n),
      this.providers.isAvailable('bills', code, viewer),
    ]);
    return { ...biller, fee, available: enabled && canBeAsked };
  }
}
