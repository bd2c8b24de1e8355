import { ApiProperty } from '@nestjs/swagger';
import { APPROVAL_STATES, type ApprovalState } from '../../vocabulary/approvals';

/** A second person was asked for. */
export class ApprovalDto {
  @ApiProperty({ enum: APPROVAL_STATES })
  status: ApprovalState;
  /** Undecided until then, it is cancelled and the money is free again. */
  expires_at: Date;
}
