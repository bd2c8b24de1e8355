import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import type { RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { EventType } from '../../core/outbox/event-types';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { Wallet } from './wallet.entity';
import { InvalidWalletTransition, WalletNotEmpty } from './wallets.errors';
import { writeWalletEvent } from './wallets.events';
import { type WalletRecord, WalletsService } from './wallets.service';
import { WALLET_TRANSITIONS, type WalletStatus } from './wallets.states';
import type { WalletChanges, WalletResult } from './wallets.types';

/** Keeps what is said of a wallet, which is about to change: account, mode, id. */
const KEEP_VERSION = `
  WITH w AS (
    UPDATE wallets SET version = version + 1, updated_at = now()
     WHERE account_id = $1 AND livemode = $2 AND id = $3 RETURNING *
  )
  INSERT INTO wallet_versions (account_id, livemode, wallet_id, version, label, metadata)
  SELECT account_id, livemode, id, version - 1, label, metadata FROM w`;

const EVENT_OF_STATUS: Record<WalletStatus, EventType> = {
  active: 'wallet.unfrozen',
  frozen: 'wallet.frozen',
  closed: 'wallet.closed',
};

/** Changes what is not a wallet's balance. */
@Injectable()
export class WalletChangesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly accounts: LedgerAccountsService,
    private readonly wallets: WalletsService,
  ) {}

  async update(
    caller: Caller,
    id: string | null,
    { lowBalanceThreshold, ...own }: WalletChanges,
    request: RequestClaim,
  ): Promise<WalletResult> {
    const { accountId, livemode } = caller;
    return this.change(caller, id, request, async (tx, wallet) => {
      const changes = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
      await tx.update(Wallet, { accountId, livemode, id: wallet.id }, { ...changes, updatedAt: new Date() });
      if (lowBalanceThreshold !== undefined) await this.accounts.setAlert(tx, wallet, lowBalanceThreshold);
      return 'wallet.updated';
    });
  }

  /** Throws `InvalidWalletTransition`; closing also `WalletNotEmpty`. */
  async setStatus(
    caller: Caller,
    id: string | null,
    status: WalletStatus,
    request: RequestClaim,
  ): Promise<WalletResult> {
    return this.change(caller, id, request, async (tx, wallet) => {
      const account = found(await this.accounts.lock(tx, wallet.id), 'wallet');
      if (!WALLET_TRANSITIONS[account.status].includes(status))
        throw new InvalidWalletTransition(wallet.id, account.status, status);
      if (status === 'closed' && account.available + account.held !== 0n) throw new WalletNotEmpty(wallet.id);
      await this.accounts.setStatus(tx, account, status);
      return EVENT_OF_STATUS[status];
    });
  }

  private async change(
    caller: Caller,
    walletId: string | null,
    request: RequestClaim,
    effect: (tx: Tx, wallet: WalletRecord) => Promise<EventType>,
  ): Promise<WalletResult> {
    const wallet = await this.wallets.require(caller, walletId);
    const { id } = wallet;
    const claim = {
      accountId: caller.accountId,
      livemode: caller.livemode,
      ...request,
      reference: null,
      resource: 'wal',
      resourceId: id,
    } as const;
    const replay = await this.idempotency.once(claim, async (tx) => {
      await tx.query(KEEP_VERSION, [wallet.accountId, wallet.livemode, id]);
      const type = await effect(tx, wallet);
      const origin = { requestId: caller.requestId, idempotencyKey: request.key };
      await writeWalletEvent(tx, this.unitOfWork, wallet, { type, previous: wallet.status, origin });
    });
    return { wallet: await this.wallets.require(caller, id), replayedBy: replay?.by ?? null };
  }
}
