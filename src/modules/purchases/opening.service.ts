import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { encodeId } from '../../core/http/ids';
import type { Replay } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { LedgerService } from '../ledger/ledger.service';
import type { Posted } from '../ledger/ledger.types';
import { TransactionsService } from '../transactions/transactions.service';
import { type OrderOfCaller, PurchaseDraft, type Terms } from './purchase-draft.batch';
import type { Running } from './purchase-step.batch';

/** Writes new purchases: claim, record, hold and first attempt in one posting. */
@Injectable()
export class OpeningService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    private readonly transactions: TransactionsService,
  ) {}

  /** About to be asked for, or waiting for money. Throws `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LikelyDuplicate`. */
  async open(asked: OrderOfCaller & { readonly terms: Terms }): Promise<Running | Replay> {
    const draft = new PurchaseDraft(this.transactions, asked);
    const outcome =
      asked.order.onInsufficientFunds === 'queue'
        ? await this.ledger.post(draft.posting())
        : await this.ledger.require(draft.posting(), describe);
    if (outcome.status === 'posted') return draft.made!;
    if (outcome.status === 'replayed') return outcome;
    if (outcome.refusal.reason !== 'insufficient_funds')
      return this.open({ ...asked, order: { ...asked.order, onInsufficientFunds: 'fail' } });
    const replay = await this.idempotency.once(draft.claim, (tx) => this.unitOfWork.write(tx, draft.queued()));
    return replay ?? draft.made!;
  }

  /** What `open` would write now; writes nothing. */
  async preview(asked: OrderOfCaller & { readonly terms: Terms }): Promise<{ made: Running; posted: Posted }> {
    const draft = new PurchaseDraft(this.transactions, asked);
    const posted = await this.ledger.preview(draft.posting(), describe);
    return { made: draft.made!, posted };
  }
}

const describe = (id: string) => ({ id: encodeId('wal', id), param: '/wallet_id' });
