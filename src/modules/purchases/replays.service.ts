import { Injectable } from '@nestjs/common';
import { retryAway } from '../../core/database/sqlstate';
import type { Caller } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import type { Claim, Replay } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import type { PurchaseResult, RequestOfPurchase } from './purchases.types';

/** Answers for purchases that were made before. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly transactions: TransactionsService,
  ) {}

  /** What carried the request out before, else what `accept` makes. Throws `IdempotencyKeyReused`, `DuplicateReference`, and what `accept` throws. */
  answer<Made>(
    { accountId, livemode }: Caller,
    { request, reference }: RequestOfPurchase,
    accept: () => Promise<Made | Replay>,
  ): Promise<Made | Replay> {
    const claim: Claim = { accountId, livemode, ...request, reference, resource: 'txn', resourceId: '' };
    return this.idempotency.answer<Made | Replay>(claim, accept, (replay) => replay);
  }

  /** The purchase of a replay, as it is now. */
  async of(caller: Caller, { resourceId, by }: Replay): Promise<PurchaseResult> {
    return { transaction: await this.present(caller, resourceId), replayedBy: by };
  }

  /** A purchase as it is now. */
  present(caller: Caller, id: string): Promise<TransactionRecord> {
    return retryAway(() => this.transactions.require(caller, encodeId('txn', id)));
  }
}
