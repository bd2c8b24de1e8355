import { ApiProperty } from '@nestjs/swagger';

export const TIMELINE_KINDS = [
  'transaction.created', 'ledger.entry', 'provider.attempt', 'provider.answer', 'provider.requery', 'provider.callback', 'review.decision', 'event', 'webhook.delivery', 'transaction.completed',
] as const;

/** Something that happened to a transaction. */
export class TimelineItemDto {
  at: Date;
  @ApiProperty({ enum: TIMELINE_KINDS })
  kind: (typeof TIMELINE_KINDS)[number];
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Depends on `kind`.' })
  data: Record<string, unknown>;
}

/** What happened to a transaction, oldest first. */
export class TimelineDto {
  @ApiProperty({ enum: ['list'] })
  object: 'list';
  data: TimelineItemDto[];
  /** Always false: a timeline comes whole. */
  has_more: boolean;
  next_cursor: string | null;
}
