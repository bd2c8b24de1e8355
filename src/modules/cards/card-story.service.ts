import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { timeOf } from '../../core/http/ids';
import {
  type Happening,
  TimelineService,
  type TimelineSource,
  type TimelineSubject,
} from '../transactions/timeline.service';

interface CallRow {
  readonly id: string;
  readonly issuer: string;
  readonly call: 'issue' | 'find';
  readonly outcome: string;
  readonly code: string | null;
  readonly message: string | null;
}

const SELECT_CALLS = `
  SELECT id, issuer, call, outcome, code, message FROM issuer_calls
   WHERE account_id = $1 AND livemode = $2 AND card_id = $3 AND call IN ('issue', 'find') ORDER BY id`;

/** Tells the timeline of a card's first transaction what its issuer said. */
@Injectable()
export class CardStory implements TimelineSource, OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly timelines: TimelineService,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
  }

  async of({ accountId, livemode, id, type, sourceId, providerName: provider }: TimelineSubject): Promise<Happening[]> {
    if (type !== 'card_issue') return [];
    const calls: CallRow[] = await this.dataSource.query(SELECT_CALLS, [accountId, livemode, sourceId]);
    const asked: Happening = {
      at: timeOf(id),
      kind: 'provider.attempt',
      data: { provider, number: 1, reference: sourceId },
    };
    return [asked, ...calls.map(told)];
  }
}

const told = ({ id, issuer, call, outcome, code, message }: CallRow): Happening => ({
  at: timeOf(id),
  kind: call === 'issue' ? 'provider.answer' : 'provider.requery',
  data: { provider: issuer, outcome, code, message },
});
