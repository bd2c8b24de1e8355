import { Injectable } from '@nestjs/common';
import { Batcher } from '../../core/database/batcher';
import { ReadPipeline } from '../../core/database/database.module';
import { found } from '../../core/errors/not-found';
import { HIGHEST_ID } from '../../core/http/ids';
import type { Currency } from '../../core/money/currencies';
import type { Viewer } from '../../core/resources/resources';
import {
  SELECT_OLDEST_WALLET,
  SELECT_VERSION_AT,
  SELECT_WALLET_PAGE,
  SELECT_WALLETS_BY_ID,
  toWalletRecord,
  type WalletRecord,
  type WalletRow,
} from './wallets.queries';
import type { WalletStatus } from './wallets.states';

export interface WalletFilters {
  readonly currency?: Currency;
  readonly status?: WalletStatus;
}

/** Reads wallets with their balances. */
@Injectable()
export class WalletsService {
  private readonly byId: Batcher<string, WalletRecord | null>;

  constructor(private readonly reads: ReadPipeline) {
    this.byId = new Batcher(
      async (ids) => {
        const { rows } = await reads.query<WalletRow>(SELECT_WALLETS_BY_ID, [ids]);
        const records = new Map(rows.map((row) => [row.id, toWalletRecord(row)]));
        return ids.map((id) => records.get(id) ?? null);
      },
      { batchMax: 500, parallel: 2, queueMax: 100_000, overflow: () => new Error('too many wallet reads are waiting') },
    );
  }

  /** Any wallet of the platform; null when there is none. */
  findAny(id: string): Promise<WalletRecord | null> {
    return this.byId.add(id);
  }

  /** The caller's wallet. Throws `NotFound`. */
  async require(owner: Viewer, id: string | null): Promise<WalletRecord> {
    const wallet = id === null ? null : await this.findAny(id);
    return found(
      wallet && wallet.accountId === owner.accountId && wallet.livemode === owner.livemode ? wallet : null,
      'wallet',
    );
  }

  /** What was said of a wallet at the event of this number. */
  async saidAt(
    { accountId, livemode, id, version, label, metadata }: WalletRecord,
    number: string,
  ): Promise<Pick<WalletRecord, 'version' | 'label' | 'metadata'>> {
    const now = { version, label, metadata };
    if (version === 1) return now;
    const { rows } = await this.reads.query<typeof now>(SELECT_VERSION_AT, [accountId, livemode, id, number]);
    return rows[0] ?? now;
  }

  /** The owner's oldest wallet of a currency that can pay; null when there is none. */
  async findOldest({ accountId, livemode }: Viewer, currency: Currency): Promise<string | null> {
    const { rows } = await this.reads.query<{ id: string }>(SELECT_OLDEST_WALLET, [accountId, livemode, currency]);
    return rows[0]?.id ?? null;
  }

  /** Newest first, below the uuid `before`. */
  async list(
    owner: Viewer,
    { currency, status }: WalletFilters,
    before: string | null,
    take: number,
  ): Promise<WalletRecord[]> {
    const values = [owner.accountId, owner.livemode, before ?? HIGHEST_ID, take, currency ?? null, status ?? null];
    const { rows } = await this.reads.query<WalletRow>(SELECT_WALLET_PAGE, values);
    return rows.map(toWalletRecord);
  }
}
