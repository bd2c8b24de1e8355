import { Injectable } from '@nestjs/common';
import { Env } from '../../core/config/env';
import { bulkInsert, type Write } from '../../core/database/bulk';
import { requireRoom } from '../../core/database/quota';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import type { Caller } from '../../core/http/caller';
import { newId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { EventOrigin } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { LedgerAccountsService } from '../ledger/accounts.service';
import type { Wallet } from './wallet.entity';
import { writeWalletEvent } from './wallets.events';
import { WalletsService } from './wallets.service';
import type { NewWallet, WalletResult } from './wallets.types';

const insertWallet = bulkInsert('wallets', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  currency: 'text',
  label: 'text?',
  reference: 'text?',
  metadata: 'jsonb',
});

const walletWrite = (wallet: Omit<Wallet, 'version' | 'updatedAt'>): Write =>
  insertWallet.row({
    account_id: wallet.accountId,
    livemode: wallet.livemode,
    id: wallet.id,
    currency: wallet.currency,
    label: wallet.label,
    reference: wallet.reference,
    metadata: wallet.metadata,
  });

@Injectable()
export class WalletOpeningService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly accounts: LedgerAccountsService,
    private readonly wallets: WalletsService,
    private readonly env: Env,
  ) {}

  /** Throws `LimitExceeded`, `IdempotencyKeyReused`, `DuplicateReference`. */
  async create(caller: Caller, wallet: NewWallet, request: RequestClaim): Promise<WalletResult> {
    const id = newId();
    const { accountId, livemode } = caller;
    const claim = {
      accountId,
      livemode,
      ...request,
      reference: wallet.reference,
      resource: 'wal',
      resourceId: id,
    } as const;
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    const replay = await this.idempotency.once(claim, async (tx) => {
      await requireRoom(tx, { table: 'wallets', of: 'wallets', max: this.env.WALLETS_MAX }, caller);
      await this.open(tx, { ...wallet, accountId, livemode, id }, origin);
    });
    return { wallet: await this.wallets.require(caller, replay?.resourceId ?? id), replayedBy: replay?.by ?? null };
  }

  /** Opens a wallet inside a transaction of the caller's. */
  async open(tx: Tx, wallet: NewWallet & Viewer & { id: string }, origin: EventOrigin): Promise<void> {
    await this.unitOfWork.write(tx, [
      this.accounts.open({ ...wallet, name: 'wallet', alertBelow: wallet.lowBalanceThreshold }),
      walletWrite(wallet),
    ]);
    await writeWalletEvent(tx, this.unitOfWork, wallet, { type: 'wallet.created', previous: null, origin });
  }
}
