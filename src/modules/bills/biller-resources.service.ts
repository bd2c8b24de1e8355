import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { BillerStatusDto } from './biller-status.dto';

@Injectable()
export class BillerResources {
  /** A change of status is told once, by an event that carries it. */
  @Presents('bst', 'purchases:read')
  status(viewer: Viewer, id: string): Promise<object> {
    return Promise.resolve(BillerStatusDto.of(viewer, id));
  }
}
