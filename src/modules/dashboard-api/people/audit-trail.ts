import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type AnsweredRequest, AnsweredRequests } from '../../../core/http/request-observer';
import { encodeId } from '../../../core/http/ids';
import { dashboardLivemode } from '../../../core/http/doors';
import { AuditService } from '../audit.service';
import type { SignedIn } from './sessions.service';

const READS = new Set(['GET', 'HEAD']);

/** Fields of a request that say which money it is about. */
const OF_MONEY = [
  'amount',
  'currency',
  'from_wallet',
  'to_wallet',
  'wallet_id',
  'funding_wallet_id',
  'reference',
  'dry_run',
];

const moneyOf = (body: unknown): object =>
  Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => OF_MONEY.includes(name)));

/** Writes down what people changed through the public API: money sent, cards revealed, endpoints registered. */
@Injectable()
export class AuditTrail implements OnModuleInit {
  private readonly log = new Logger('audit');

  constructor(
    private readonly answered: AnsweredRequests,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.answered.listen((request, { statusCode }) => {
      if (statusCode < 400)
        this.record(request, statusCode).catch((error: unknown) =>
          this.log.error({ msg: 'a deed could not be recorded', err: error }),
        );
    });
  }

  private async record(request: AnsweredRequest & { person?: SignedIn }, status: number): Promise<void> {
    const { person, method, routeOptions, params, body, answeredId, id: requestId, ip } = request;
    const livemode = dashboardLivemode(request);
    if (person === undefined || livemode === undefined || READS.has(method)) return;
    const { accountId, userId, email: actor } = person;
    const target = (params as { id?: string }).id ?? answeredId ?? null;
    const detail = {
      livemode,
      status,
      request_id: encodeId('req', requestId),
      object: answeredId ?? null,
      ...moneyOf(body),
    };
    await this.audit.record({ accountId, userId, actor, action: `${method} ${routeOptions.url!}`, target, ip, detail });
  }
}
