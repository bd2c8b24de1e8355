import { ApiProperty } from '@nestjs/swagger';

/** Whether a key or a reference has been seen: is it safe, or needed, to send the request again? */
export class ResendDto {
  @ApiProperty({ enum: ['resend_check'] })
  object: 'resend_check';
  /**
   * `not_seen`: nothing was done; send it again with the same key or reference, also while the first one may still be
   * under way. `completed`: it was done, do not. `in_progress` is not answered today.
   */
  @ApiProperty({ enum: ['not_seen', 'in_progress', 'completed'] })
  status: 'not_seen' | 'in_progress' | 'completed';
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'What the request made, as it is now. Null also when it made nothing (a clock was moved), and for a key that ' +
      'may not read such a resource.',
  })
  resource: object | null;
  livemode: boolean;
}
