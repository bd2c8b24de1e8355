import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isFenced } from '../../core/cells/slot-moves';
import { Rewinds, Wakers } from '../../core/clock/clock';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { NO_ORIGIN } from '../../core/outbox/outbox';
import { Recurring } from '../../core/queue/recurring-jobs';
import { type AccountFreeze, type AccountRecord, AccountsService } from '../accounts/accounts.service';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { KEEP_VERSION, walletEvent } from './wallet-changes.service';
import {
  SELECT_ALL_WALLETS,
  SELECT_WALLETS_BY_ID,
  toWalletRecord,
  type WalletRecord,
  type WalletRow,
} from './wallets.service';

const SWEEP_MS = 5_000;
const CHUNK = 500;

/** Wallets whose freeze is over by the account's clock, and not ended yet, of one account or of all: account, limit. */
const SELECT_OVER = `
  SELECT a.account_id AS "accountId", a.livemode, a.id
    FROM ledger_accounts a LEFT JOIN test_clocks c ON c.account_id = a.account_id AND NOT a.livemode
   WHERE a.frozen_until <= now() + coalesce(c.offset_ms, 0) * interval '1 millisecond'
     AND ($1::uuid IS NULL OR a.account_id = $1) AND NOT ${isFenced('a.account_id')}
   ORDER BY a.frozen_until LIMIT $2`;

/** The same of one wallet, behind the lock that whoever changes a wallet takes first: account, mode, id. */
const LOCK_OVER = `
  SELECT FROM wallets w JOIN ledger_accounts a ON a.account_id = w.account_id AND a.id = w.id
    LEFT JOIN test_clocks c ON c.account_id = a.account_id AND NOT a.livemode
   WHERE w.account_id = $1 AND w.livemode = $2 AND w.id = $3
     AND a.frozen_until <= now() + coalesce(c.offset_ms, 0) * interval '1 millisecond'
     FOR UPDATE OF w, a`;

/** Keeps what is said of all wallets of an account that are open: account. */
const KEEP_VERSIONS = KEEP_VERSION.replace(
  'livemode = $2 AND id = $3',
  `id IN (SELECT id FROM ledger_accounts WHERE account_id = $1 AND name = 'wallet' AND status <> 'closed')`,
);

interface Over {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly id: string;
}

/**
 * Freezes end by themselves: postings go by the time. Here it is told, and whole accounts are frozen, which only the
 * owner of the database may.
 */
@Injectable()
export class WalletFreezesService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: AccountsService,
    private readonly ledgerAccounts: LedgerAccountsService,
    private readonly rewinds: Rewinds,
    private readonly wakers: Wakers,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({ table: 'ledger_accounts', columns: ['frozen_until'], where: 'frozen_until IS NOT NULL' });
    this.wakers.include((accountId) => this.endOver(accountId));
  }

  /** What is over is ended and told, of wallets and of accounts. */
  @Recurring({ name: 'wallets.end_freezes', everyMs: SWEEP_MS })
  async sweep(): Promise<void> {
    await this.endOver(null);
    for (const account of await this.accounts.listUnfrozen(CHUNK)) {
      await this.unitOfWork.run(async (tx) => {
        if (!(await this.accounts.tellUnfrozen(tx, account))) return;
        await tx.query(KEEP_VERSIONS, [account.id]);
        await this.tellAll(tx, account.id, () => 'frozen');
      });
    }
  }

  /**
   * Which way no money of an account moves, in both modes, until `until` or until it is let go (null): that of its
   * wallets and cards, and while it is `both`, its keys only read. As the owner of the database. Throws `NotFound`.
   */
  async freezeAccount(tx: Tx, accountId: string, freeze: AccountFreeze | null): Promise<AccountRecord> {
    const was = await this.accounts.require(accountId);
    if (was.freeze === null && freeze === null) return was;
    // First: a wallet that is being opened reads it behind this lock.
    const account = await this.accounts.setFreeze(tx, accountId, freeze);
    // In the order of whoever changes one wallet: its row, then its ledger account.
    await tx.query(KEEP_VERSIONS, [accountId]);
    const before = new Map((await this.walletsOf(tx, accountId)).map(({ id, status }) => [id, status]));
    await this.ledgerAccounts.freezeAll(tx, accountId, freeze);
    await this.tellAll(tx, accountId, ({ id }) => before.get(id) ?? null);
    return account;
  }

  private async endOver(accountId: string | null): Promise<void> {
    const over: Over[] = await this.dataSource.query(SELECT_OVER, [accountId, CHUNK]);
    for (const wallet of over) await this.unitOfWork.run((tx) => this.end(tx, wallet));
    if (over.length === CHUNK) await this.endOver(accountId);
  }

  private async end(tx: Tx, { accountId, livemode, id }: Over): Promise<void> {
    const locked: unknown[] = await tx.query(LOCK_OVER, [accountId, livemode, id]);
    // Somebody else has ended it, or frozen the wallet anew.
    if (locked.length === 0) return;
    await tx.query(KEEP_VERSION, [accountId, livemode, id]);
    await this.ledgerAccounts.setStatus(tx, { accountId, id }, 'active');
    const [row]: [WalletRow] = await tx.query(SELECT_WALLETS_BY_ID.text, [[id]]);
    const change = { type: 'wallet.unfrozen', previous: 'frozen', origin: NO_ORIGIN } as const;
    await this.unitOfWork.write(tx, [walletEvent(toWalletRecord(row), change)]);
  }

  /** Each open wallet of an account says what it is now. */
  private async tellAll(
    tx: Tx,
    accountId: string,
    previousOf: (wallet: WalletRecord) => WalletRecord['status'] | null,
  ): Promise<void> {
    const events = (await this.walletsOf(tx, accountId)).map((wallet) => {
      const previous = previousOf(wallet);
      const isFrozen = wallet.status === 'frozen';
      const type =
        isFrozen === (previous === 'frozen') ? 'wallet.updated' : isFrozen ? 'wallet.frozen' : 'wallet.unfrozen';
      return walletEvent(wallet, { type, previous, origin: NO_ORIGIN });
    });
    await this.unitOfWork.write(tx, events);
  }

  private async walletsOf(tx: Tx, accountId: string): Promise<WalletRecord[]> {
    const rows: WalletRow[] = await tx.query(SELECT_ALL_WALLETS, [accountId]);
    return rows.map(toWalletRecord);
  }
}
