import { ApiProperty } from '@nestjs/swagger';
import { DateTime } from '../../../core/http/query-fields';
import { type Notice, NOTICE_KINDS, type NoticeKind } from './notices.service';

export class NoticeDto {
  @ApiProperty({ enum: NOTICE_KINDS })
  kind: NoticeKind;
  /** What it is about; null: several things. */
  object: string | null;
  /** How people call it. */
  name: string | null;
  count: number;
  /** Since when. */
  at: Date;
  unread: boolean;

  static of(this: void, notice: Notice, readUntil: Date | null): NoticeDto {
    const { kind, object, name, count, at } = notice;
    return { kind, object, name, count, at, unread: readUntil === null || at > readUntil };
  }
}

export class NoticesDto {
  data: NoticeDto[];
  unread: number;
}

export class ReadNoticesDto {
  /** Of the newest one that was shown. */
  @DateTime()
  until: Date;
}
