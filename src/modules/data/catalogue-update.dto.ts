import { ApiProperty } from '@nestjs/swagger';
import { encodeId, timeOf } from '../../core/http/ids';
import type { Viewer } from '../../core/resources/resources';

/** A plan that is new or no longer what it was. */
export class PlanChangeDto {
  /** @example "mtn-1gb-1m" */
  plan_code: string;
  @ApiProperty({ enum: ['added', 'changed'] })
  kind: 'added' | 'changed';
  /** Fields of the plan that differ. @example ["price"] */
  fields: string[];
}

/** What an operator changed in the catalogue of data plans at one time. */
export class CatalogueUpdateDto {
  @ApiProperty({ enum: ['catalogue_update'] })
  object: 'catalogue_update';
  /** @example "cat_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  livemode: boolean;
  created_at: Date;
  /** Plans that are new. @example 1 */
  added: number;
  /** Plans that are no longer what they were. @example 2 */
  changed: number;
  /** The first hundred of them, by code: ask `GET /v4/data/plans` for what is on sale. */
  plans: PlanChangeDto[];

  /** Everything but what its event carries. */
  static of({ livemode }: Viewer, id: string): Pick<CatalogueUpdateDto, 'object' | 'id' | 'livemode' | 'created_at'> {
    return { object: 'catalogue_update', id: encodeId('cat', id), livemode, created_at: timeOf(id) };
  }
}
