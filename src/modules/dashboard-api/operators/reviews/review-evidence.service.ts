import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { encodeId, timeOf } from '../../../../core/http/ids';
import { toJsonNumber } from '../../../../core/money/money';
import { EventLog } from '../../../../core/outbox/event-log';
import { Journal, type KeptExchange } from '../../../../providers/journal';
import { TimelineService } from '../../../transactions/timeline.service';
import { TransactionsService } from '../../../transactions/transactions.service';
import type { OpenReview, ReviewStatementLineDto, ReviewStepDto } from './reviews.dto';
import { SELECT_ANSWERS, SELECT_ATTEMPT_NAMES, SELECT_DIFFERENCES } from './statements';

interface AnswerRow {
  readonly id: string;
  readonly provider: string;
  readonly call: string;
  readonly outcome: string | null;
  readonly code: string | null;
}

interface DifferenceRow {
  readonly provider: string;
  readonly currency: string;
  readonly kind: string;
  readonly reference: string;
  readonly ours: string;
  readonly theirs: string;
  readonly foundAt: Date;
  readonly reason: string | null;
}

/** Events of this second are part of the story. */
const SLACK_MS = 1_000;

/** What people decide by: what happened, what companies were asked and said, and where their statements disagree. */
@Injectable()
export class ReviewEvidence {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: TransactionsService,
    private readonly timelines: TimelineService,
    private readonly events: EventLog,
    private readonly journal: Journal,
  ) {}

  /** Oldest first. */
  async timelineOf(review: OpenReview): Promise<ReviewStepDto[]> {
    const { resource, id, accountId, livemode, decisions } = review;
    if (resource === 'txn') {
      const transaction = await this.transactions.require({ accountId, livemode }, encodeId('txn', id));
      return (await this.timelines.of(transaction)).map(({ at, kind, data }) => ({ at, kind, data }));
    }
    const between: [Date, Date] = [new Date(timeOf(id).getTime() - SLACK_MS), new Date(Date.now() + SLACK_MS)];
    const [answers, events] = await Promise.all([
      this.answersTo(review),
      this.events.about({ accountId, livemode }, [id], between),
    ]);
    const steps: ReviewStepDto[] = [
      { at: timeOf(id), kind: `${review.kind}.created`, data: { id: encodeId(resource, id) } },
      ...answers.map(({ id: rowId, provider, call, outcome, code }) => ({
        at: timeOf(rowId),
        kind: `provider.${call}`,
        data: { provider, outcome, code },
      })),
      ...events.map(({ id: eventId, type }) => ({ at: timeOf(eventId), kind: 'event', data: { type } })),
      ...decisions.map(({ id: verdictId, person, outcome }) => ({
        at: timeOf(verdictId),
        kind: 'review.decision',
        data: { person, outcome },
      })),
    ];
    return steps.sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  /** Nothing of those who check who somebody is: that is personal, and stands on the provider's own page. */
  async exchangesOf({ kind, accountId, id, related }: OpenReview): Promise<KeptExchange[]> {
    if (kind === 'customer') return [];
    const about = [id, ...(related === null ? [] : [related])];
    const exchanges = await Promise.all(about.map((one) => this.journal.about(accountId, one)));
    return exchanges.flat().sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  async statementLinesOf({
    resource,
    id,
    accountId,
    livemode,
    partyReference,
  }: OpenReview): Promise<ReviewStatementLineDto[]> {
    const names = [encodeId(resource, id), id, ...(partyReference === null ? [] : [partyReference])];
    const attempts: { name: string }[] =
      resource === 'txn' ? await this.dataSource.query(SELECT_ATTEMPT_NAMES, [accountId, livemode, id]) : [];
    const rows: DifferenceRow[] = await this.dataSource.query(SELECT_DIFFERENCES, [
      [...names, ...attempts.map(({ name }) => name)],
    ]);
    return rows.map(({ provider, currency, kind, reference, ours, theirs, foundAt, reason }) => ({
      provider,
      currency,
      kind,
      reference,
      ours: toJsonNumber(BigInt(ours)),
      theirs: toJsonNumber(BigInt(theirs)),
      found_at: foundAt,
      explanation: reason,
    }));
  }

  private async answersTo({ resource, accountId, livemode, id }: OpenReview): Promise<AnswerRow[]> {
    if (resource !== 'pay' && resource !== 'rfd' && resource !== 'dep' && resource !== 'crd') return [];
    return this.dataSource.query(SELECT_ANSWERS[resource], [accountId, livemode, id]);
  }
}
