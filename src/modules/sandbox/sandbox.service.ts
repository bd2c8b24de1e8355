import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import { LimitExceeded } from '../../core/database/quota';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { QueuedPurchases } from '../purchases/queued-purchases';
import { SandboxOperator } from '../purchases/sandbox-operator.service';
import type { TransactionRecord } from '../transactions/transactions.service';
import { type DepositPreview, DepositsService, type NewDeposit } from '../wallets/deposits.service';
import { WalletChangesService } from '../wallets/wallet-changes.service';
import { WalletsService } from '../wallets/wallets.service';

/** Test money for a wallet, named by its public id. */
export interface NewCredit extends Pick<NewDeposit, 'amount' | 'reference' | 'metadata'> {
  readonly walletId: string;
}

/** Test money of one currency that an account may have been given. */
const TEST_MONEY_MAX = 10n ** 15n;

const PAGE_ROWS = 100;

/** Puts test money into wallets, and takes it out again. */
@Injectable()
export class SandboxService {
  private readonly log = new Logger('sandbox');

  constructor(
    private readonly wallets: WalletsService,
    private readonly changes: WalletChangesService,
    private readonly deposits: DepositsService,
    private readonly queued: QueuedPurchases,
    private readonly operator: SandboxOperator,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Answers with the uuid of the transaction. Starts what waited for the money, too. Throws `NotFound` and whatever
   * `DepositsService.deposit` throws.
   */
  async credit(caller: Caller, credit: NewCredit, request: RequestClaim): Promise<Made<string>> {
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    const result = await this.deposits.deposit(await this.depositOf(caller, credit, request), request, origin);
    // The money is there, whatever becomes of that: the sweep comes by again.
    await this.queued
      .wake(caller.accountId)
      .catch((error: unknown) => this.log.error({ message: 'queued purchases were not woken', err: error }));
    return result;
  }

  /** What `credit` would do now; writes nothing. */
  async previewCredit(caller: Caller, credit: NewCredit, request: RequestClaim): Promise<DepositPreview> {
    return this.deposits.preview(await this.depositOf(caller, credit, request), request);
  }

  /**
   * Ends the outages of providers, unfreezes the caller's wallets and takes all spendable test money out of them. The
   * ledger is append-only: history stays, and so does money on hold until what holds it ends. The clock goes back to
   * the time. Run twice, it finds nothing the second time.
   */
  async reset(caller: Caller, idempotencyKey: string | null): Promise<TransactionRecord[]> {
    await this.operator.clearOutages(caller.accountId);
    await this.clock.reset(caller.accountId);
    const returned: TransactionRecord[] = [];
    for (let before: string | null = null; ;) {
      const page = await this.wallets.list(caller, {}, before, PAGE_ROWS);
      for (const wallet of page) {
        if (wallet.freezes.some(({ by }) => by === 'owner'))
          await this.changes.setStatus(caller, wallet.id, 'active', NO_CLAIM);
        const record = await this.deposits.reverse(wallet, { requestId: caller.requestId, idempotencyKey });
        if (record) returned.push(record);
      }
      if (page.length < PAGE_ROWS) return returned;
      before = page.at(-1)!.id;
    }
  }

  private async depositOf(
    caller: Caller,
    { walletId, ...credit }: NewCredit,
    request: RequestClaim,
  ): Promise<NewDeposit> {
    const wallet = await this.wallets.require(caller, decodeId('wal', walletId));
    const given = await this.deposits.testMoney(wallet);
    const { accountId, livemode } = caller;
    const claim = {
      accountId,
      livemode,
      ...request,
      reference: credit.reference,
      resource: 'txn',
      resourceId: '',
    } as const;
    // Credits that arrive together may pass it together: the bound is for whoever wants to use the sandbox up.
    if (given + credit.amount > TEST_MONEY_MAX && (await this.idempotency.replayOf(claim)) === null)
      throw new LimitExceeded(
        `An account may have ${TEST_MONEY_MAX} minor units of test money in one currency; yours has ${given}. ` +
          'Reset the sandbox to begin again.',
      );
    return { wallet, source: 'sandbox_source', ...credit };
  }
}

/** A reset is many small changes, each of which may be done again: its key is kept with none of them. */
const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };
