import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type AnsweredRequest, AnsweredRequests } from '../../core/http/answered-requests';
import { dashboardLivemode } from '../../core/http/session-door';
import { AuditService } from './audit.service';
import type { SignedIn } from './people.types';

const READS = new Set(['GET', 'HEAD']);

/** Writes down what people changed through the public API: money sent, cards revealed, endpoints registered. */
@Injectable()
export class DeedsGuard implements OnModuleInit {
  private readonly log = new Logger('audit');

  constructor(
    private readonly answered: AnsweredRequests,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.answered.listen((request, { statusCode }) => {
      if (statusCode < 400) this.record(request, statusCode).catch((error: unknown) => this.log.error({ msg: 'a deed could not be recorded', err: error }));
    });
  }

  private async record(request: AnsweredRequest & { person?: SignedIn }, status: number): Promise<void> {
    const { person, method, routeOptions, params, ip } = request;
    const livemode = dashboardLivemode(request);
    if (person === undefined || livemode === undefined || READS.has(method)) return;
    const { accountId, userId, email: actor } = person;
    const target = (params as { id?: string }).id ?? null;
    await this.audit.record({ accountId, userId, actor, action: `${method} ${routeOptions.url!}`, target, ip, detail: { livemode, status } });
  }
}
