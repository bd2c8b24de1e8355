import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import type { Replay, RequestClaim } from '../../core/idempotency/claim';
import type { Posted } from '../ledger/ledger.types';
import type { TransactionRecord } from '../transactions/transactions.service';
import type { NewPurchase, Product } from './purchases.types';

export interface PurchaseResult {
  readonly transaction: TransactionRecord;
  readonly replayedBy: Replay['by'] | null;
}

/** A purchase that would take place, with the lines that its hold would write. */
export interface PurchasePreview {
  readonly transaction: TransactionRecord;
  readonly posted: Posted;
}

@Injectable()
export class PurchasesService {
  /** Sells. Answers when the purchase is final or `waitMs` have passed, whichever is first. */
  purchase(_caller: Caller, _order: NewPurchase, _request: RequestClaim): Promise<PurchaseResult> {
    throw new Error('being built');
  }

  /** What `purchase` would do now; writes nothing and asks no provider. */
  preview(_caller: Caller, _order: NewPurchase): Promise<PurchasePreview> {
    throw new Error('being built');
  }

  /** Whether some provider of the mode would be asked for this network or biller now (registered, routed, breaker closed). */
  isAvailable(_product: Product, _network: string, _livemode: boolean): Promise<boolean> {
    throw new Error('being built');
  }
}
