import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Reviews } from '../../providers/reviews';
import { timeOf } from '../../core/http/ids';
import { type Happening, TimelineService, type TimelineSource } from '../transactions/timeline.service';

interface Row {
  readonly id: string;
  readonly gateway: string;
  readonly call: 'start' | 'query' | 'callback';
  readonly outcome: string | null;
  readonly code: string | null;
}

const FIND = `SELECT id FROM payments WHERE account_id = $1 AND livemode = $2 AND transaction_id = $3`;

const SELECT_ANSWERS = `
  SELECT id, gateway, call, outcome, code FROM payment_checks WHERE account_id = $1 AND payment_id = $2
  UNION ALL
  SELECT id, gateway, 'callback', says, NULL FROM payment_callbacks WHERE account_id = $1 AND payment_id = $2`;

const KINDS = { start: 'provider.attempt', query: 'provider.requery', callback: 'provider.callback' } as const;

/** Tells the timeline of a credit what its gateway was asked and what it said, and what people decided. */
@Injectable()
export class PaymentTimeline implements TimelineSource, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly timelines: TimelineService,
    private readonly reviews: Reviews,
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
    const [payment] = await this.dataSource.query<{ id: string }[]>(FIND, [accountId, livemode, id]);
    if (payment === undefined) return [];
    const [rows, decisions] = await Promise.all([
      this.dataSource.query<Row[]>(SELECT_ANSWERS, [accountId, payment.id]),
      this.reviews.told({ accountId, livemode, resource: 'pay', id: payment.id }),
    ]);
    return [
      ...rows.map(({ id: rowId, gateway: provider, call, outcome, code }): Happening => ({
        at: timeOf(rowId),
        kind: KINDS[call],
        data: { provider, outcome, code },
      })),
      ...decisions,
    ];
  }
}
