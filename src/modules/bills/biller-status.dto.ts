import { ApiProperty } from '@nestjs/swagger';
import { encodeId, timeOf } from '../../core/http/ids';
import type { Viewer } from '../../core/resources/resources';

/** A biller that can be paid again, or no longer. */
export class BillerStatusDto {
  @ApiProperty({ enum: ['biller_status'] })
  object: 'biller_status';
  /** @example "bst_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  livemode: boolean;
  created_at: Date;
  /** @example "ikeja-electric" */
  biller_code: string;
  /** @example "Ikeja Electric" */
  name: string;
  /** Payments are accepted. */
  enabled: boolean;

  /** Everything but what its event carries. */
  static of({ livemode }: Viewer, id: string): Pick<BillerStatusDto, 'object' | 'id' | 'livemode' | 'created_at'> {
    return { object: 'biller_status', id: encodeId('bst', id), livemode, created_at: timeOf(id) };
  }
}
