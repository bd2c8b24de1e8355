import { Injectable } from '@nestjs/common';
import type { Key } from '../../core/http/caller';
import { encodeId, lowestIdAt, timeOf } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import { EventLog } from '../../core/outbox/event-log';
import { DeliveriesService, type SentDelivery } from '../webhooks/deliveries.service';
import { LedgerEntriesService } from '../ledger/entries.service';
import type { TimelineItemDto } from './timeline.dto';
import type { Transaction } from './transaction.entity';
import type { IdPrefix } from '../../vocabulary/id-prefixes';
import type { TransactionType } from '../../vocabulary/products';

/** Something that happened to a transaction. */
export interface Happening {
  readonly at: Date;
  readonly kind:
    | 'provider.choice'
    | 'provider.attempt'
    | 'provider.answer'
    | 'provider.requery'
    | 'provider.callback'
    | 'review.decision';
  /** snake_case, scrubbed. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Of which transaction a story is told. `sourceId`: what moved its money, such as a card. */
export interface TimelineSubject {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly id: string;
  readonly type: TransactionType;
  readonly sourceId: string | null;
  readonly providerName: string | null;
}

/** A module that knows more of some transactions than their record says. */
export interface TimelineSource {
  of(transaction: TimelineSubject): Promise<Happening[]>;
  /** The same of things that may have no transaction, such as payments that nobody paid. */
  ofThing?(prefix: IdPrefix, thing: Key): Promise<Happening[]>;
}

/** Clocks of two processes may differ a little: looked for a second either side. */
const SLACK_MS = 1_000;

/** Tells the story of one transaction from what the ledger and the outbox kept. */
@Injectable()
export class TimelineService {
  private readonly sources: TimelineSource[] = [];

  constructor(
    private readonly entries: LedgerEntriesService,
    private readonly events: EventLog,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Called once by each module that has something to tell. */
  include(source: TimelineSource): void {
    this.sources.push(source);
  }

  /** What providers and people said about a transaction, in no order. */
  async told(t: TimelineSubject): Promise<Happening[]> {
    return (await Promise.all(this.sources.map((source) => source.of(t)))).flat();
  }

  /** The same about what a transaction may come of. */
  async toldOf(prefix: IdPrefix, thing: Key): Promise<Happening[]> {
    return (await Promise.all(this.sources.map(async (source) => source.ofThing?.(prefix, thing) ?? []))).flat();
  }

  /** Oldest first. */
  async of(t: Transaction): Promise<TimelineItemDto[]> {
    const created = timeOf(t.id);
    const between: [Date, Date] = [new Date(created.getTime() - SLACK_MS), new Date(t.updatedAt.getTime() + SLACK_MS)];
    const [entries, events, deliveries, more] = await Promise.all([
      this.entries.ofTransaction({ accountId: t.accountId, ledgerAccountId: t.walletId }, t.id, between),
      this.events.about(t, [t.id, t.sourceId ?? t.id], between),
      this.deliveries.about(t, lowestIdAt(between[1])),
      this.told(t),
    ]);
    const items: TimelineItemDto[] = [
      {
        at: created,
        kind: 'transaction.created',
        data: { type: t.type, amount: toJsonNumber(t.amount), currency: t.currency, reference: t.reference },
      },
      ...entries.map((entry): TimelineItemDto => ({
        at: entry.createdAt,
        kind: 'ledger.entry',
        data: {
          wallet_id: encodeId('wal', entry.ledgerAccountId),
          bucket: entry.bucket,
          amount: toJsonNumber(entry.amount),
          currency: t.currency,
          balance_after: toJsonNumber(entry.bucket === 'held' ? entry.heldAfter : entry.availableAfter),
        },
      })),
      ...more,
      // Before the events of its own millisecond: they announce it.
      ...(t.completedAt
        ? [
            {
              at: t.completedAt,
              kind: 'transaction.completed',
              data: { status: t.status === 'reversed' ? 'successful' : t.status },
            } as const,
          ]
        : []),
      ...events.map((event): TimelineItemDto => ({
        at: timeOf(event.id),
        kind: 'event',
        data: {
          id: encodeId('evt', event.id),
          type: event.type,
          request_id: event.requestId && encodeId('req', event.requestId),
        },
      })),
      ...deliveries.map(deliveryItem),
    ];
    return items.sort((a, b) => a.at.getTime() - b.at.getTime());
  }
}

const deliveryItem = ({
  id,
  endpointId,
  eventId,
  eventType,
  status,
  attempts,
  completedAt,
}: SentDelivery): TimelineItemDto => ({
  at: completedAt ?? timeOf(id),
  kind: 'webhook.delivery',
  data: {
    id: encodeId('dlv', id),
    endpoint_id: encodeId('whk', endpointId),
    event_id: encodeId('evt', eventId),
    event_type: eventType,
    status,
    attempts,
  },
});
