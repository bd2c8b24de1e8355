import { Controller, Get, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { encodeId, timeOf } from '../../../core/http/ids';
import { type List, Pages } from '../../../core/http/pages';
import { PageQuery } from '../../../core/http/query-fields';
import { type AuditRecord, AuditService } from '../audit.service';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';

@ApiExcludeController()
@Needs('audit:read')
@Controller('dashboard/api/audit-log')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async list(@Me() { accountId }: SignedIn, @Query() query: PageQuery): Promise<List<object>> {
    const page = this.pages.open({ accountId, livemode: true }, 'audit_log', query);
    const rows = await this.audit.list(accountId, page.after?.[0] ?? null, page.take);
    return page.of(rows, present, ({ id }) => [id]);
  }
}

const present = ({ id, userId, actor, action, target, ip, detail }: AuditRecord): object => ({
  id: encodeId('aud', id),
  user_id: userId && encodeId('usr', userId),
  actor,
  action,
  target,
  ip,
  detail,
  at: timeOf(id),
});
