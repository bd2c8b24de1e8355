import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { WalletDto } from './wallet.dto';
import { WalletsService } from './wallets.service';

@Injectable()
export class WalletResources {
  constructor(private readonly wallets: WalletsService) {}

  @Presents('wal', 'wallets:read')
  async wallet(viewer: Viewer, id: string): Promise<WalletDto> {
    return WalletDto.of(await this.wallets.require(viewer, id));
  }
}
