import { ApiProperty } from '@nestjs/swagger';
import { Label } from '../../../src/core/http/fields';
import { encodeId, timeOf } from '../../../src/core/http/ids';
import { ListOf } from '../../../src/core/http/list.dto';

/** As it is stored. */
export interface Parcel {
  /** Uuid, with the time of its making in it. */
  readonly id: string;
  readonly livemode: boolean;
  readonly label: string;
}

export class CreateParcelDto {
  @Label({ example: 'Books' })
  label: string;
}

/** A parcel. */
export class ParcelDto {
  /** @example "pcl_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: ['parcel'] })
  object: 'parcel';
  livemode: boolean;
  /** @example "Books" */
  label: string;
  created_at: Date;

  static of(this: void, { id, livemode, label }: Parcel): ParcelDto {
    return { id: encodeId('pcl', id), object: 'parcel', livemode, label, created_at: timeOf(id) };
  }
}

export class ParcelListDto extends ListOf(ParcelDto) {}
