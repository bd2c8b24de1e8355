import { Injectable } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { isRowChanged } from '../../core/database/sqlstate';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError } from '../../core/errors/domain-error';
import { newId } from '../../core/http/ids';
import type { Claim, Replay } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Currency } from '../../core/money/currencies';
import { LedgerAccountsService, type PlatformAccountName } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Line, Outcome, Posting } from '../ledger/ledger.types';

/** The other side of a movement: a card by its id, or a platform account by its currency; minor units. */
export type Part = readonly ['card', string, bigint] | readonly [PlatformAccountName, Currency, bigint];

/** Money or state moved since the card was read: it has to be looked at anew. */
export const isOvertaken = (error: unknown): boolean =>
  isRowChanged(error) || (error instanceof DomainError && error.details.code === 'insufficient_funds');

/** Moves the money of cards. */
@Injectable()
export class CardPostings {
  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
  ) {}

  /** What carried a request out before, else `work`. Throws `IdempotencyKeyReused`, `DuplicateReference`, and what `work` throws. */
  answer(claim: Claim, work: () => Promise<Replay | null>): Promise<Replay | null> {
    return this.idempotency.answer<Replay | null>(claim, work, (replay) => replay);
  }

  /** Null: the card was changed by somebody else meanwhile, and nothing was written. */
  async post(posting: Omit<Posting, 'id' | 'claim'> & Partial<Pick<Posting, 'claim'>>): Promise<Outcome | null> {
    try {
      const outcome = await this.ledger.post({ id: newId(), claim: null, ...posting });
      return outcome.status === 'refused' && 'holdId' in outcome.refusal ? null : outcome;
    } catch (error) {
      if (isRowChanged(error)) return null;
      throw error;
    }
  }

  /** Rows without money. False: the card was changed by somebody else meanwhile, and nothing was written. */
  async write(writes: readonly Write[]): Promise<boolean> {
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes));
      return true;
    } catch (error) {
      if (isRowChanged(error)) return false;
      throw error;
    }
  }

  /**
   * Lines of cards and of the platform; empty ones are left out. They belong to no transaction: the records are those of
   * the wallet.
   */
  async lines(parts: readonly Part[], { livemode }: { livemode: boolean }): Promise<Line[]> {
    const lines = parts
      .filter(([, , amount]) => amount !== 0n)
      .map(async ([name, idOrCurrency, amount]): Promise<Line> => ({
        ledgerAccountId:
          name === 'card' ? idOrCurrency : await this.accounts.platform(name, idOrCurrency as Currency, livemode),
        bucket: 'available',
        amount,
        transactionId: null,
      }));
    return Promise.all(lines);
  }
}
