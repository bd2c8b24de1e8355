import { Injectable, Logger } from '@nestjs/common';
import { LimitExceeded } from '../../core/errors/limit-exceeded';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import { QueuedPurchases } from '../purchases/queued-purchases';
import { type DepositPreview, type DepositResult, DepositsService, type NewDeposit } from '../wallets/deposits.service';
import { WalletsService } from '../wallets/wallets.service';

/** Test money for a wallet, named by its public id. */
export interface NewCredit extends Pick<NewDeposit, 'amount' | 'reference' | 'metadata'> {
  readonly walletId: string;
}

/** Test money of one currency that an account may have been given. */
const TEST_MONEY_MAX = 10n ** 15n;

/** Puts test money into wallets. */
@Injectable()
export class CreditsService {
  private readonly log = new Logger('sandbox');

  constructor(
    private readonly wallets: WalletsService,
    private readonly deposits: DepositsService,
    private readonly queued: QueuedPurchases,
  ) {}

  /** Starts what waited for the money, too. Throws `NotFound` and whatever `DepositsService.deposit` throws. */
  async credit(caller: Caller, credit: NewCredit, request: RequestClaim): Promise<DepositResult> {
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    const result = await this.deposits.deposit(await this.depositOf(caller, credit), request, origin);
    // The money is there, whatever becomes of that: the sweep comes by again.
    await this.queued
      .wake(caller.accountId)
      .catch((error: unknown) => this.log.error({ message: 'queued purchases were not woken', err: error }));
    return result;
  }

  /** What `credit` would do now; writes nothing. */
  async preview(caller: Caller, credit: NewCredit, request: RequestClaim): Promise<DepositPreview> {
    return this.deposits.preview(await this.depositOf(caller, credit), request);
  }

  private async depositOf(caller: Caller, { walletId, ...credit }: NewCredit): Promise<NewDeposit> {
    const wallet = await this.wallets.require(caller, decodeId('wal', walletId));
    const given = await this.deposits.testMoney(wallet);
    // Credits that arrive together may pass it together: the bound is for whoever wants to use the sandbox up.
    if (given + credit.amount > TEST_MONEY_MAX)
      throw new LimitExceeded(
        `An account may have ${TEST_MONEY_MAX} minor units of test money in one currency; yours has ${given}. Reset the sandbox to begin again.`,
      );
    return { wallet, source: 'sandbox_source', ...credit };
  }
}
