import { Injectable } from '@nestjs/common';
import { Presents, type Viewer } from '../../core/resources/resources';
import { CatalogueUpdateDto } from './catalogue-update.dto';

@Injectable()
export class CatalogueResources {
  /** An update is told once, by an event that carries it: there is nothing else to read. */
  @Presents('cat', 'purchases:read')
  update(viewer: Viewer, id: string): Promise<object> {
    return Promise.resolve(CatalogueUpdateDto.of(viewer, id));
  }
}
