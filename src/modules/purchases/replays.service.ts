import { Injectable } from '@nestjs/common';
import { retryAway } from '../../core/database/sqlstate';
import type { Caller } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import type { Replay, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { TransactionsService } from '../transactions/transactions.service';
import type { PurchaseResult } from './purchases.types';

/** Answers for purchases that were made before. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly transactions: TransactionsService,
  ) {}

  /** The purchase that the request made before; null: it is new. Throws `IdempotencyKeyReused`, `DuplicateReference`. */
  async find(caller: Caller, request: RequestClaim, reference: string | null): Promise<PurchaseResult | null> {
    const { accountId, livemode } = caller;
    const replay = await this.idempotency.replayOf({ accountId, livemode, ...request, reference, resource: 'txn', resourceId: '' });
    return replay && this.of(caller, replay);
  }

  /** The purchase of a replay, as it is now. */
  async of(caller: Caller, { resourceId, by }: Replay): Promise<PurchaseResult> {
    const transaction = await retryAway(() => this.transactions.require(caller, encodeId('txn', resourceId)));
    return { transaction, replayedBy: by };
  }
}
