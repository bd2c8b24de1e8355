import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { encodeId, newId } from '../../core/http/ids';
import type { Claim, Likeness, Replay, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Posted } from '../ledger/ledger.types';
import { TransactionsService } from '../transactions/transactions.service';
import { CardIssueDraft } from './card-issue-draft.batch';
import type { AgreedCard, IssuingCard } from './card-issuing.types';

/** Writes new cards: claim, account, record and hold in one posting. */
@Injectable()
export class CardOpeningService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly transactions: TransactionsService,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * A replay when the request was carried out before. Throws what `agree` throws, `PostingRefused`, `IdempotencyKeyReused`,
   * `DuplicateReference`, `LedgerUnavailable`.
   */
  open(
    { accountId, livemode }: Caller,
    { request, reference, likeness }: Opened,
    agree: () => Promise<AgreedCard>,
  ): Promise<IssuingCard | Replay> {
    const claim: Claim = { accountId, livemode, ...request, reference, resource: 'crd', resourceId: newId(), likeness };
    const work = async (): Promise<IssuingCard | Replay> => {
      const draft = this.draft(await agree());
      const outcome = await this.ledger.require(draft.posting(), describe);
      return outcome.status === 'posted' ? draft.made! : outcome;
    };
    return this.idempotency.answer<IssuingCard | Replay>(claim, work, (replay) => replay);
  }

  /** What `open` would write now; writes nothing. */
  async preview(agreed: AgreedCard): Promise<{ readonly made: IssuingCard; readonly posted: Posted }> {
    const draft = this.draft(agreed);
    const posted = await this.ledger.preview(draft.posting(), describe);
    return { made: draft.made!, posted };
  }

  private draft(agreed: AgreedCard): CardIssueDraft {
    return new CardIssueDraft(newId(), agreed, { transactions: this.transactions, accounts: this.accounts });
  }
}

interface Opened {
  readonly request: RequestClaim;
  readonly reference: string | null;
  readonly likeness: Likeness | null;
}

const describe = (id: string) => ({ id: encodeId('wal', id), param: '/funding_wallet_id' });
