import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { Endings, type WaitForEnd } from '../../core/resources/endings';
import type { Viewer } from '../../core/resources/resources';
import type { Posted } from '../ledger/ledger.types';
import type { TransactionRecord } from '../transactions/transactions.service';
import { AcceptanceService } from './acceptance.service';
import { OffersService } from './offers.service';
import type { NewPurchase, Product, PurchaseResult, RequestOfPurchase } from './purchases.types';
import { SELECT_ENDED } from './purchases.queries';
import { isRunning } from './purchases.states';
import { ReplaysService } from './replays.service';
import { RunnerService } from './runner.service';

/** A purchase that would take place, with the lines that its hold would write. */
export interface PurchasePreview {
  readonly transaction: TransactionRecord;
  readonly posted: Posted;
}

/** Sells airtime, data and bills. */
@Injectable()
export class PurchasesService {
  private readonly waitForEnd: WaitForEnd;

  constructor(
    endings: Endings,
    private readonly acceptance: AcceptanceService,
    private readonly runner: RunnerService,
    private readonly offers: OffersService,
    private readonly replays: ReplaysService,
  ) {
    this.waitForEnd = endings.of(SELECT_ENDED);
  }

  /**
   * Sells what `prepare` makes of the request. A request that was seen before is answered with its purchase, and nothing is
   * prepared: a price or a validation may have changed since. Answers when the purchase is final, whoever ends it, or `waitMs` have
   * passed, whichever is first; it goes on after that. Throws what `prepare` throws, `NoWallet`, `NotFound`,
   * `InvalidPurchaseRequest`, `InvalidScenario`, `ProviderUnavailable`, `BlockedByHook`, `LikelyDuplicate`,
   * `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  async purchase(
    caller: Caller,
    asked: RequestOfPurchase,
    prepare: () => Promise<NewPurchase>,
  ): Promise<PurchaseResult> {
    const accepted = await this.replays.answer(caller, asked, async () => {
      const order = this.offers.steered(caller, await prepare());
      const made = await this.acceptance.accept({ caller, order, request: asked.request });
      return 'resourceId' in made ? made : { ...made, waitMs: order.waitMs };
    });
    if ('resourceId' in accepted) return this.replays.of(caller, accepted);
    let latest = accepted.transaction;
    // Without an attempt it waits for money: nobody of us works on it.
    const ours =
      accepted.attempt === null
        ? Promise.resolve()
        : this.runner.run(accepted, ({ transaction }) => (latest = transaction));
    const { accountId, livemode } = caller;
    await this.waitForEnd({
      accountId,
      livemode,
      id: latest.id,
      ms: accepted.waitMs,
      ours,
      isRunning: () => isRunning(latest.status),
    });
    return {
      transaction: isRunning(latest.status) ? await this.replays.present(caller, latest.id) : latest,
      replayedBy: null,
    };
  }

  /** What `purchase` would do now; writes nothing and asks no provider. */
  async preview(caller: Caller, order: NewPurchase): Promise<PurchasePreview> {
    const { made, posted } = await this.acceptance.preview(caller, this.offers.steered(caller, order));
    return {
      transaction: {
        ...made.transaction,
        status: 'pending',
        nextCheckAt: null,
        providerName: null,
        providerAttempts: 0,
      },
      posted,
    };
  }

  /** Whether some provider would be asked for this network or biller now: registered, routed, breaker closed. */
  isAvailable(product: Product, network: string, viewer: Viewer): Promise<boolean> {
    return this.offers.isAvailable(product, network, viewer);
  }
}
