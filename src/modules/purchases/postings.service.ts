import { Injectable } from '@nestjs/common';
import { isRowChanged } from '../../core/database/sqlstate';
import { newId } from '../../core/http/ids';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { HoldStep, Line, Posting } from '../ledger/ledger.types';
import type { TransactionRecord } from '../transactions/transactions.service';
import type { Purchase } from './purchase.entity';
import { SettledElsewhere } from './purchase-step.batch';

/** Moves the money of purchases. */
@Injectable()
export class PostingsService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
  ) {}

  /** False: there is not enough money for the hold. Throws `SettledElsewhere`. */
  async post(
    { accountId, livemode }: Purchase,
    posting: Pick<Posting, 'lines' | 'holds' | 'currency' | 'writes'>,
  ): Promise<boolean> {
    try {
      const outcome = await this.ledger.post({ id: newId(), accountId, livemode, claim: null, ...posting });
      if (outcome.status === 'refused' && 'holdId' in outcome.refusal) throw new SettledElsewhere();
      return outcome.status === 'posted';
    } catch (error) {
      throw isRowChanged(error) ? new SettledElsewhere() : error;
    }
  }

  /** A step of the purchase's hold, over its whole amount unless another is given. */
  step({ id, walletId, total }: Purchase, kind: HoldStep['kind'], amount = total): HoldStep {
    return { kind, holdId: id, ledgerAccountId: walletId, amount, transactionId: id };
  }

  /** Captures what a purchase costs, and releases what was held above that. */
  capture(held: Purchase, cost: Purchase): HoldStep[] {
    const rest = held.total - cost.total;
    return [this.step(cost, 'capture'), ...(rest > 0n ? [this.step(cost, 'release', rest)] : [])];
  }

  /** The platform's side: what the provider is owed, the fee that is earned, the commission that is given away. */
  outerLines(t: TransactionRecord, sign: 1n | -1n): Promise<Line[]> {
    const parts = [
      [`provider_float:${t.providerName!}`, t.amount],
      ['fees', t.fee],
      ['commissions', -t.commission],
    ] as const;
    const lines = parts
      .filter(([, amount]) => amount !== 0n)
      .map(async ([name, amount]): Promise<Line> => ({
        ledgerAccountId: await this.accounts.platform(name, t.currency, t.livemode),
        bucket: 'available',
        amount: sign * amount,
        transactionId: null,
      }));
    return Promise.all(lines);
  }
}
