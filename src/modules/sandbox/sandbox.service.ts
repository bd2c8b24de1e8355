import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/clock';
import type { Caller } from '../../core/http/caller';
import type { TransactionRecord } from '../transactions/transactions.service';
import { SandboxOperator } from '../purchases/sandbox-operator.service';
import { DepositsService } from '../wallets/deposits.service';
import { WalletChangesService } from '../wallets/wallet-changes.service';
import { WalletsService } from '../wallets/wallets.service';

const PAGE_ROWS = 100;

@Injectable()
export class SandboxService {
  constructor(
    private readonly wallets: WalletsService,
    private readonly changes: WalletChangesService,
    private readonly deposits: DepositsService,
    private readonly operator: SandboxOperator,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends the outages of providers, unfreezes the caller's wallets and takes all spendable test money out of them. The ledger
   * is append-only: history stays, and so does money on hold until what holds it ends. The clock goes back
   * to the time. Run twice, it finds nothing the second time.
   */
  async reset(caller: Caller, idempotencyKey: string | null): Promise<TransactionRecord[]> {
    await this.operator.clearOutages(caller.accountId);
    await this.clock.reset(caller.accountId);
    const returned: TransactionRecord[] = [];
    for (let before: string | null = null; ;) {
      const page = await this.wallets.list(caller, {}, before, PAGE_ROWS);
      for (const wallet of page) {
        if (wallet.status === 'frozen') await this.changes.setStatus(caller, wallet.id, 'active', NO_CLAIM);
        const record = await this.deposits.reverse(wallet, { requestId: caller.requestId, idempotencyKey });
        if (record) returned.push(record);
      }
      if (page.length < PAGE_ROWS) return returned;
      before = page.at(-1)!.id;
    }
  }
}

/** A reset is many small changes, each of which may be done again: its key is kept with none of them. */
const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };
