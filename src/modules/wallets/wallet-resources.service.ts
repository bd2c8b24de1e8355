import { Injectable } from '@nestjs/common';
import { timeOf } from '../../core/http/ids';
import { type PresentOptions, Presents, type Viewer } from '../../core/resources/resources';
import { TransferDto } from './transfer.dto';
import { TransfersService } from './transfers.service';
import { versionOf, WalletDto } from './wallet.dto';
import type { MoneySnapshot } from './wallet-events';
import { WalletsService } from './wallets.service';

@Injectable()
export class WalletResources {
  constructor(
    private readonly wallets: WalletsService,
    private readonly transfers: TransfersService,
  ) {}

  /**
   * Events about money keep what the ledger knew, as little as it can be; the rest is what was said of the wallet then.
   */
  @Presents('wal', 'wallets:read', { knowsThePast: true })
  async wallet(viewer: Viewer, id: string, { at }: PresentOptions = {}): Promise<WalletDto> {
    const wallet = await this.wallets.require(viewer, id);
    const now = WalletDto.of(wallet);
    if (at === undefined) return now;
    const { seq, ...snapshot } = at.snapshot as MoneySnapshot;
    if (seq === undefined) return { ...now, ...snapshot };
    const { version, label, metadata } = await this.wallets.saidAt(wallet, at.number);
    const unsaid = { status: 'active', low_balance_threshold: null, updated_at: timeOf(at.id) } as const;
    return { ...now, ...unsaid, label, metadata, version: versionOf({ seq: BigInt(seq), version }), ...snapshot };
  }

  @Presents('trf', 'wallets:read')
  async transfer(viewer: Viewer, id: string): Promise<TransferDto> {
    return TransferDto.of(await this.transfers.require(viewer, id));
  }
}
