import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { BillValidationDto } from './bill-validation.dto';
import { ValidationsService } from './validations.service';

@Injectable()
export class ValidationResources {
  constructor(private readonly validations: ValidationsService) {}

  @Presents('val', 'purchases:read')
  async validation(viewer: Viewer, id: string): Promise<BillValidationDto> {
    return BillValidationDto.of(await this.validations.require(viewer, id));
  }
}
