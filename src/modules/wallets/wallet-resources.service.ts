import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { TransferDto } from './transfer.dto';
import { TransfersService } from './transfers.service';
import { WalletDto } from './wallet.dto';
import { WalletsService } from './wallets.service';

@Injectable()
export class WalletResources {
  constructor(
    private readonly wallets: WalletsService,
    private readonly transfers: TransfersService,
  ) {}

  @Presents('wal')
  async wallet(viewer: Viewer, id: string): Promise<WalletDto> {
    return WalletDto.of(await this.wallets.require(viewer, id));
  }

  @Presents('trf')
  async transfer(viewer: Viewer, id: string): Promise<TransferDto> {
    return TransferDto.of(await this.transfers.require(viewer, id));
  }
}
