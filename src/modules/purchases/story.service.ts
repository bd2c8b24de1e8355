import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type Repository } from 'typeorm';
import { timeOf } from '../../core/http/ids';
import { TimelineService } from '../transactions/timeline.service';
import type { Happening, TimelineSource } from '../transactions/timeline.types';
import type { PurchaseKey } from './loading.service';
import { PurchaseAttempt } from './purchase-attempt.entity';

interface CheckRow {
  readonly id: string;
  readonly provider: string;
  readonly outcome: string;
  readonly code: string | null;
}

/** Tells the timeline which providers were asked, and what they said. */
@Injectable()
export class StoryService implements TimelineSource, OnModuleInit {
  constructor(
    @InjectRepository(PurchaseAttempt) private readonly attempts: Repository<PurchaseAttempt>,
    private readonly dataSource: DataSource,
    private readonly timelines: TimelineService,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
  }

  async of({ accountId, livemode, id: purchaseId }: PurchaseKey): Promise<Happening[]> {
    const [attempts, checks] = await Promise.all([
      this.attempts.findBy({ accountId, livemode, purchaseId }),
      this.dataSource.query<CheckRow[]>('SELECT id, provider, outcome, code FROM purchase_checks WHERE account_id = $1 AND purchase_id = $2', [accountId, purchaseId]),
    ]);
    return [
      ...attempts.flatMap((attempt) => told(attempt, checks.some(({ provider }) => provider === attempt.provider))),
      ...checks.map(({ id, provider, outcome, code }): Happening => ({ at: timeOf(id), kind: 'provider.requery', data: { provider, outcome, code } })),
    ];
  }
}

/** What a requery found out stands in the requery: only an answer that was given at once is told with its attempt. */
function told({ id, number, provider, startedAt, endedAt, outcome, code, message, providerReference }: PurchaseAttempt, isRequeried: boolean): Happening[] {
  const asked: Happening = { at: timeOf(id), kind: 'provider.attempt', data: { provider, number, reference: id } };
  if (endedAt === null || isRequeried) return [asked];
  // Times of an attempt are those of the account's clock, which may be ahead of the time at which it was written down.
  const at = new Date(timeOf(id).getTime() + (endedAt.getTime() - startedAt.getTime()));
  return [asked, { at, kind: 'provider.answer', data: { provider, number, outcome, code, message, provider_reference: providerReference } }];
}
