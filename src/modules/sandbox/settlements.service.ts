import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import type { ReplayedBy, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { Requeries } from '../purchases/requeries';
import { SandboxOperator } from '../purchases/sandbox-operator.service';
import type { SettledAs } from '../purchases/sandbox/scenarios';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import { NothingToSettle } from './sandbox.errors';

/** The state from which a purchase can be settled. */
const FROM: Readonly<Record<SettledAs, TransactionRecord['status']>> = {
  successful: 'processing',
  failed: 'processing',
  reversed: 'successful',
};

export interface Settled {
  readonly transaction: TransactionRecord;
  readonly replayedBy: ReplayedBy | null;
}

/** A tester's decisions about test purchases. */
@Injectable()
export class SettlementsService {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly operator: SandboxOperator,
    private readonly requeries: Requeries,
    private readonly idempotency: Idempotency,
  ) {}

  /** Lets the operator say so, and asks it at once. Throws `NotFound`, `NothingToSettle`, `IdempotencyKeyReused`. */
  async settle(caller: Caller, id: string, as: SettledAs, request: RequestClaim): Promise<Settled> {
    const { accountId, livemode } = caller;
    const transaction = await this.transactions.require(caller, id);
    const claim = {
      accountId,
      livemode,
      ...request,
      reference: null,
      resource: 'txn',
      resourceId: transaction.id,
    } as const;
    const replay = await this.idempotency.once(claim, async (tx) => {
      if (!this.isSettleable(transaction, as)) throw new NothingToSettle(transaction, as);
      await this.operator.settle(tx, { accountId, purchaseId: transaction.id }, as);
    });
    if (replay) return { transaction, replayedBy: replay.by };
    return { transaction: await this.requeries.requeryNow(caller, transaction.id), replayedBy: null };
  }

  private isSettleable({ status, providerName }: TransactionRecord, as: SettledAs): boolean {
    return status === FROM[as] && providerName !== null && this.operator.scenarios.providers.includes(providerName);
  }
}
