import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import type { RequestClaim } from '../../core/idempotency/claim';
import { waitUpTo } from '../../core/process/within';
import type { Viewer } from '../../core/resources/resources';
import type { Posted } from '../ledger/ledger.types';
import type { TransactionRecord } from '../transactions/transactions.service';
import { AcceptanceService } from './acceptance.service';
import { OffersService } from './offers.service';
import type { NewPurchase, Product, PurchaseResult } from './purchases.types';
import { ReplaysService } from './replays.service';
import { RunnerService } from './runner.service';

/** A purchase that would take place, with the lines that its hold would write. */
export interface PurchasePreview {
  readonly transaction: TransactionRecord;
  readonly posted: Posted;
}

/** By what a request is known again. */
export interface RequestOfPurchase {
  readonly request: RequestClaim;
  readonly reference: string | null;
}

/** Sells airtime, data and bills. */
@Injectable()
export class PurchasesService {
  constructor(
    private readonly acceptance: AcceptanceService,
    private readonly runner: RunnerService,
    private readonly offers: OffersService,
    private readonly replays: ReplaysService,
  ) {}

  /**
   * Sells what `prepare` makes of the request. A request that was seen before is answered with its purchase, and nothing is
   * prepared: a price or a validation may have changed since. Answers when the purchase is final or `waitMs` have passed,
   * whichever is first; it goes on after that. Throws what `prepare` throws, `NoWallet`, `NotFound`,
   * `InvalidPurchaseRequest`, `InvalidScenario`, `ProviderUnavailable`, `BlockedByHook`, `LikelyDuplicate`,
   * `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  async purchase(caller: Caller, { request, reference }: RequestOfPurchase, prepare: () => Promise<NewPurchase>): Promise<PurchaseResult> {
    const seen = await this.replays.find(caller, request, reference);
    if (seen) return seen;
    const order = this.offers.steered(caller, await prepare());
    const accepted = await this.acceptance.accept({ caller, order, request });
    if ('resourceId' in accepted) return this.replays.of(caller, accepted);
    let latest = accepted.transaction;
    if (accepted.attempt === null) return { transaction: latest, replayedBy: null };
    const ended = this.runner.run(accepted, ({ transaction }) => (latest = transaction));
    await waitUpTo(order.waitMs, ended);
    return { transaction: latest, replayedBy: null };
  }

  /** What `purchase` would do now; writes nothing and asks no provider. */
  async preview(caller: Caller, order: NewPurchase): Promise<PurchasePreview> {
    const { made, posted } = await this.acceptance.preview(caller, this.offers.steered(caller, order));
    return { transaction: { ...made.transaction, status: 'pending', nextCheckAt: null, providerName: null, providerAttempts: 0 }, posted };
  }

  /** Whether some provider would be asked for this network or biller now: registered, routed, breaker closed. */
  isAvailable(product: Product, network: string, viewer: Viewer): Promise<boolean> {
    return this.offers.isAvailable(product, network, viewer);
  }
}
