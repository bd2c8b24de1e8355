import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/resources/resources';
import type { TransactionRecord } from '../transactions/transactions.service';
import { DueService } from './due.service';
import { LoadingService } from './loading.service';
import { InvalidPurchaseTransition } from './purchases.errors';
import { WaitingService } from './waiting.service';

/** What callers may do to a purchase that was accepted. */
@Injectable()
export class PurchaseChangesService {
  constructor(
    private readonly loading: LoadingService,
    private readonly due: DueService,
    private readonly waiting: WaitingService,
  ) {}

  /** Asks the provider now what became of it. Throws `NotFound`, `InvalidPurchaseTransition` when it is final or was never sent. */
  async requery(viewer: Viewer, idOrReference: string): Promise<TransactionRecord> {
    const {
      transaction: { id, status },
      attempt,
    } = await this.loading.loadPublic(viewer, idOrReference, 'asked about');
    if (status !== 'processing' || attempt === null) throw new InvalidPurchaseTransition(id, status, 'asked about');
    return this.requeryNow(viewer, id);
  }

  /** As `requery`, by transaction uuid and in any state: what was delivered may have been taken back. */
  async requeryNow({ accountId, livemode }: Viewer, id: string): Promise<TransactionRecord> {
    await this.due.look({ accountId, livemode, id });
    return (await this.loading.load({ accountId, livemode, id })).transaction;
  }

  /** Only before a provider was asked. Throws `NotFound`, `InvalidPurchaseTransition`. */
  async cancel(viewer: Viewer, idOrReference: string): Promise<TransactionRecord> {
    return (await this.waiting.cancel(await this.loading.loadPublic(viewer, idOrReference, 'cancelled'))).transaction;
  }
}
