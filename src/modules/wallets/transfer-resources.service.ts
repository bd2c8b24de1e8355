import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { TransferDto } from './transfer.dto';
import { TransfersService } from './transfers.service';

@Injectable()
export class TransferResources {
  constructor(private readonly transfers: TransfersService) {}

  @Presents('trf', 'wallets:read')
  async transfer(viewer: Viewer, id: string): Promise<TransferDto> {
    return TransferDto.of(await this.transfers.require(viewer, id));
  }
}
