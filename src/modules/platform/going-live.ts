import { Injectable } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { Readiness } from '../../providers/readiness';
import { type AccountRecord, AccountsService } from '../accounts/accounts.service';
import { ApiKeysService } from '../accounts/api-keys.service';
import { OperatorOrders, type OperatorOrder } from './operator-orders.service';

/** Which accounts have live mode. */
@Injectable()
export class GoingLive {
  constructor(
    private readonly readiness: Readiness,
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
    private readonly orders: OperatorOrders,
  ) {}

  /** Lets an account have live keys; `force`: whatever is missing. Throws `NotFound`, `NotReadyForLive`. */
  async enable(order: OperatorOrder, id: string, force: boolean): Promise<AccountRecord> {
    await this.accounts.require(id);
    if (!force) await this.readiness.require();
    return this.orders.run(order, async (tx) => [
      await this.accounts.setLive(tx, id, true),
      entryOf(id, 'account.live_enabled', force ? { forced: true } : {}),
    ]);
  }

  /** Stops the live keys, too. Throws `NotFound`. */
  disable(order: OperatorOrder, id: string): Promise<AccountRecord> {
    return this.orders.run(order, async (tx) => {
      const account = await this.accounts.setLive(tx, id, false);
      const detail = { keys_revoked: await this.keys.revokeLive(tx, id) };
      return [account, entryOf(id, 'account.live_disabled', detail)];
    });
  }
}

const entryOf = (accountId: string, action: string, detail: object) => ({
  accountId,
  action,
  target: encodeId('acct', accountId),
  detail,
});
