import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { LiveModeLocked } from '../dashboard.errors';
import { ModeQuery } from '../overview/overview.dto';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { NoticeDto, NoticesDto, ReadNoticesDto } from './notices.dto';
import { NoticesService } from './notices.service';

@Needs('overview')
@Controller('dashboard/api/notices')
export class NoticesController {
  constructor(private readonly notices: NoticesService) {}

  @Get()
  async list(@Me() me: SignedIn, @Query() { livemode }: ModeQuery): Promise<NoticesDto> {
    if (livemode && !me.liveEnabled) throw new LiveModeLocked();
    const [notices, until] = await Promise.all([this.notices.list(me, livemode), this.notices.readUntil(me, livemode)]);
    const data = notices.map((notice) => NoticeDto.of(notice, until));
    return { data, unread: data.filter(({ unread }) => unread).length };
  }

  /** For the person alone. */
  @Post('read')
  @HttpCode(204)
  async read(@Me() me: SignedIn, @Query() { livemode }: ModeQuery, @Body() { until }: ReadNoticesDto): Promise<void> {
    await this.notices.markRead(me, livemode, until);
  }
}
