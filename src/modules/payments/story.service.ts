import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { timeOf } from '../../core/http/ids';
import { TimelineService } from '../transactions/timeline.service';
import type { Happening, TimelineSource } from '../transactions/timeline.types';

interface Row {
  readonly id: string;
  readonly gateway: string;
  readonly call: 'start' | 'query' | 'callback';
  readonly outcome: string | null;
  readonly code: string | null;
}

const SELECT_STORY = `
  SELECT c.id, c.gateway, c.call, c.outcome, c.code FROM payments p JOIN payment_checks c ON c.account_id = p.account_id AND c.payment_id = p.id
   WHERE p.account_id = $1 AND p.livemode = $2 AND p.transaction_id = $3
  UNION ALL
  SELECT c.id, c.gateway, 'callback', c.says, NULL FROM payments p JOIN payment_callbacks c ON c.account_id = p.account_id AND c.payment_id = p.id
   WHERE p.account_id = $1 AND p.livemode = $2 AND p.transaction_id = $3`;

const SELECT_DECISIONS = `
  SELECT r.id, r.outcome FROM payments p JOIN review_verdicts r ON r.account_id = p.account_id AND r.livemode = p.livemode AND r.resource_id = p.id AND r.round >= 0
   WHERE p.account_id = $1 AND p.livemode = $2 AND p.transaction_id = $3`;

const KINDS = { start: 'provider.attempt', query: 'provider.requery', callback: 'provider.callback' } as const;

/** Tells the timeline of a credit what its gateway was asked and what it said, and what people decided. */
@Injectable()
export class PaymentStory implements TimelineSource, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly timelines: TimelineService,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
  }

  async of({
    accountId,
    livemode,
    id,
  }: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly id: string;
  }): Promise<Happening[]> {
    const [rows, decisions] = await Promise.all([
      this.dataSource.query<Row[]>(SELECT_STORY, [accountId, livemode, id]),
      this.dataSource.query<{ id: string; outcome: string }[]>(SELECT_DECISIONS, [accountId, livemode, id]),
    ]);
    return [
      ...rows.map(({ id: rowId, gateway: provider, call, outcome, code }): Happening => ({
        at: timeOf(rowId),
        kind: KINDS[call],
        data: { provider, outcome, code },
      })),
      ...decisions.map(({ id: verdictId, outcome }): Happening => ({
        at: timeOf(verdictId),
        kind: 'review.decision',
        data: { outcome },
      })),
    ];
  }
}
