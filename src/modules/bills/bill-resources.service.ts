import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { BillerStatusDto } from './biller.dto';
import { BillValidationDto } from './bills.dto';
import { ValidationsService } from './validations.service';

@Injectable()
export class BillResources {
  constructor(private readonly validations: ValidationsService) {}

  @Presents('val', 'purchases:read')
  async validation(viewer: Viewer, id: string): Promise<BillValidationDto> {
    return BillValidationDto.of(await this.validations.require(viewer, id));
  }

  /** A change of status is told once, by an event that carries it. */
  @Presents('bst', 'purchases:read')
  status(viewer: Viewer, id: string): Promise<object> {
    return Promise.resolve(BillerStatusDto.of(viewer, id));
  }
}
