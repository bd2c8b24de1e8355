import { Injectable } from '@nestjs/common';
import { Extensions } from '../../core/extension/extensions';
import type { Caller } from '../../core/http/caller';
import type { Replay, RequestClaim } from '../../core/idempotency/claim';
import { KeylessRequests } from '../accounts/keyless.service';
import type { Posted } from '../ledger/ledger.types';
import { OpeningService } from './opening.service';
import type { OrderOfCaller, Terms } from './purchase-draft.batch';
import { likenessOf, type Running } from './purchase-step.batch';
import type { NewPurchase } from './purchases.types';
import { TermsService } from './terms.service';

/** Nothing is claimed by a request that writes nothing. */
const NO_CLAIM: RequestClaim = { key: null, fingerprint: Buffer.alloc(32) };

/** Takes orders in: what they cost, whether they may, and then the posting that claims, records and holds. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly keyless: KeylessRequests,
    private readonly terms: TermsService,
    private readonly opening: OpeningService,
    private readonly extensions: Extensions,
  ) {}

  /**
   * The purchase as it was written: about to be asked for, or waiting for money. A replay when the request was seen before.
   * Throws what `TermsService.of` and `OpeningService.open` throw, `BlockedByHook`, `IdempotencyKeyRequired`.
   */
  async accept({ caller, order, request }: Omit<OrderOfCaller, 'likeness'>): Promise<Running | Replay> {
    const likeness = await this.keyless.likeness(caller, { key: request.key, ...order }, () => likenessOf(order));
    const asked = { caller, order, request, likeness };
    return this.opening.open({ ...asked, terms: await this.agree(asked, false) });
  }

  /** What `accept` would write now; writes nothing. */
  async preview(caller: Caller, order: NewPurchase): Promise<{ made: Running; posted: Posted }> {
    const asked = { caller, order, request: NO_CLAIM, likeness: null };
    return this.opening.preview({ ...asked, terms: await this.agree(asked, true) });
  }

  private async agree({ caller, order }: OrderOfCaller, dryRun: boolean): Promise<Terms> {
    const { terms, context } = await this.terms.of(caller, order, dryRun);
    if (!this.extensions.isEmpty('svc_before_payment', context.operation)) await this.extensions.gate(context);
    return terms;
  }
}
